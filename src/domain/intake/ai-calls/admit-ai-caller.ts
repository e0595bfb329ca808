import type { AnonymousActor, TenantActor } from '../../../contract/actor.ts';
import type { AppContext } from '../../../lib/context.ts';
import { requireActiveTenant } from '../../identity/tenants/tenant.queries.ts';
import { requireAttempt } from '../../identity/throttle/throttle.ts';
import { anonymousAiRules } from './ai-limits.ts';

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
