import type { ThrottleRule } from '../../identity/throttle/throttle.ts';

/** Makes the key of a counter from its name and parts. */
type Key = (...parts: readonly (string | undefined)[]) => Buffer;

/**
 * How often callers without a token may ask the AI service. An intake is up to 70 questions and a few calls more, and
 * people behind one address (a clinic's waiting room) share the count.
 */
export function anonymousAiRules(
  limits: { LIMIT_ANONYMOUS_AI_CALLS_PER_NETWORK: number },
  key: Key,
  ipPrefix: string | undefined,
): ThrottleRule[] {
  const limit = limits.LIMIT_ANONYMOUS_AI_CALLS_PER_NETWORK;
  return [{ key: key('anonymous_ai', ipPrefix), limit, seconds: 300 }];
}
