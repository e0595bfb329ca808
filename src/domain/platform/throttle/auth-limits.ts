import type { Context } from '../../../lib/app/context.ts';
import { day, hour, minute, requireAttempt } from './throttle.ts';
import type { DistinctRule, ThrottleRule } from './throttle-rule.ts';
import { reserveAttempt } from './throttle.queries.ts';

/** Makes the key of a counter from its name and parts. */
type Key = (...parts: readonly (string | undefined)[]) => Buffer;

export interface LoginLimits {
  LIMIT_FAILED_LOGINS_PER_EMAIL_AND_NETWORK: number;
  LIMIT_FAILED_LOGINS_PER_NETWORK: number;
  LIMIT_FAILED_LOGINS_PER_EMAIL: number;
  LIMIT_EMAILS_TRIED_PER_NETWORK: number;
}

/** Who tries to log in: an address, registered or not, and the network that it is tried from. */
export interface LoginAttempt {
  email: string;
  ipPrefix: string | undefined;
  /** Whether the account is known in this network (known-network.ts). */
  isKnown: boolean;
}

/**
 * How often a login may fail. The pair limit stops a guesser without locking the owner out: from elsewhere the owner
 * still gets in, until the address as a whole has seen a hundred failures in a day (NIST SP 800-63B §5.2.2), which a
 * reset unlocks. In a network that the account is known in, only the pair counts: neither a flood of guesses from
 * elsewhere nor other people's guesses from the same network lock the owner out at home. Unregistered
 * addresses count the same.
 */
export function loginRules(limits: LoginLimits, key: Key, attempt: LoginAttempt): ThrottleRule[] {
  const { email, ipPrefix, isKnown } = attempt;
  const pair = {
    key: key('password', 'pair', email, ipPrefix),
    limit: limits.LIMIT_FAILED_LOGINS_PER_EMAIL_AND_NETWORK,
    seconds: 15 * minute,
  };
  if (isKnown) return [pair];
  return [
    pair,
    {
      key: key('password', 'prefix', ipPrefix),
      limit: limits.LIMIT_FAILED_LOGINS_PER_NETWORK,
      seconds: 15 * minute,
    },
    { key: key('password', 'email', email), limit: limits.LIMIT_FAILED_LOGINS_PER_EMAIL, seconds: day },
  ];
}

/** How many addresses one network may try without success. */
export function triedAddressesRule(
  limits: LoginLimits,
  key: Key,
  { email, ipPrefix, isKnown }: LoginAttempt,
): DistinctRule | undefined {
  if (isKnown) return undefined;
  return {
    key: key('tried_addresses', ipPrefix),
    member: key('tried_address', ipPrefix, email),
    limit: limits.LIMIT_EMAILS_TRIED_PER_NETWORK,
    seconds: day,
  };
}

/** The counters that a successful reset clears: the owner has proved to be the owner. */
export function unlockedByReset(
  limits: LoginLimits,
  key: Key,
  email: string,
  ipPrefix: string | undefined,
): ThrottleRule[] {
  const ofNetwork = key('password', 'prefix', ipPrefix);
  return loginRules(limits, key, { email, ipPrefix, isKnown: false }).filter(
    (rule) => !rule.key.equals(ofNetwork),
  );
}

/**
 * Wrong current passwords, by session: the bearer of a stolen token cannot guess, and cannot keep the owner from
 * logging in or from changing the password in a session of their own.
 */
export function passwordChangeRules(
  limits: {
    LIMIT_FAILED_CHANGES_PER_SESSION: number;
    LIMIT_FAILED_CHANGES_PER_DAY: number;
  },
  key: Key,
  sessionUuid: string,
): ThrottleRule[] {
  return [
    {
      key: key('password_change', sessionUuid),
      limit: limits.LIMIT_FAILED_CHANGES_PER_SESSION,
      seconds: 15 * minute,
    },
    {
      key: key('password_change', 'day', sessionUuid),
      limit: limits.LIMIT_FAILED_CHANGES_PER_DAY,
      seconds: day,
    },
  ];
}

export interface RegistrationLimits {
  LIMIT_REGISTRATIONS_PER_NETWORK: number;
  LIMIT_REFUSED_REGISTRATIONS_PER_NETWORK: number;
}

/**
 * Refused registrations, each of which says whether an address is registered, and new accounts.
 * @param isOpen whether anyone may register so: neither by invitation nor by an admin.
 */
export function registrationRules(
  limits: RegistrationLimits,
  key: Key,
  ipPrefix: string | undefined,
  isOpen: boolean,
): ThrottleRule[] {
  const refused: ThrottleRule = {
    key: key('registration', ipPrefix),
    limit: limits.LIMIT_REFUSED_REGISTRATIONS_PER_NETWORK,
    seconds: 15 * minute,
  };
  const made: ThrottleRule = {
    key: key('registered', ipPrefix),
    limit: limits.LIMIT_REGISTRATIONS_PER_NETWORK,
    seconds: hour,
    counts: 'successes',
  };
  return isOpen ? [refused, made] : [refused];
}

/** Taken addresses of physicians whom one admin creates: each reveals an account, of any tenant. */
export function preparationRules(
  limits: Pick<RegistrationLimits, 'LIMIT_REFUSED_REGISTRATIONS_PER_NETWORK'>,
  key: Key,
  adminUuid: string,
): ThrottleRule[] {
  const limit = limits.LIMIT_REFUSED_REGISTRATIONS_PER_NETWORK;
  return [{ key: key('preparation', adminUuid), limit, seconds: 15 * minute }];
}

type MailKind = 'reset_mail' | 'verification_mail';

/** Requests for a mail to any address. */
export function mailRequestRules(
  limits: { LIMIT_MAIL_REQUESTS_PER_NETWORK: number },
  key: Key,
  kind: MailKind,
  ipPrefix: string | undefined,
): ThrottleRule[] {
  const counter = key(`${kind}_request`, ipPrefix);
  return [{ key: counter, limit: limits.LIMIT_MAIL_REQUESTS_PER_NETWORK, seconds: hour }];
}

/** Mails with a link to one address; one more is answered in the same way and not sent. */
export function mailRules(
  limits: { LIMIT_RESET_MAILS_PER_EMAIL: number; LIMIT_VERIFICATION_MAILS_PER_EMAIL: number },
  key: Key,
  kind: MailKind,
  email: string,
): ThrottleRule[] {
  const limit =
    kind === 'reset_mail' ? limits.LIMIT_RESET_MAILS_PER_EMAIL : limits.LIMIT_VERIFICATION_MAILS_PER_EMAIL;
  return [{ key: key(kind, email), limit, seconds: hour }];
}

/**
 * Counts a request for a mail with a link.
 * @returns whether a mail may be sent to the address; the answer to the request is the same either way.
 * @throws {Problem} `rate_limited` for a network with too many requests, to any address.
 */
export async function admitMailRequest(
  { db, config, throttleKey, request, log }: Context,
  kind: MailKind,
  email: string,
): Promise<boolean> {
  const { receivedAt: now, ipPrefix } = request;
  await requireAttempt(db, mailRequestRules(config, throttleKey, kind, ipPrefix), now);
  if ((await reserveAttempt(db, mailRules(config, throttleKey, kind, email), now)) > 0) return false;
  // In development the log has the token.
  const canDeliver = config.MAIL_URL !== undefined || !config.production;
  if (!canDeliver) log.error('mail_not_configured');
  return canDeliver;
}
