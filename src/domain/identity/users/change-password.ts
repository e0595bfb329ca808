import type { AccountActor } from '../../../contract/actor.ts';
import { Problem } from '../../../contract/problem.ts';
import { refuseCommonPassword } from '../../../lib/auth/common-passwords.ts';
import type { Context } from '../../../lib/app/context.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { enqueuePasswordChangedMail } from '../../announce/mails/enqueue-mails.ts';
import { endSessions } from '../sessions/session.queries.ts';
import { passwordChangeRules } from '../../platform/throttle/auth-limits.ts';
import { withAttempt } from '../../platform/throttle/throttle.ts';
import { findContextWords } from './context-words.ts';
import { findCredentials, lockVerified, setPassword } from './user.queries.ts';

/**
 * Replaces the caller's password; all other sessions of the account end.
 * @throws {Problem} `current_password_invalid`, `password_unchanged`, `validation_error`, `rate_limited`, `busy`
 */
export async function changePassword(
  context: Context,
  actor: AccountActor,
  { current_password: current, new_password: next }: { current_password: string; new_password: string },
): Promise<void> {
  const { db, config, passwords, clock, outbox, throttleKey, request, audit } = context;
  const { id: userId, tenantId, sessionUuid } = actor;
  const { ipPrefix, receivedAt: now, language } = request;
  const account = await inTenant(db, tenantId, (tx) => findCredentials(tx, userId));
  const rules = passwordChangeRules(config, throttleKey, sessionUuid);
  const failures = ['current_password_invalid'] as const;
  await passwords.inTurn(ipPrefix, () =>
    withAttempt(db, { rules, now, failures }, async () => {
      const { matches } = await passwords.verify(current, account.password_hash, ipPrefix);
      if (!matches) throw new Problem('current_password_invalid');
    }),
  );
  if (next.normalize('NFKC') === current.normalize('NFKC')) throw new Problem('password_unchanged');
  await refuseCommonPassword(next, '/new_password', await findContextWords(db, tenantId, account.email));
  const newHash = await passwords.inTurn(ipPrefix, () => passwords.hash(next, ipPrefix));
  await inTenant(db, tenantId, async (tx) => {
    const changedAt = clock.now();
    // Another request may have replaced the password since it was verified.
    if (!(await lockVerified(tx, userId, account.password_hash)))
      throw new Problem('current_password_invalid');
    await setPassword(tx, userId, newHash, changedAt);
    const sessions = await endSessions(tx, userId, { except: sessionUuid }, 'password_changed', changedAt);
    await audit.succeeded(tx, { detail: { by: 'change', sessions } });
    if (config.MAIL_URL !== undefined) {
      await enqueuePasswordChangedMail(tx, { tenantId, userId, changedAt, language });
    }
  });
  outbox.kick();
}
