import type { ThrottleRule } from './throttle.ts';

/** Makes the key of a counter from its name and parts. */
type Key = (...parts: readonly (string | undefined)[]) => Buffer;

/**
 * How often callers without a token may ask the AI service. An intake is up to 70 questions and a few calls more, and
 * people behind one address (a clinic's waiting room) share the count.
 */
export function anonymousAiRules(key: Key, ipPrefix: string | undefined): ThrottleRule[] {
  return [{ key: key('anonymous_ai', ipPrefix), limit: 300, seconds: 300 }];
}
