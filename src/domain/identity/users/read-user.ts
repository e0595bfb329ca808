import type { AccountActor } from '../../../contract/actor.ts';
import type { Context } from '../../../lib/app/context.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { readOfficeUser } from './office-user.queries.ts';
import type { OfficeUserDetail } from './office-user.schemas.ts';

/**
 * An account of the tenant, with groups and sessions.
 * @throws {Problem} `user_not_found`
 */
export async function readUser(
  { db, request, audit }: Context,
  { tenantId }: AccountActor,
  { uuid }: { uuid: string },
): Promise<OfficeUserDetail> {
  return await inTenant(db, tenantId, async (tx) => {
    const user = await readOfficeUser(tx, uuid, request.receivedAt);
    await audit.succeeded(tx, { subject: { kind: 'user', uuid } });
    return user;
  });
}
