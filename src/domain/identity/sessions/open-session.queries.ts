import { type ExpressionBuilder, sql } from 'kysely';
import type { Tx } from '../../../lib/db/connect.ts';
import type { DB } from '../../../lib/db/tables.ts';

/** Whether a session is neither ended nor expired at `now`. */
export const isOpenAt = (now: Date) => (eb: ExpressionBuilder<DB, 'sessions'>) =>
  eb.and([
    eb('sessions.revoked_at', 'is', null),
    eb('sessions.idle_expires_at', '>', now),
    eb('sessions.absolute_expires_at', '>', now),
  ]);

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
    .where(isOpenAt(now))
    .orderBy((query) => query('uuid', '=', current), 'desc')
    .orderBy('last_used_at', 'desc')
    .orderBy('uuid')
    .limit(listed)
    .execute();
  return rows.toSorted((a, b) => b.last_used_at.getTime() - a.last_used_at.getTime());
}

/** Whether a session of this id, open or not, belongs to the user. */
export async function isSessionOf(tx: Tx, uuid: string, userId: number): Promise<boolean> {
  const row = await tx
    .selectFrom('sessions')
    .select('uuid')
    .where('uuid', '=', uuid)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Bounds a run: far more than end within two minutes in one clinic. */
const maxEnding = 5000;

/** Sessions that end after `now` and until then, the one that ends first before the others. */
export async function findEndingSessions(tx: Tx, now: Date, until: Date) {
  // As the index sessions_to_clean has it; of a revoked session it lies in the past.
  const ends = sql<Date>`least(idle_expires_at, absolute_expires_at, revoked_at)`;
  return await tx
    .selectFrom('sessions')
    .select(['uuid', 'user_id', ends.as('ends')])
    .where(ends, '>', now)
    .where(ends, '<=', until)
    .orderBy(ends)
    .limit(maxEnding)
    .execute();
}
