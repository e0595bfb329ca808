import type { Actor } from '../../../contract/actor.ts';
import { concerning } from '../../../contract/problem.ts';
import { refuseCommonPassword } from '../../../lib/auth/common-passwords.ts';
import { createOpaqueToken } from '../../../lib/auth/opaque-token.ts';
import type { Context } from '../../../lib/app/context.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { readSessionRules } from '../../identity/sessions/session-rules.ts';
import { issueTokenPair, type TokenPair } from '../../identity/sessions/token-pair.ts';
import { registrationRules } from '../../platform/throttle/auth-limits.ts';
import { withAttempt } from '../../platform/throttle/throttle.ts';
import { admitRegistration, type RegistrationInput } from './admit-registration.ts';
import { findContextWords } from '../../identity/users/context-words.ts';
import { enrol } from './enrol.ts';

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
