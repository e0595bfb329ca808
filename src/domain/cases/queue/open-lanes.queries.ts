import { sql } from 'kysely';
import type { Tx } from '../../../lib/db/connect.ts';
import { generalPool } from '../record/lane.ts';
import type { QueueRules } from '../record/queue-rules.ts';

type Minutes = QueueRules['pool_open_minutes'];

/** Each rank with the time before which its cases must have been queued. */
const cutoffs = (minutes: Minutes, now: Date) => {
  const [first, second, third] = minutes.map((each) => new Date(now.getTime() - each * 60 * 1000));
  return sql`(VALUES (0, ${first}::timestamptz), (1, ${second}), (2, ${third})) AS cut(rank, queued_by)`;
};

/** Reservations that have ended, and those for physicians who are away, or whose account is inactive or a patient's by now. */
export async function findEndedReservations(
  tx: Tx,
  { tenantId, now, limit }: { tenantId: number; now: Date; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ uuid: string }>`
    (SELECT r.uuid FROM request_records r
     WHERE r.tenant_id = ${tenantId} AND r.status = 'queued' AND r.lane_until <= ${now} ORDER BY r.lane_until LIMIT ${limit})
    UNION ALL
    (SELECT r.uuid FROM request_records r
     JOIN physicians p ON p.tenant_id = r.tenant_id AND p.id = substring(r.lane_pool, '^physician:(\\d+)$')::integer
     JOIN users u ON u.id = p.user_id
     WHERE r.tenant_id = ${tenantId} AND r.status = 'queued' AND r.lane_until > ${now}
       AND (p.vacation_mode OR NOT u.is_active OR u.role = 'patient') LIMIT ${limit})`.execute(tx);
  return rows.map(({ uuid }) => uuid);
}

/** Private pools in which cases wait, read from the index of the queue one by one. */
async function findPools(tx: Tx, tenantId: number): Promise<string[]> {
  const { rows } = await sql<{ pool: string }>`
    WITH RECURSIVE pools AS (
      (SELECT lane_pool AS pool FROM request_records
       WHERE tenant_id = ${tenantId} AND status = 'queued' ORDER BY lane_pool LIMIT 1)
      UNION ALL
      SELECT (SELECT r.lane_pool FROM request_records r
        WHERE r.tenant_id = ${tenantId} AND r.status = 'queued' AND r.lane_pool > p.pool ORDER BY r.lane_pool LIMIT 1)
      FROM pools p WHERE p.pool IS NOT NULL)
    SELECT pool FROM pools WHERE pool IS NOT NULL`.execute(tx);
  return rows
    .map(({ pool }) => pool)
    .filter((pool) => pool !== generalPool && !pool.startsWith('physician:'));
}

/** Those of the private pools that a physician serves who is at work, by profile or by a group. */
export async function servedPools(tx: Tx, tenantId: number, pools: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ pool: string }>`
    SELECT w.pool FROM unnest(${[...pools]}::text[]) AS w(pool)
    WHERE EXISTS (
      SELECT FROM physicians p JOIN users u ON u.id = p.user_id
      WHERE p.tenant_id = ${tenantId} AND p.private_pool = w.pool AND NOT p.vacation_mode AND u.is_active AND u.role <> 'patient')
    OR EXISTS (
      SELECT FROM user_groups g
      JOIN user_group_members m ON m.tenant_id = g.tenant_id AND m.group_id = g.id
      JOIN physicians p ON p.user_id = m.user_id JOIN users u ON u.id = m.user_id
      WHERE g.tenant_id = ${tenantId} AND jsonb_exists(g.settings -> 'pools', w.pool)
        AND NOT p.vacation_mode AND u.is_active)`.execute(tx);
  return new Set(rows.map(({ pool }) => pool));
}

/** Cases in private pools: those queued for too long, and those that no physician at work serves. */
export async function findPoolsToOpen(
  tx: Tx,
  { tenantId, now, limit, minutes }: { tenantId: number; now: Date; limit: number; minutes: Minutes },
): Promise<string[]> {
  const { rows: late } = await sql<{ uuid: string }>`
    SELECT c.uuid FROM ${cutoffs(minutes, now)} CROSS JOIN LATERAL (
      SELECT r.uuid FROM request_records r
      WHERE r.tenant_id = ${tenantId} AND r.status = 'queued' AND r.lane_until IS NULL AND r.lane_pool <> 'general'
        AND r.triage_rank = cut.rank AND r.queued_at <= cut.queued_by
      ORDER BY r.queued_at LIMIT ${limit}) AS c LIMIT ${limit}`.execute(tx);
  const pools = await findPools(tx, tenantId);
  const served = await servedPools(tx, tenantId, pools);
  const deserted = pools.filter((pool) => !served.has(pool));
  const { rows: unserved } = await sql<{ uuid: string }>`
    SELECT r.uuid FROM unnest(${deserted}::text[]) AS d(pool) CROSS JOIN LATERAL (
      SELECT r.uuid FROM request_records r
      WHERE r.tenant_id = ${tenantId} AND r.status = 'queued' AND r.lane_pool = d.pool LIMIT ${limit}) AS r
    LIMIT ${limit}`.execute(tx);
  return [...late, ...unserved].map(({ uuid }) => uuid);
}

/** Cases that have waited for too long for a physician who reviews their language. */
export async function findLanguagesToOpen(
  tx: Tx,
  { tenantId, now, limit, minutes }: { tenantId: number; now: Date; limit: number; minutes: Minutes },
): Promise<string[]> {
  const { rows } = await sql<{ uuid: string }>`
    SELECT c.uuid FROM ${cutoffs(minutes, now)} CROSS JOIN LATERAL (
      SELECT r.uuid FROM request_records r
      WHERE r.tenant_id = ${tenantId} AND r.status = 'queued' AND r.lane_language <> 'any'
        AND r.triage_rank = cut.rank AND r.queued_at <= cut.queued_by
      ORDER BY r.queued_at LIMIT ${limit}) AS c LIMIT ${limit}`.execute(tx);
  return rows.map(({ uuid }) => uuid);
}
