import type { AnonymousActor, TenantActor } from '../../../contract/actor.ts';
import type { AppContext } from '../../../lib/app/context.ts';
import { requireActiveTenant } from '../../platform/tenants/tenant.queries.ts';
import { requireAttempt } from '../../platform/throttle/throttle.ts';
import type { ThrottleRule } from '../../platform/throttle/throttle-rule.ts';

/**
 * A caller without a token, in the tenant that the request names; counted before the body is read and before anything
 * expensive is done.
 * @throws {Problem} `rate_limited`, `tenant_not_found`
 */
export async function admitAnonymousAiCaller(
  { db, config, throttleKey }: Pick<AppContext, 'db' | 'config' | 'throttleKey'>,
  request: { ipPrefix: string | undefined; receivedAt: Date; tenantSlug: string },
): Promise<AnonymousActor & TenantActor> {
  const { ipPrefix } = request;
  await requireAttempt(db, anonymousAiRules(config, throttleKey, ipPrefix), request.receivedAt);
  const { id: tenantId } = await requireActiveTenant(db, request.tenantSlug);
  return { kind: 'anonymous', tenantId, ipPrefix };
}

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
