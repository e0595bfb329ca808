import type { AccountActor } from '../../../contract/actor.ts';
import type { Language } from '../../../contract/language.ts';
import type { Role } from '../../../contract/role.ts';
import { createOpaqueToken } from '../../../lib/auth/opaque-token.ts';
import type { Context } from '../../../lib/app/context.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { enqueueLinkMail } from '../../announce/mails/enqueue-mails.ts';
import { insertInvitation } from './invitation.queries.ts';

/**
 * Writes an invitation and the mail with its token; call `outbox.kick()` after the commit.
 * @returns the invitation, with its token only where no mail server is configured.
 */
export async function issueInvitation(
  { config, clock, fieldCrypto, log }: Context,
  tx: Tx,
  { id: invitedBy, tenantId }: AccountActor,
  { email, role, language }: { email: string; role: Role; language: Language },
) {
  const { token, hash: tokenHash } = createOpaqueToken('invitation');
  const sentByMail = config.MAIL_URL !== undefined;
  const input = { email, role, tenantId, tokenHash, invitedBy, sentByMail };
  const made = await insertInvitation(tx, input, clock.now());
  if (sentByMail) {
    const row = { topic: 'invitation', invitation_uuid: made.uuid } as const;
    await enqueueLinkMail(tx, fieldCrypto, row, { tenantId, token, language });
  }
  if (!config.production) log.info('invitation_token', { invitation: made.uuid, token });
  return { ...made, ...(!sentByMail && { invitation_token: token }) };
}
