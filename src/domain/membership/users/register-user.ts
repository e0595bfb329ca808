import type { Actor } from '../../../contract/actor.ts';
import { concerning } from '../../../contract/problem.ts';
import { refuseCommonPassword } from '../../../lib/auth/common-passwords.ts';
import { createOpaqueToken } from '../../../lib/auth/opaque-token.ts';
import type { Context } from '../../../lib/app/context.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { readSessionRules, type SessionRules } from '../../identity/sessions/session-rules.ts';
import { startSession } from '../../identity/sessions/start-session.ts';
import { issueTokenPair, type TokenPair } from '../../identity/sessions/token-pair.ts';
import { addVerification } from '../../identity/users/add-verification.ts';
import { findContextWords } from '../../identity/users/context-words.ts';
import { lockAccountOf, requireAdminStill } from '../../identity/users/user.queries.ts';
import { registrationRules } from '../../platform/throttle/auth-limits.ts';
import { withAttempt } from '../../platform/throttle/throttle.ts';
import { redeemInvitation } from '../invitations/invitation.queries.ts';
import {
  type AdmittedRegistration,
  admitRegistration,
  type RegistrationInput,
} from './admit-registration.ts';
import { createAccount } from './create-account.ts';
import { activatePrepared } from './prepared-account.queries.ts';
import { releaseAddress } from './release-address.ts';

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
        const session = {
          ...(await readSessionRules(context, tenantId)),
          refreshTokenHash: refreshToken.hash,
        };
        return await inTenant(db, tenantId, (tx) =>
          enrol(context, tx, { ...admitted, passwordHash }, session),
        );
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
 * Creates the account that was admitted, with its first session.
 *
 * An invitation activates the account that an admin has prepared for the address. One whose token went by mail proves the
 * address: an account that took it unverified is retired. Every other address gets a link to verify it.
 */
async function enrol(
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
