import type { Actor } from '../../../contract/actor.ts';
import { concerning, Problem } from '../../../contract/problem.ts';
import { refuseCommonPassword } from '../../../lib/auth/common-passwords.ts';
import { hashOpaqueToken } from '../../../lib/auth/opaque-token.ts';
import type { Context } from '../../../lib/app/context.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { enqueuePasswordChangedMail } from '../../announce/mails/enqueue-mails.ts';
import { endSessions } from '../../identity/sessions/session.queries.ts';
import { unlockedByReset } from '../../platform/throttle/auth-limits.ts';
import { countRefusedToken } from '../../platform/throttle/throttle.ts';
import { clearAttempts } from '../../platform/throttle/throttle.queries.ts';
import { findContextWords } from '../../identity/users/context-words.ts';
import { findResetToken, takeResetToken } from '../../identity/users/reset-token.queries.ts';
import { setPassword } from '../../identity/users/user.queries.ts';

/**
 * Sets a new password with a token from a mail; all sessions of the account end and its lock after failed logins is
 * lifted. A refused password does not use the token up.
 * @throws {Problem} `reset_token_invalid`, `validation_error`, `rate_limited`, `busy`
 */
export async function resetPassword(
  context: Context,
  _actor: Actor,
  { token: presented, new_password: password }: { token: string; new_password: string },
): Promise<void> {
  const { db, config, passwords, clock, outbox, throttleKey, request, audit } = context;
  const { ipPrefix, language } = request;
  const hash = hashOpaqueToken('reset', presented);
  // Looked up before anything is hashed: made-up tokens must not cost us a quarter of a second each.
  const token = hash && (await findResetToken(db, hash, clock.now()));
  if (token === undefined) {
    await countRefusedToken(context, 'reset', hash !== undefined);
    throw new Problem('reset_token_invalid');
  }
  const { tenant_id: tenantId, user_id: userId, email } = token;
  await concerning({ tenantId, userId }, async () => {
    await refuseCommonPassword(password, '/new_password', await findContextWords(db, tenantId, email));
    const passwordHash = await passwords.inTurn(ipPrefix, () => passwords.hash(password, ipPrefix));
    await inTenant(db, tenantId, async (tx) => {
      const changedAt = clock.now();
      if (!(await takeResetToken(tx, token, changedAt))) throw new Problem('reset_token_invalid');
      await setPassword(tx, userId, passwordHash, changedAt);
      const sessions = await endSessions(tx, userId, 'all', 'password_reset', changedAt);
      await audit.succeeded(tx, { tenantId, userId, detail: { by: 'reset', sessions } });
      await clearAttempts(tx, unlockedByReset(config, throttleKey, email, ipPrefix));
      if (config.MAIL_URL !== undefined) {
        await enqueuePasswordChangedMail(tx, { tenantId, userId, changedAt, language });
      }
    });
  });
  outbox.kick();
}
