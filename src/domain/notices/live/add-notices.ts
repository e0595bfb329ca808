import { sql } from 'kysely';
import { staffRoles } from '../../../contract/role.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import type { NoticePayloads } from './notice-kinds.ts';

/** A client that has been away for longer reads its lists anew. */
const keptMs = 24 * 60 * 60 * 1000;

/** First half of the keys of the advisory locks; the second half is the user. */
const lockSpace = 1070;

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
  await sql`SELECT pg_advisory_xact_lock(${lockSpace}, user_id) FROM physicians WHERE id = ${physicianId}`.execute(
    tx,
  );
}

/**
 * Notices for the event streams of one user, in the transaction that causes them; none for a patient, who has no stream.
 *
 * The user is locked until it ends, so that the ids of a user commit in their order: a stream that has delivered an id has
 * delivered every smaller one. A transaction that tells several physicians does so in the order of their ids, or two of
 * them could block each other.
 */
export async function addNotices<Kind extends keyof NoticePayloads>(
  tx: Tx,
  to: Addressee,
  notices: readonly NewNotice<Kind>[],
  now: Date,
): Promise<void> {
  if (notices.length === 0) return;
  const isMeant =
    'userId' in to
      ? sql`id = ${to.userId}`
      : sql`id = (
    SELECT user_id FROM physicians WHERE id = ${to.physicianId})`;
  // The lock is taken before an id is: the values come from `locked`.
  await sql`
    WITH addressee AS MATERIALIZED (
      SELECT tenant_id, id FROM users WHERE ${isMeant} AND role = ANY (${[...staffRoles]}::text[])),
    locked AS MATERIALIZED (SELECT *, pg_advisory_xact_lock(${lockSpace}, id) FROM addressee)
    INSERT INTO user_notices (tenant_id, user_id, kind, payload, once_key, expires_at, created_at)
    SELECT locked.tenant_id, locked.id, kind, payload, once, ${new Date(now.getTime() + keptMs)}, ${now}
    FROM locked, jsonb_to_recordset(${JSON.stringify(notices)}::jsonb) AS n(kind text, payload jsonb, once text)
    ON CONFLICT DO NOTHING`.execute(tx);
}
