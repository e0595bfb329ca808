import type { AccountActor } from '../../../contract/actor.ts';
import type { Context } from '../../../lib/app/context.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { endSessions } from '../sessions/session.queries.ts';
import { lockUser } from './office-user.queries.ts';

/**
 * Ends all sessions of an account of the tenant.
 * @returns how many were open until now.
 * @throws {Problem} `user_not_found`
 */
export async function endUserSessions(
  { db, clock, audit }: Context,
  { tenantId }: AccountActor,
  { uuid }: { uuid: string },
): Promise<number> {
  return await inTenant(db, tenantId, async (tx) => {
    const user = await lockUser(tx, uuid);
    const sessions = await endSessions(tx, user.id, 'all', 'revoked_by_admin', clock.now());
    await audit.succeeded(tx, { subject: { kind: 'user', uuid }, detail: { sessions } });
    return sessions;
  });
}
