import { sql } from 'kysely';
import type { Tx } from '../../../lib/db/connect.ts';
import type { NoticePayloads } from './notice-kinds.ts';

export interface NewNotice<Kind extends keyof NoticePayloads = keyof NoticePayloads> {
  kind: Kind;
  payload: NoticePayloads[Kind];
  /** A second notice to the user with the same key is dropped. */
  once?: string;
}

/** Who is told: an account, or the account of a physician. */
export type Addressee = { userId: number } | { physicianId: number };

/** Locks a physician's notices as {@link addNotices} does, for a transaction that would tell another one first. */
export async function lockNotices(tx: Tx, { physicianId }: { physicianId: number }): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(1070, user_id) FROM physicians WHERE id = ${physicianId}`.execute(
    tx,
  );
}

/**
 * Notices for the event streams of one user, in the transaction that causes them: `add_notices` of the database, which
 * locks the user. A transaction that adds some for several physicians does so in the order of their ids, or two of them
 * could block each other.
 */
export async function addNotices<Kind extends keyof NoticePayloads>(
  tx: Tx,
  to: Addressee,
  notices: readonly NewNotice<Kind>[],
  now: Date,
): Promise<void> {
  if (notices.length === 0) return;
  const user =
    'userId' in to ? sql`${to.userId}` : sql`(SELECT user_id FROM physicians WHERE id = ${to.physicianId})`;
  await sql`SELECT add_notices(${user}, ${JSON.stringify(notices)}::jsonb, ${now})`.execute(tx);
}
