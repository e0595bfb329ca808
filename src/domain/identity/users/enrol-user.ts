import type { Tx } from '../../../lib/db/connect.ts';
import type { FieldCrypto } from '../../../lib/field-crypto.ts';
import type { Language } from '../../../contract/language.ts';
import { redeemInvitation } from '../invitations/invitation.queries.ts';
import { addVerification } from './issue-verification-token.ts';
import { openSession, type SessionOpening } from '../sessions/open-session.ts';
import { releaseAddress } from './address-owner.ts';
import type { AdmittedRegistration } from './admit-registration.ts';
import { registerUser } from './register-user.ts';

export interface Enrolment extends AdmittedRegistration {
  passwordHash: string;
  language: Language;
}

export interface VerificationLinks {
  fieldCrypto: FieldCrypto;
  /** Whether a mail server is configured. */
  byMail: boolean;
  production: boolean;
}

/**
 * Creates an admitted account with its first session and uses its invitation up, in one transaction. An invitation
 * whose token went by mail proves the address: an account that took it unverified is retired. Every other address gets
 * a link to verify it.
 *
 * @returns the session, and the verification token where development has no other way to it than the log.
 * @throws {Problem} `email_taken`, `invitation_invalid`
 */
export async function enrolUser(
  tx: Tx,
  { invitationUuid, ...account }: Enrolment,
  opening: Omit<SessionOpening, 'tenantId' | 'userId'>,
  links: VerificationLinks,
) {
  const { tenantId, role, email, language } = account;
  const { now, audit } = opening;
  const invited = invitationUuid !== undefined;
  const isProved = invited && (await redeemInvitation(tx, invitationUuid, now)).sentByMail;
  if (isProved) await releaseAddress(tx, email, now, audit);
  const verifiedAt = isProved ? now : undefined;
  const { id: userId, uuid: userUuid } = await registerUser(tx, { ...account, verifiedAt });
  const sessionUuid = await openSession(
    tx,
    { ...opening, tenantId, userId },
    { subject: { kind: 'user', uuid: userUuid }, detail: { role, invited } },
  );
  const session = { sessionUuid, userUuid, role, tenantId };
  const { fieldCrypto, byMail, production } = links;
  if (isProved || (production && !byMail)) return { session };
  const owner = { tenantId, userId, email, language, now, byMail };
  const verificationToken = await addVerification(tx, fieldCrypto, owner);
  return { session, ...(!production && { verificationToken }) };
}
