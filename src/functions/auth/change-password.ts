import { z } from 'zod';
import { enqueuePasswordChangedMail } from '../../domain/platform/mails/enqueue-mails.ts';
import { passwordChangeRules } from '../../domain/identity/throttle/auth-limits.ts';
import { withAttempt } from '../../domain/identity/throttle/throttle.ts';
import { changePassword as replacePassword } from '../../domain/identity/users/change-password.ts';
import { findContextWords } from '../../domain/identity/users/context-words.ts';
import { findCredentials } from '../../domain/identity/users/user.queries.ts';
import { NewPassword, PresentedPassword } from '../../domain/identity/users/user.schemas.ts';
import { refuseCommonPassword } from '../../lib/auth/common-passwords.ts';
import { inTenant } from '../../lib/db/tenant.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { Message } from '../../lib/http/message.ts';
import { Problem } from '../../contract/problem.ts';

export const changePassword = endpoint({
  name: 'changePassword',
  method: 'POST',
  route: 'api/auth/change-password',
  tag: 'Authentication',
  summary: 'Replace my password',
  description:
    'All my other sessions end and a mail reports it; this session lives on. A session may send 10 wrong current ' +
    'passwords in 15 minutes, and 100 in a day; they do not count against `login`.',
  auth: 'any',
  audit: { category: 'auth', success: 'authn_password_change', refusal: 'authn_password_change_fail' },
  reads: ['lang'],
  body: z
    .strictObject({ current_password: PresentedPassword, new_password: NewPassword })
    .meta({ id: 'PasswordChange', description: 'The current password and the next one.' }),
  reply: {
    status: 200,
    description: 'The password is replaced.',
    body: Message,
  },
  problems: ['current_password_invalid', 'password_unchanged', 'rate_limited', 'busy'],
  async handler({ body, actor, context }) {
    const { config, db, passwords, clock, outbox, throttleKey, request, audit } = context;
    const { id: userId, tenantId, sessionUuid } = actor;
    const account = await inTenant(db, tenantId, (tx) => findCredentials(tx, userId));
    const rules = passwordChangeRules(config, throttleKey, sessionUuid);
    const failures = ['current_password_invalid'] as const;
    const { ipPrefix, receivedAt: now } = request;
    await passwords.inTurn(ipPrefix, () =>
      withAttempt(db, { rules, now, failures }, async () => {
        const { matches } = await passwords.verify(body.current_password, account.password_hash, ipPrefix);
        if (!matches) throw new Problem('current_password_invalid');
      }),
    );
    if (body.new_password.normalize('NFKC') === body.current_password.normalize('NFKC')) {
      throw new Problem('password_unchanged');
    }
    const words = await findContextWords(db, tenantId, account.email);
    await refuseCommonPassword(body.new_password, '/new_password', words);
    const newHash = await passwords.inTurn(ipPrefix, () => passwords.hash(body.new_password, ipPrefix));
    await inTenant(db, tenantId, async (tx) => {
      const verifiedHash = account.password_hash;
      const change = { userId, sessionUuid, verifiedHash, newHash };
      await replacePassword(tx, change, clock.now(), audit);
      if (config.MAIL_URL !== undefined) {
        const mail = { tenantId, userId, changedAt: clock.now(), language: request.language };
        await enqueuePasswordChangedMail(tx, mail);
      }
    });
    outbox.kick();
    return { message: 'The password has been changed.' };
  },
});
