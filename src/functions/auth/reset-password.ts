import { z } from 'zod';
import { enqueuePasswordChangedMail } from '../../domain/platform/mails/enqueue-mails.ts';
import { findContextWords } from '../../domain/identity/users/context-words.ts';
import { findResetToken } from '../../domain/identity/users/find-reset-token.ts';
import { resetPassword as replacePassword } from '../../domain/identity/users/reset-password.ts';
import { countRefusedToken } from '../../domain/identity/throttle/refused-token.ts';
import { clearAttempts } from '../../domain/identity/throttle/throttle.ts';
import { refusedTokenRules, unlockedByReset } from '../../domain/identity/throttle/auth-limits.ts';
import { NewPassword } from '../../domain/identity/users/user.schemas.ts';
import { refuseCommonPassword } from '../../lib/auth/common-passwords.ts';
import { hashOpaqueToken } from '../../lib/auth/opaque-token.ts';
import { inTenant } from '../../lib/db/tenant.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { Message } from '../../lib/http/message.ts';
import { concerning, Problem } from '../../contract/problem.ts';

export const resetPassword = endpoint({
  name: 'resetPassword',
  method: 'POST',
  route: 'api/auth/reset-password',
  tag: 'Authentication',
  summary: 'Set a new password with a token from a mail',
  description:
    'The token works once. All sessions of the account end, a lock after failed logins is lifted, and a mail tells the ' +
    'owner. A password that is refused costs no token.',
  auth: 'public',
  audit: { category: 'auth', success: 'authn_password_change', refusal: 'authn_password_change_fail' },
  reads: ['lang'],
  body: z
    .strictObject({
      token: z.string().meta({ description: 'From the link in the mail; valid for 24 hours.' }),
      new_password: NewPassword,
    })
    .meta({ id: 'PasswordReset', description: 'The token of the mail and the next password.' }),
  reply: {
    status: 200,
    description: 'The password is replaced.',
    body: Message,
  },
  problems: ['reset_token_invalid', 'rate_limited', 'busy'],
  async handler({ body, context }) {
    const { config, db, passwords, clock, outbox, throttleKey, request, audit } = context;
    const hash = hashOpaqueToken('reset', body.token);
    // Looked up before anything is hashed: made-up tokens must not cost us a quarter of a second each.
    const token = hash && (await findResetToken(db, hash, clock.now()));
    if (token === undefined) {
      const rules = refusedTokenRules(config, throttleKey, 'reset', request.ipPrefix);
      await countRefusedToken(db, rules, hash !== undefined, request.receivedAt);
      throw new Problem('reset_token_invalid');
    }
    return await concerning({ tenantId: token.tenant_id, userId: token.user_id }, async () => {
      const words = await findContextWords(db, token.tenant_id, token.email);
      await refuseCommonPassword(body.new_password, '/new_password', words);
      const { ipPrefix } = request;
      const passwordHash = await passwords.inTurn(ipPrefix, () =>
        passwords.hash(body.new_password, ipPrefix),
      );
      await inTenant(db, token.tenant_id, async (tx) => {
        await replacePassword(tx, token, passwordHash, clock.now(), audit);
        await clearAttempts(tx, unlockedByReset(config, throttleKey, token.email, ipPrefix));
        const { tenant_id: tenantId, user_id: userId } = token;
        if (config.MAIL_URL !== undefined) {
          const mail = { tenantId, userId, changedAt: clock.now(), language: request.language };
          await enqueuePasswordChangedMail(tx, mail);
        }
      });
      outbox.kick();
      return { message: 'The password has been changed. Please log in.' };
    });
  },
});
