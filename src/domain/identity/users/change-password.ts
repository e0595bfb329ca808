import type { AuditContext } from '../../../lib/audit.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { Problem } from '../../../contract/problem.ts';
import { endSessions } from '../sessions/session.queries.ts';
import { setPassword } from './reset-password.ts';

export interface PasswordChange {
  userId: number;
  /** The session that asks; it lives on, all others end. */
  sessionUuid: string;
  /** The hash that the current password was compared with. */
  verifiedHash: string;
  newHash: string;
}

/** @throws {Problem} `current_password_invalid` when the password was changed by another request meanwhile. */
export async function changePassword(
  tx: Tx,
  change: PasswordChange,
  now: Date,
  audit: AuditContext,
): Promise<void> {
  const { userId, sessionUuid } = change;
  const unchanged = await tx
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('password_hash', '=', change.verifiedHash)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (unchanged === undefined) throw new Problem('current_password_invalid');
  await setPassword(tx, userId, change.newHash, now);
  const sessions = await endSessions(tx, userId, { except: sessionUuid }, 'password_changed', now);
  await audit.succeeded(tx, { detail: { by: 'change', sessions } });
}
