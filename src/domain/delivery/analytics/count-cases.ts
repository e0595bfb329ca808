import type { Tx } from '../../../lib/db/connect.ts';
import { TriageLevel } from '../../intake/triage/triage.schemas.ts';
import type { AnalyticsCounts } from './analytics-counts.schemas.ts';
import { type Figures, findFigures, type Queued } from './analytics.queries.ts';

/** How a tenant is doing: counts and times of all its cases together, and of no person. */
export type Counts = Omit<AnalyticsCounts, 'at'>;

/** Pools have any name: the message must stay small. */
export const maxLanes = 100;

export async function countCases(tx: Tx, tenantId: number, now: Date): Promise<Counts> {
  return toCounts(await findFigures(tx, tenantId, now));
}

type Lane = Counts['queue']['by_lane'][number];
/** The longest first; equally long ones in an order that stays. */
const byLoad = (a: Lane, b: Lane) =>
  b.waiting - a.waiting || (`${a.pool} ${a.language}` < `${b.pool} ${b.language}` ? -1 : 1);

function toCounts(row: Figures): Counts {
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

function aiState({ calls, failed }: Figures): Counts['ai']['state'] {
  if (calls === 0) return 'unknown';
  if (failed === calls) return 'down';
  return failed > calls / 10 ? 'degraded' : 'ok';
}
