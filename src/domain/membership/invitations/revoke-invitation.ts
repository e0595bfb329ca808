import type { AccountActor } from '../../../contract/actor.ts';
import { Problem } from '../../../contract/problem.ts';
import type { Context } from '../../../lib/app/context.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { closeInvitation, isOwnInvitation, lockUnused } from './invitation.queries.ts';

/**
 * Withdraws an open invitation of the admin's tenant.
 * @param missing code for one that is not open or another tenant's.
 * @throws {Problem} `missing`
 */
export async function revokeInvitation(
  { db, clock, audit }: Context,
  actor: AccountActor,
  { uuid }: { uuid: string },
  missing: 'not_found' | 'invitation_not_found' = 'not_found',
): Promise<void> {
  const subject = { kind: 'invitation', uuid };
  await inTenant(db, actor.tenantId, async (tx) => {
    // Not beside a request that sends it again, which would open a new one after this reply.
    await lockUnused(tx, uuid);
    if (!(await closeInvitation(tx, uuid, clock.now()))) {
      const detail = 'Your tenant has no open invitation with this id.';
      const isOwn = await isOwnInvitation(tx, uuid);
      throw new Problem(missing, { detail, ...(!isOwn && { conceals: subject }) });
    }
    await audit.succeeded(tx, { subject });
  });
}
