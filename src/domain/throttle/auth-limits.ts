import type { ThrottleRule } from './throttle.ts';

/** Makes the key of a counter from its name and parts. */
type Key = (...parts: readonly (string | undefined)[]) => Buffer;

const minute = 60;
const hour = 60 * minute;

/**
 * Who may fail how often with a password. The pair limit stops a guesser without locking the owner out: from
 * elsewhere the owner still gets in, until the address as a whole has seen a hundred failures in a day
 * (NIST SP 800-63B §5.2.2), which a reset unlocks. Addresses that nobody has registered count the same.
 */
export function passwordRules(key: Key, email: string, ipPrefix: string | undefined): ThrottleRule[] {
  return [
    { key: key('password', 'pair', email, ipPrefix), limit: 10, seconds: 15 * minute },
    { key: key('password', 'prefix', ipPrefix), limit: 100, seconds: 15 * minute },
    { key: key('password', 'email', email), limit: 100, seconds: 24 * hour },
  ];
}

/** The counters that a successful reset clears: the owner has proved to be the owner. */
export function unlockedByReset(key: Key, email: string, ipPrefix: string | undefined): ThrottleRule[] {
  return passwordRules(key, email, ipPrefix).filter((_, position) => position !== 1);
}

/** Mails with a reset link; one more is answered in the same way and not sent. */
export function resetMailRules(key: Key, email: string): ThrottleRule[] {
  return [{ key: key('reset_mail', email), limit: 3, seconds: hour }];
}

/** Refused registrations: each tells whether an address is registered. */
export function registrationRules(key: Key, ipPrefix: string | undefined): ThrottleRule[] {
  return [{ key: key('registration', ipPrefix), limit: 100, seconds: 15 * minute }];
}
