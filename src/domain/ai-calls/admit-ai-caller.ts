import type { Db } from '../../lib/db/connect.ts';
import { requireActiveTenant } from '../tenants/tenant.queries.ts';
import { anonymousAiRules } from '../throttle/ai-limits.ts';
import { requireAttempt } from '../throttle/throttle.ts';
import type { AiCaller } from './record-ai-call.ts';

export interface AiRequest {
  db: Db;
  user: { id: number; tenantId: number; sessionUuid: string } | undefined;
  request: { tenantSlug: string; ipPrefix: string | undefined; receivedAt: Date };
  /** Makes the key of a counter. */
  throttleKey: (...parts: readonly (string | undefined)[]) => Buffer;
}

/**
 * Who asks: a user in the tenant of the token, or, with PUBLIC_AI_ROUTES, anybody in the tenant that the request
 * names, so often from one place. Before anything expensive is done for them.
 * @throws {Problem} `tenant_not_found`, `rate_limited`
 */
export async function admitAiCaller({ db, user, request, throttleKey }: AiRequest): Promise<AiCaller> {
  if (user !== undefined) return { tenantId: user.tenantId, userId: user.id, sessionUuid: user.sessionUuid };
  await requireAttempt(db, anonymousAiRules(throttleKey, request.ipPrefix), request.receivedAt);
  const tenant = await requireActiveTenant(db, request.tenantSlug);
  return { tenantId: tenant.id, userId: undefined, sessionUuid: undefined };
}
