import type { AccountActor } from '../../../contract/actor.ts';
import type { Role } from '../../../contract/role.ts';
import { createOpaqueToken } from '../../../lib/auth/opaque-token.ts';
import type { Context } from '../../../lib/context.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { enqueueLinkMail } from '../../platform/mails/enqueue-mails.ts';
import { insertInvitation } from './invitation.queries.ts';

/**
 * Invites a person into the admin's tenant, with a role. The same for an address that has an account already.
 * @returns the invitation, with its token only where no mail server is configured.
 */
export async function inviteUser(
  { db, config, clock, outbox, fieldCrypto, request, audit, log }: Context,
  { id: invitedBy, tenantId }: AccountActor,
  { email, role }: { email: string; role: Role },
) {
  const { token, hash: tokenHash } = createOpaqueToken('invitation');
  const sentByMail = config.MAIL_URL !== undefined;
  const invitation = await inTenant(db, tenantId, async (tx) => {
    const input = { email, role, tenantId, tokenHash, invitedBy, sentByMail };
    const made = await insertInvitation(tx, input, clock.now());
    if (sentByMail) {
      const row = { topic: 'invitation', invitation_uuid: made.uuid } as const;
      await enqueueLinkMail(tx, fieldCrypto, row, { tenantId, token, language: request.language });
    }
    await audit.succeeded(tx, { subject: { kind: 'invitation', uuid: made.uuid }, detail: { role } });
    return made;
  });
  outbox.kick();
  if (!config.production) log.info('invitation_token', { invitation: invitation.uuid, token });
  return { ...invitation, role, ...(!sentByMail && { invitation_token: token }) };
}
