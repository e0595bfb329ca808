import type { AccountActor } from '../../../contract/actor.ts';
import { Problem } from '../../../contract/problem.ts';
import type { Role } from '../../../contract/role.ts';
import type { Context } from '../../../lib/app/context.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { issueInvitation } from './issue-invitation.ts';
import { requireAdminStill } from '../../identity/users/user.queries.ts';

/**
 * Invites a person into the admin's tenant, with a role. The same for an address that has an account already.
 * @returns the invitation, with its token only where no mail server is configured.
 * @throws {Problem} `validation_error` for the admin's own address: its account would be in the way of every redemption.
 */
export async function inviteUser(
  context: Context,
  actor: AccountActor,
  { email, role }: { email: string; role: Role },
) {
  const { db, outbox, audit, request } = context;
  if (email === actor.account.user.email) {
    const message = 'Is the address of your own account.';
    throw new Problem('validation_error', {
      errors: [{ pointer: '/email', code: 'own_address', message }],
    });
  }
  const invitation = await inTenant(db, actor.tenantId, async (tx) => {
    await requireAdminStill(tx, actor.id);
    const made = await issueInvitation(context, tx, actor, { email, role, language: request.language });
    await audit.succeeded(tx, { subject: { kind: 'invitation', uuid: made.uuid }, detail: { role } });
    return made;
  });
  outbox.kick();
  return { ...invitation, role };
}
