import type { Tx } from '../../lib/db/connect.ts';
import { redeemInvitation } from '../invitations/invitation.queries.ts';
import { openSession, type SessionOpening } from '../sessions/open-session.ts';
import type { AdmittedRegistration } from './admit-registration.ts';
import { registerUser } from './register-user.ts';

export interface Enrolment extends AdmittedRegistration {
  passwordHash: string;
  language: string;
}

/**
 * Creates an admitted account with its first session and uses its invitation up, in one transaction.
 * @throws {Problem} `email_taken`, `invitation_invalid`
 */
export async function enrolUser(
  tx: Tx,
  { invitationUuid, ...account }: Enrolment,
  opening: Omit<SessionOpening, 'tenantId' | 'userId'>,
) {
  const { tenantId, role } = account;
  const invited = invitationUuid !== undefined;
  if (invited) await redeemInvitation(tx, invitationUuid, opening.now);
  const { id: userId, uuid: userUuid } = await registerUser(tx, { ...account, isVerified: invited });
  const sessionUuid = await openSession(
    tx,
    { ...opening, tenantId, userId },
    { action: 'user_created', subject: { kind: 'user', uuid: userUuid }, detail: { role, invited } },
  );
  return { sessionUuid, userUuid, role, tenantId };
}
