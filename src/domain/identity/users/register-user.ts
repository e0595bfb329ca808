import type { Actor } from '../../../contract/actor.ts';
import { concerning } from '../../../contract/problem.ts';
import { refuseCommonPassword } from '../../../lib/auth/common-passwords.ts';
import { createOpaqueToken } from '../../../lib/auth/opaque-token.ts';
import type { Context } from '../../../lib/context.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { redeemInvitation } from '../invitations/invitation.queries.ts';
import { startSession } from '../sessions/start-session.ts';
import { issueTokenPair, type TokenPair } from '../sessions/token-pair.ts';
import { registrationRules } from '../throttle/auth-limits.ts';
import { withAttempt } from '../throttle/throttle.ts';
import { releaseAddress } from './address-owner.ts';
import {
  type AdmittedRegistration,
  admitRegistration,
  type RegistrationInput,
} from './admit-registration.ts';
import { findContextWords } from './context-words.ts';
import { createAccount } from './create-account.ts';
import { addVerification } from './add-verification.ts';

/**
 * Creates an account and opens its first session.
 * @throws {Problem} as {@link admitRegistration}, and `email_taken`, `busy`
 */
export async function registerUser(
  context: Context,
  actor: Actor,
  input: RegistrationInput & { password: string },
): Promise<TokenPair> {
  const { db, config, passwords, throttleKey, outbox, request, log } = context;
  const { ipPrefix, receivedAt: now } = request;
  const { password } = input;
  const admitted = await admitRegistration(context, actor, input);
  const { tenantId, email, isOpen } = admitted;
  return await concerning({ tenantId }, async () => {
    await refuseCommonPassword(password, '/password', await findContextWords(db, tenantId, email));
    const refreshToken = createOpaqueToken('refresh');
    const rules = registrationRules(config, throttleKey, ipPrefix, isOpen);
    const failures = ['email_taken', 'invitation_invalid'] as const;
    const { session, verificationToken } = await passwords.inTurn(ipPrefix, () =>
      withAttempt(db, { rules, now, failures }, async () => {
        const passwordHash = await passwords.hash(password, ipPrefix);
        const account = { ...admitted, passwordHash, refreshTokenHash: refreshToken.hash };
        return await inTenant(db, tenantId, (tx) => enrol(context, tx, account));
      }),
    );
    outbox.kick();
    // In development the log is the mailbox.
    if (verificationToken !== undefined && !config.production) {
      log.info('email_verification_token', { token: verificationToken, user: session.userUuid });
    }
    return issueTokenPair(context, session, refreshToken.token, now);
  });
}

/**
 * An invitation whose token went by mail proves the address: an account that took it unverified is retired. Every other
 * address gets a link to verify it.
 */
async function enrol(
  { config, fieldCrypto, request, audit }: Context,
  tx: Tx,
  admitted: AdmittedRegistration & { passwordHash: string; refreshTokenHash: Buffer },
) {
  const { tenantId, email, role, passwordHash, refreshTokenHash, invitationUuid, creator } = admitted;
  const { receivedAt: now, language } = request;
  const invited = invitationUuid !== undefined;
  const isProved = invited && (await redeemInvitation(tx, invitationUuid, now)).sentByMail;
  if (isProved) await releaseAddress(tx, email, now, audit);
  const account = { tenantId, email, passwordHash, role, language, verifiedAt: isProved ? now : undefined };
  const { id: userId, uuid: userUuid } = await createAccount(tx, account);
  const opening = { tenantId, userId, now, refreshTokenHash, sessionLimit: config.LIMIT_SESSIONS_PER_USER };
  const { sessionUuid } = await startSession(tx, opening, request);
  const subject = { kind: 'user', uuid: userUuid };
  // The admin is the actor, otherwise the new account, even if the request carries another account's token.
  await audit.succeeded(tx, {
    tenantId,
    userId,
    sessionUuid,
    ...creator,
    subject,
    detail: { role, invited },
  });
  const session = { sessionUuid, userUuid, role, tenantId };
  const byMail = config.MAIL_URL !== undefined;
  if (isProved || (config.production && !byMail)) return { session };
  const owner = { tenantId, userId, email, language, now, byMail };
  return { session, verificationToken: await addVerification(tx, fieldCrypto, owner) };
}
