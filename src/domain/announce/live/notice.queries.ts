import { sql } from 'kysely';
import type { Notice } from '../../../contract/notice.ts';
import type { Db, Tx } from '../../../lib/db/connect.ts';
import type { Asked } from '../../../lib/live/streams.ts';
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

/** Notices of users in any tenants, of each after the given id, the oldest first, a hundred at most; one query. */
export async function findNotices(db: Db, asked: readonly Asked[], now: Date): Promise<Notice[]> {
  const column = (name: keyof Asked) => asked.map((each) => each[name]);
  const { rows } = await sql<Notice>`
    SELECT id, user_id AS "userId", kind, payload, agent, created_at AS at
    FROM find_user_notices(${column('tenantId')}, ${column('userId')}, ${column('after')}, ${now})`.execute(
    db,
  );
  return rows;
}

/** The id of the user's newest notice, 0 without one, and whether the user's own settings allow one session only. */
export async function findStartOfStream(
  tx: Tx,
  { tenantId, userId }: { tenantId: number; userId: number },
): Promise<{ newest: number; isUnique: boolean }> {
  const { rows } = await sql<{ newest: number; isUnique: boolean }>`
    SELECT coalesce((SELECT max(id) FROM user_notices WHERE tenant_id = ${tenantId} AND user_id = ${userId}), 0) AS newest,
      EXISTS (SELECT FROM physicians
        WHERE user_id = ${userId} AND settings -> 'unique_session' = 'true') AS "isUnique"`.execute(tx);
  return rows[0] ?? { newest: 0, isUnique: false };
}
