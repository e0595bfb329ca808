import type { AccountActor } from '../../../contract/actor.ts';
import { Problem } from '../../../contract/problem.ts';
import type { Context } from '../../../lib/context.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { closeInvitation, isOwnInvitation } from './invitation.queries.ts';

/**
 * Withdraws an open invitation of the admin's tenant.
 * @throws {Problem} `not_found` for one that is not open or another tenant's.
 */
export async function revokeInvitation(
  { db, clock, audit }: Context,
  actor: AccountActor,
  { uuid }: { uuid: string },
): Promise<void> {
  const subject = { kind: 'invitation', uuid };
  await inTenant(db, actor.tenantId, async (tx) => {
    if (!(await closeInvitation(tx, uuid, clock.now()))) {
      const detail = 'Your tenant has no open invitation with this id.';
      const isOwn = await isOwnInvitation(tx, uuid);
      throw new Problem('not_found', { detail, ...(!isOwn && { conceals: subject }) });
    }
    await audit.succeeded(tx, { subject });
  });
}
