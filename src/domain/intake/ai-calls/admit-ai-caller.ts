import type { Db } from '../../../lib/db/connect.ts';
import { requireActiveTenant } from '../../identity/tenants/tenant.queries.ts';
import { anonymousAiRules } from './ai-limits.ts';
import { requireAttempt } from '../../identity/throttle/throttle.ts';
import type { AiCaller } from './record-ai-call.ts';

/**
 * Counts a caller without a token, before the body is read and before anything expensive is done.
 * @throws {Problem} `rate_limited`
 */
export async function admitAnonymousAiCaller(
  db: Db,
  config: { LIMIT_ANONYMOUS_AI_CALLS_PER_NETWORK: number },
  /** Makes the key of a counter. */
  throttleKey: (...parts: readonly (string | undefined)[]) => Buffer,
  { ipPrefix, receivedAt }: { ipPrefix: string | undefined; receivedAt: Date },
): Promise<void> {
  await requireAttempt(db, anonymousAiRules(config, throttleKey, ipPrefix), receivedAt);
}

export interface AiRequest {
  db: Db;
  user: { id: number; tenantId: number; sessionUuid: string } | undefined;
  request: { tenantSlug: string };
}

/**
 * The caller: a user in the tenant of the token, or, with PUBLIC_AI_ROUTES, an anonymous one in the tenant that the
 * request names; {@link admitAnonymousAiCaller} has counted that one.
 * @throws {Problem} `tenant_not_found`
 */
export async function identifyAiCaller({ db, user, request }: AiRequest): Promise<AiCaller> {
  if (user !== undefined) return { tenantId: user.tenantId, userId: user.id, sessionUuid: user.sessionUuid };
  const tenant = await requireActiveTenant(db, request.tenantSlug);
  return { tenantId: tenant.id, userId: undefined, sessionUuid: undefined };
}
