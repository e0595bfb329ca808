import { sql } from 'kysely';
import type { Tx } from '../../../lib/db/connect.ts';
import { TriageLevel } from '../../intake/triage/triage.schemas.ts';
import type { AnalyticsCounts } from './analytics-counts.schemas.ts';

/** How a tenant is doing: counts and times of all its cases together, and of no person. */
export type Counts = Omit<AnalyticsCounts, 'at'>;

/** The cases of one level in one lane. */
interface Queued {
  level: TriageLevel;
  pool: string;
  language: string;
  waiting: number;
  overdue: number;
  oldest: string;
}

interface Row {
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
/** Pools have any name: the message must stay small. */
export const maxLanes = 100;

/** One statement; cases of tests do not count. */
export async function countCases(tx: Tx, tenantId: number, now: Date): Promise<Counts> {
  const ago = (minutes: number) => new Date(now.getTime() - minutes * minute);
  // The states are literals: with parameters a prepared statement could not use the partial indexes.
  const { rows } = await sql<Row>`
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
  return toCounts(row);
}

type Lane = Counts['queue']['by_lane'][number];
/** The longest first; equally long ones in an order that stays. */
const byLoad = (a: Lane, b: Lane) =>
  b.waiting - a.waiting || (`${a.pool} ${a.language}` < `${b.pool} ${b.language}` ? -1 : 1);

function toCounts(row: Row): Counts {
  const { queued, in_review, on_hold, median, p95 } = row;
  const sum = (of: 'waiting' | 'overdue', cases: readonly Queued[]) =>
    cases.reduce((before, each) => before + each[of], 0);
  const byTriage = TriageLevel.options.map((level) => {
    return [
      level,
      sum(
        'waiting',
        queued.filter((each) => each.level === level),
      ),
    ] as const;
  });
  const lanes = Map.groupBy(queued, ({ pool, language }) => `${pool} ${language}`);
  const byLane = [...lanes.values()].flatMap((cases) => {
    const [first] = cases;
    if (first === undefined) return [];
    const { pool, language } = first;
    return [{ pool, language, waiting: sum('waiting', cases), overdue: sum('overdue', cases) }];
  });
  return {
    queue: {
      by_triage: Object.fromEntries(byTriage) as Record<TriageLevel, number>,
      by_lane: byLane.toSorted(byLoad).slice(0, maxLanes),
      overdue: sum('overdue', queued),
      oldest_due_at: queued.map(({ oldest }) => oldest).toSorted((a, b) => (a < b ? -1 : 1))[0] ?? null,
    },
    in_review,
    on_hold,
    answered_last_hour: row.answered,
    median_minutes_to_answer_24h: median === null ? null : Math.round(median),
    physicians_active: row.active,
    ai: { state: aiState(row), p95_ms: p95 === null ? null : Math.round(p95) },
  };
}

function aiState({ calls, failed }: Row): Counts['ai']['state'] {
  if (calls === 0) return 'unknown';
  if (failed === calls) return 'down';
  return failed > calls / 10 ? 'degraded' : 'ok';
}
