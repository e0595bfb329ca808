// How long cases waited until a physician took them first, as text.
import { percentile } from '../../dev/tools/bench/statistics.ts';
import { tenantRows } from './accounts.ts';
import type { TestApp } from './test-app.ts';

/** Upper ends in seconds, each twice the one before. */
const bins = [1, 2, 4, 8, 16, 32, 64, 128, 256, Infinity];
const ranks = ['emergency', 'urgent', 'all others'];
const width = 50;

export interface Wait {
  /** `triage_rank` */
  rank: number;
  seconds: number;
}

export async function readWaits(app: Pick<TestApp, 'db'>): Promise<Wait[]> {
  return await tenantRows<Wait & Record<string, unknown>>(
    app,
    `SELECT r.triage_rank AS rank, extract(epoch FROM min(e.at) - r.queued_at)::float8 AS seconds
     FROM request_records r JOIN event_logs e ON e.case_uuid = r.uuid AND e.action = 'case_taken'
     GROUP BY r.uuid, r.triage_rank, r.queued_at`,
  );
}

/** A histogram for each rank; of each the longest bar has the same length. */
export function histogramOf(waits: readonly Wait[]): string {
  return ranks
    .flatMap((name, rank) => {
      const own = waits.filter((each) => each.rank === rank).map(({ seconds }) => seconds);
      if (own.length === 0) return [];
      const sorted = own.toSorted((a, b) => a - b);
      const [p50, p95, max] = [50, 95, 100].map((percent) => `${percentile(sorted, percent).toFixed(1)} s`);
      const counts = bins.map(
        (end, index) =>
          own.filter((each) => each < end && (index === 0 || each >= (bins[index - 1] ?? 0))).length,
      );
      const bar = (count: number) => '#'.repeat(Math.ceil((count / Math.max(...counts)) * width));
      const lines = bins.map((end, index) => {
        const label = end === Infinity ? `>= ${bins[index - 1]} s` : `< ${end} s`;
        return `${label.padStart(10)} ${String(counts[index]).padStart(5)} ${bar(counts[index] ?? 0)}`.trimEnd();
      });
      return [`${name}: ${own.length} cases, p50 ${p50}, p95 ${p95}, max ${max}`, ...lines];
    })
    .join('\n');
}
