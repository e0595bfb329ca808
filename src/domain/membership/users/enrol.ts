import type { Context } from '../../../lib/app/context.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { redeemInvitation } from '../invitations/invitation.queries.ts';
import type { SessionRules } from '../../identity/sessions/session-rules.ts';
import { startSession } from '../../identity/sessions/start-session.ts';
import { addVerification } from '../../identity/users/add-verification.ts';
import { releaseAddress } from './release-address.ts';
import type { AdmittedRegistration } from './admit-registration.ts';
import { createAccount } from './create-account.ts';
import { activatePrepared } from './prepared-account.queries.ts';
import { lockAccountOf, requireAdminStill } from '../../identity/users/user.queries.ts';

/**
 * Creates the account that was admitted, with its first session.
 *
 * An invitation activates the account that an admin has prepared for the address. One whose token went by mail proves the
 * address: an account that took it unverified is retired. Every other address gets a link to verify it.
 */
export async function enrol(
  { config, fieldCrypto, request, audit }: Context,
  tx: Tx,
  admitted: AdmittedRegistration & { passwordHash: string },
  opening: SessionRules & { refreshTokenHash: Buffer },
) {
  const { tenantId, email, passwordHash, invitationUuid, creator } = admitted;
  const { receivedAt: now, language } = request;
  if (creator !== undefined) await requireAdminStill(tx, creator.userId, 'role_not_allowed');
  const invited = invitationUuid !== undefined;
  // Before the invitation: a deactivation, which withdraws invitations, locks in the same order.
  if (invited) await lockAccountOf(tx, email);
  const redeemed = invited ? await redeemInvitation(tx, invitationUuid, now) : undefined;
  const isProved = redeemed?.sentByMail === true;
  const role = redeemed?.role ?? admitted.role;
  const account = { tenantId, email, passwordHash, role, language, verifiedAt: isProved ? now : undefined };
  const prepared = invited ? await activatePrepared(tx, account) : undefined;
  if (isProved && prepared === undefined) {
    await releaseAddress(tx, email, { now, audit, selfRegistered: config.SELF_REGISTRATION_ROLES });
  }
  const { id: userId, uuid: userUuid } = prepared ?? (await createAccount(tx, account));
  const { sessionUuid } = await startSession(tx, { ...opening, tenantId, userId, now }, request);
  // The admin is the actor, otherwise the new account, even if the request carries another account's token.
  await audit.succeeded(tx, {
    tenantId,
    userId,
    sessionUuid,
    ...creator,
    subject: { kind: 'user', uuid: userUuid },
    detail: { role, invited },
  });
  const session = { sessionUuid, userUuid, role, tenantId };
  const byMail = config.MAIL_URL !== undefined;
  if (isProved || (config.production && !byMail)) return { session };
  const owner = { tenantId, userId, email, language, now, byMail };
  return { session, verificationToken: await addVerification(tx, fieldCrypto, owner) };
}
