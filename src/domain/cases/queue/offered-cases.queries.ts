import { type RawBuilder, sql } from 'kysely';
import type { Language } from '../../../contract/language.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { laneLanguagesOf, poolsOf } from '../record/staff-lanes.ts';
import type { CaseRecord } from '../record/case.queries.ts';
import { generalPool, reservedPool } from '../record/lane.ts';
import type { StaffAtWork } from './staff-at-work.ts';

/** Candidates of each lane; more only while others have locked all of those. */
const candidateSteps = [16, 64, 256] as const;
/** Of each lane, for the counts in a reply. */
const countedPerLane = 500;
/** Of one patient's cases that were sent together. */
const largestBatch = 10;

/**
 * What a physician is offered: the cases of the own lanes that are neither the physician's own nor put back of late. One that is
 * reserved for the physician since counts as not put back: it is offered to no one else.
 */
export interface Offer {
  staff: StaffAtWork;
  now: Date;
  /** Of the cases; all where absent. */
  languages: readonly Language[] | undefined;
}

/** Reserved before private before general. */
function lanesOf({ staff }: Offer): RawBuilder<unknown> {
  const pools = poolsOf(staff);
  const reserved = reservedPool(staff.physician.id);
  const orders = pools.map((pool) => (pool === reserved ? 0 : pool === generalPool ? 2 : 1));
  const languages = [...new Set(laneLanguagesOf(staff))];
  return sql`(SELECT p.pool, p.pool_order, g.language
    FROM unnest(${pools}::text[], ${orders}::integer[]) AS p(pool, pool_order),
      unnest(${languages}::text[]) AS g(language))`;
}

/**
 * A condition on `request_records AS r`; the literal status lets even a prepared plan use the index of the queue. What was put
 * back is read once, not for each case (`NOT IN`).
 */
function isOffered({ staff, now, languages }: Offer): RawBuilder<boolean> {
  const { actor, physician } = staff;
  const narrowed = languages === undefined ? sql`` : sql`AND r.language = ANY (${[...languages]}::text[])`;
  return sql<boolean>`r.tenant_id = ${actor.tenantId} AND r.status = 'queued'
    AND r.account_user_id IS DISTINCT FROM ${actor.id} ${narrowed}
    AND (r.lane_pool = ${reservedPool(physician.id)} OR r.uuid NOT IN (SELECT s.case_uuid FROM case_skips s
      WHERE s.physician_id = ${physician.id} AND s.until > ${now}))`;
}

/**
 * The first case of a physician's lanes, locked: the most urgent rank, then reserved before private before general, then the
 * earliest due time. Candidates are read without locks and one row is locked, so that no competitor passes over a case
 * that is not taken in the end. Whether that is still in its lane no index answers (`IS NOT DISTINCT FROM`): PostgreSQL
 * would else read the whole lane for each candidate while its statistics are of a time when the lane was short.
 */
export async function pickNext(tx: Tx, offer: Offer): Promise<CaseRecord | undefined> {
  for (const limit of candidateSteps) {
    const { rows } = await sql<{ candidates: number } & (CaseRecord | { uuid: null })>`
      WITH candidates AS MATERIALIZED (
        SELECT c.*, l.pool, l.language, l.pool_order
        FROM ${lanesOf(offer)} AS l CROSS JOIN LATERAL (
          SELECT r.uuid, r.triage_rank, r.due_at, r.id FROM request_records r
          WHERE ${isOffered(offer)} AND r.lane_pool = l.pool AND r.lane_language = l.language
          ORDER BY r.triage_rank, r.due_at, r.id LIMIT ${sql.lit(limit)}) AS c),
      picked AS (
        SELECT r.* FROM candidates c JOIN request_records r ON r.uuid = c.uuid
        WHERE r.status = 'queued' AND r.lane_pool IS NOT DISTINCT FROM c.pool
          AND r.lane_language IS NOT DISTINCT FROM c.language
        ORDER BY c.triage_rank, c.pool_order, c.due_at, c.id LIMIT 1 FOR UPDATE OF r SKIP LOCKED)
      SELECT n.candidates, p.* FROM (SELECT count(*)::integer AS candidates FROM candidates) AS n
      LEFT JOIN picked p ON true`.execute(tx);
    const [row] = rows;
    if (row === undefined || row.candidates === 0) return undefined;
    const { candidates: _count, ...record } = row;
    if (isPicked(record)) return record;
  }
  return undefined;
}

const isPicked = (row: CaseRecord | { uuid: null }): row is CaseRecord => row.uuid !== null;

/** The other queued cases of a patient's batch that the physician is offered, locked. */
export async function pickBatch(tx: Tx, offer: Offer, first: CaseRecord): Promise<CaseRecord[]> {
  if (first.batch_uuid === null) return [];
  const { rows } = await sql<CaseRecord>`
    SELECT r.* FROM request_records r
    JOIN case_batches b ON b.tenant_id = r.tenant_id AND b.uuid = r.batch_uuid AND b.kind = 'patient_session'
    WHERE r.batch_uuid = ${first.batch_uuid} AND r.uuid <> ${first.uuid} AND ${isOffered(offer)}
      AND r.lane_pool = ANY (${poolsOf(offer.staff)}::text[])
      AND r.lane_language = ANY (${laneLanguagesOf(offer.staff)}::text[])
    ORDER BY r.triage_rank, r.due_at, r.id LIMIT ${largestBatch} FOR UPDATE OF r SKIP LOCKED`.execute(tx);
  return rows;
}

export interface Counts {
  waiting: number;
  waiting_urgent: number;
  oldest_due_at: Date | null;
}

/** What waits in the physician's lanes. */
export async function countOffered(tx: Tx, offer: Offer): Promise<Counts> {
  const { rows } = await sql<Counts>`
    SELECT count(*)::integer AS waiting, (count(*) FILTER (WHERE c.triage_rank < 2))::integer AS waiting_urgent,
      min(c.due_at) AS oldest_due_at
    FROM ${lanesOf(offer)} AS l CROSS JOIN LATERAL (
      SELECT r.triage_rank, r.due_at FROM request_records r
      WHERE ${isOffered(offer)} AND r.lane_pool = l.pool AND r.lane_language = l.language
      ORDER BY r.triage_rank, r.due_at, r.id LIMIT ${sql.lit(countedPerLane)}) AS c`.execute(tx);
  return rows[0] as Counts;
}
