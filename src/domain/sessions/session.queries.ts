import type { Tx } from '../../lib/db/connect.ts';

/** Why a session ended, as `sessions.revoked_reason` has it. */
export type EndReason =
  | 'logout'
  | 'logout_all'
  | 'reuse_detected'
  | 'password_changed'
  | 'password_reset'
  | 'account_inactive'
  | 'revoked_by_user';

/**
 * Ends sessions of one user with their refresh tokens.
 * @param which all of them, one, or all but one.
 * @returns how many were open until now.
 */
export async function endSessions(
  tx: Tx,
  userId: number,
  which: 'all' | { only: string } | { except: string },
  reason: EndReason,
  now: Date,
): Promise<number> {
  let ending = tx
    .updateTable('sessions')
    .set({ revoked_at: now, revoked_reason: reason })
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null);
  if (which !== 'all') {
    ending =
      'only' in which ? ending.where('uuid', '=', which.only) : ending.where('uuid', '!=', which.except);
  }
  const ended = await ending.returning('uuid').execute();
  if (ended.length === 0) return 0;
  await tx
    .updateTable('refresh_tokens')
    .set({ revoked: true, revoked_reason: 'session_ended' })
    .where(
      'session_uuid',
      'in',
      ended.map(({ uuid }) => uuid),
    )
    .where('revoked', '=', false)
    .execute();
  return ended.length;
}

/** At most this many are listed: more is a program that logs in for every call. */
const listed = 200;

/**
 * Open sessions, the one used last first.
 * @param current always among them, however many others were used since.
 */
export async function listOpenSessions(tx: Tx, userId: number, current: string, now: Date) {
  const rows = await tx
    .selectFrom('sessions')
    .select(['uuid', 'created_at', 'last_used_at', 'user_agent', 'ip_prefix'])
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .where('idle_expires_at', '>', now)
    .where('absolute_expires_at', '>', now)
    .orderBy((query) => query('uuid', '=', current), 'desc')
    .orderBy('last_used_at', 'desc')
    .orderBy('uuid')
    .limit(listed)
    .execute();
  return rows.toSorted((a, b) => b.last_used_at.getTime() - a.last_used_at.getTime());
}
