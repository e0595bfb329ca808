import type { AuditContext } from '../../../lib/audit.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { Problem } from '../../../contract/problem.ts';
import { endSessions } from '../sessions/session.queries.ts';
import type { ResetTokenRow } from './find-reset-token.ts';

/**
 * Uses a reset token up and replaces the password; every session of the account ends.
 * @throws {Problem} `reset_token_invalid` when another request has just used the token.
 */
export async function resetPassword(
  tx: Tx,
  token: ResetTokenRow,
  passwordHash: string,
  now: Date,
  audit: AuditContext,
): Promise<void> {
  // The account before its tokens, as everywhere: a new link that is being made meanwhile must not wait for us while
  // we wait for it.
  await tx.selectFrom('users').select('id').where('id', '=', token.user_id).forNoKeyUpdate().execute();
  const used = await tx
    .updateTable('password_reset_tokens')
    .set({ used: true, used_at: now })
    .where('id', '=', token.id)
    .where('used', '=', false)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  if (used.numUpdatedRows !== 1n) throw new Problem('reset_token_invalid');
  await setPassword(tx, token.user_id, passwordHash, now);
  const sessions = await endSessions(tx, token.user_id, 'all', 'password_reset', now);
  const { tenant_id: tenantId, user_id: userId } = token;
  await audit.succeeded(tx, { tenantId, userId, detail: { by: 'reset', sessions } });
}

/** Replaces the hash; links for a reset that are still under way no longer work. */
export async function setPassword(tx: Tx, userId: number, passwordHash: string, now: Date): Promise<void> {
  await tx.updateTable('users').set({ password_hash: passwordHash }).where('id', '=', userId).execute();
  await tx
    .updateTable('password_reset_tokens')
    .set({ used: true, used_at: now })
    .where('user_id', '=', userId)
    .where('used', '=', false)
    .execute();
}
