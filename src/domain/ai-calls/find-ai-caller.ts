import type { Db } from '../../lib/db/connect.ts';
import { requireActiveTenant } from '../tenants/tenant.queries.ts';
import type { AiCaller } from './record-ai-call.ts';

/**
 * Who asks: a user in the tenant of the token, or, with PUBLIC_AI_ROUTES, anybody in the tenant named by `slug`.
 * @throws {Problem} `tenant_not_found`
 */
export async function findAiCaller(
  db: Db,
  user: { id: number; tenantId: number; sessionUuid: string } | undefined,
  slug: string,
): Promise<AiCaller> {
  if (user !== undefined) return { tenantId: user.tenantId, userId: user.id, sessionUuid: user.sessionUuid };
  const tenant = await requireActiveTenant(db, slug);
  return { tenantId: tenant.id, userId: undefined, sessionUuid: undefined };
}
