import { sql } from 'kysely';
import type { Tx } from '../../../lib/db/connect.ts';
import type { TriageLevel } from '../../intake/triage/triage.schemas.ts';

/** The cases of one level in one lane. */
export interface Queued {
  level: TriageLevel;
  pool: string;
  language: string;
  waiting: number;
  overdue: number;
  oldest: string;
}

/** What the counts of a tenant are made of. */
export interface Figures {
  queued: Queued[];
  in_review: number;
  on_hold: number;
  answered: number;
  median: number | null;
  active: number;
  calls: number;
  failed: number;
  p95: number | null;
}

const minute = 60_000;

/** One statement; cases of tests do not count. */
export async function findFigures(tx: Tx, tenantId: number, now: Date): Promise<Figures> {
  const ago = (minutes: number) => new Date(now.getTime() - minutes * minute);
  // The states are literals: with parameters a prepared statement could not use the partial indexes.
  const { rows } = await sql<Figures>`
    SELECT
      (SELECT coalesce(jsonb_agg(q), '[]') FROM (
         SELECT triage_level AS level, lane_pool AS pool, lane_language AS language, count(*)::int AS waiting,
           count(*) FILTER (WHERE due_at < ${now})::int AS overdue,
           to_char(min(due_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS oldest
         FROM request_records WHERE tenant_id = ${tenantId} AND status = 'queued' AND NOT is_test
         GROUP BY 1, 2, 3) AS q) AS queued,
      (SELECT count(*)::int FROM request_records
       WHERE tenant_id = ${tenantId} AND status = 'in_review' AND NOT is_test) AS in_review,
      (SELECT count(*)::int FROM request_records
       WHERE tenant_id = ${tenantId} AND status = 'on_hold' AND NOT is_test) AS on_hold,
      lately.answered, lately.median,
      (SELECT count(*)::int FROM physicians WHERE tenant_id = ${tenantId} AND last_active_at > ${ago(15)}) AS active,
      ai.*
    FROM
      (SELECT count(*) FILTER (WHERE answered_at > ${ago(60)})::int AS answered,
         percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM answered_at - submitted_at) / 60) AS median
       FROM request_records WHERE tenant_id = ${tenantId} AND answered_at > ${ago(24 * 60)} AND NOT is_test) AS lately,
      (SELECT count(*)::int AS calls, count(*) FILTER (WHERE outcome <> 'ok')::int AS failed,
         percentile_cont(0.95) WITHIN GROUP (ORDER BY latency_ms) AS p95
       FROM ml_diagnosis_results WHERE tenant_id = ${tenantId} AND created_at > ${ago(15)}) AS ai`.execute(
    tx,
  );
  const [row] = rows;
  if (row === undefined) throw new Error('a statement without FROM a table returns one row');
  return row;
}

/** The clients of a tenant are awaited until then. */
export async function keepFeed(tx: Tx, tenantId: number, until: Date): Promise<void> {
  await tx
    .insertInto('analytics_feeds')
    .values({ tenant_id: tenantId, subscribed_until: until })
    .onConflict((conflict) =>
      conflict.column('tenant_id').doUpdateSet((eb) => ({
        subscribed_until: eb.fn('greatest', [
          'analytics_feeds.subscribed_until',
          'excluded.subscribed_until',
        ]),
      })),
    )
    .execute();
}

/**
 * Locks the feed of a tenant that somebody listens to and whose last message was sent at `before` or earlier. One that another
 * instance has locked is skipped.
 */
export async function lockDueFeed(
  tx: Tx,
  tenantId: number,
  { now, before }: { now: Date; before: Date },
): Promise<{ seq: number; fingerprint: Buffer | null } | undefined> {
  return await tx
    .selectFrom('analytics_feeds')
    .select(['seq', 'fingerprint'])
    .where('tenant_id', '=', tenantId)
    .where('subscribed_until', '>', now)
    .where((eb) => eb.or([eb('published_at', 'is', null), eb('published_at', '<=', before)]))
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
}

/** A message is about to be sent; until {@link recordSent} nothing is known of what it carried. */
export async function beginMessage(
  tx: Tx,
  tenantId: number,
  { seq, now }: { seq: number; now: Date },
): Promise<void> {
  await tx
    .updateTable('analytics_feeds')
    .set({ published_at: now, seq, fingerprint: null })
    .where('tenant_id', '=', tenantId)
    .execute();
}

/** The hub has taken the message: until something changes no other is sent, unless another one has been begun meanwhile. */
export async function recordSent(
  tx: Tx,
  tenantId: number,
  { seq, fingerprint }: { seq: number; fingerprint: Buffer },
): Promise<void> {
  await tx
    .updateTable('analytics_feeds')
    .set({ fingerprint })
    .where('tenant_id', '=', tenantId)
    .where('seq', '=', seq)
    .execute();
}

/** The number of the last message, 0 where none was sent. */
export async function findLastSeq(tx: Tx, tenantId: number): Promise<number> {
  const feed = await tx
    .selectFrom('analytics_feeds')
    .select('seq')
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst();
  return feed?.seq ?? 0;
}
