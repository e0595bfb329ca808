import type { Load, LoadGenerator } from './load.ts';
import { median, type Measured, ratiosByRound, type Round, summarise } from './statistics.ts';
import { table } from './table.ts';

export type Target = {
  name: string;
  load: Load;
  /** Processes that serve it; none: its processor time is not measured. */
  pids?: readonly number[];
};

export type Comparison = {
  /** Concurrent requests, each on its own connection. */
  concurrency: number;
  rounds: number;
  roundMs: number;
  /** Load on each before the first round, for the JIT compiler; as long as a round by default. */
  warmUpMs?: number;
};

export type Compared = {
  /** By yardstick: the target's requests per second as a share of the yardstick's, median of the rounds. */
  shares: Record<string, number>;
  /** Processor time of a request to the target, in milliseconds; NaN where it was not measured. */
  cpuMs: number;
  /** By yardstick: that time as a multiple of the yardstick's. */
  cpuRatios: Record<string, number>;
};

/**
 * Loads the target and its yardsticks in turn, in alternating order (ABC, CBA, ABC, …), so that changes of the machine affect
 * all of them equally. Prints the table.
 */
export async function compare(
  generator: LoadGenerator,
  target: Target,
  yardsticks: readonly Target[],
  { concurrency, rounds, roundMs, warmUpMs = roundMs }: Comparison,
): Promise<Compared> {
  const all = [target, ...yardsticks];
  for (const { load } of all) await generator.run({ load, concurrency, durationMs: warmUpMs });
  const measured = new Map<Target, Round[]>(all.map((one) => [one, []]));
  for (let round = 0; round < rounds; round++) {
    for (const one of round % 2 === 0 ? all : all.toReversed()) {
      const { load, pids = [] } = one;
      measured.get(one)?.push(await generator.run({ load, concurrency, durationMs: roundMs, pids }));
    }
  }
  const roundsOf = (one: Target) => measured.get(one) ?? [];
  const own = summarise(roundsOf(target));
  const rows = [figures(target.name, own)];
  const shares: Compared['shares'] = {};
  const cpuRatios: Compared['cpuRatios'] = {};
  for (const yardstick of yardsticks) {
    const theirs = summarise(roundsOf(yardstick));
    const ratios = ratiosByRound(roundsOf(target), roundsOf(yardstick));
    shares[yardstick.name] = median(ratios);
    cpuRatios[yardstick.name] = own.cpuMs / theirs.cpuMs;
    rows.push(figures(yardstick.name, theirs), [
      '  ratio',
      `× ${significant(median(ratios))}`,
      ...(['p50', 'p95', 'p99', 'cpuMs'] as const).map((which) => ratio(own[which], theirs[which])),
      `rounds: × ${significant(Math.min(...ratios))} to ${significant(Math.max(...ratios))}`,
    ]);
  }
  console.log(`\n${target.name}, ${concurrency} concurrent, ${rounds} rounds of ${roundMs / 1000} s each`);
  console.log(table(['', 'per second', 'p50 ms', 'p95 ms', 'p99 ms', 'CPU ms', ''], rows));
  return { shares, cpuMs: own.cpuMs, cpuRatios };
}

function figures(name: string, { perSecond, p50, p95, p99, cpuMs }: Measured): string[] {
  return [name, ...[perSecond, p50, p95, p99, cpuMs].map(significant), ''];
}

const ratio = (own: number, theirs: number) =>
  Number.isFinite(own / theirs) ? `× ${significant(own / theirs)}` : '';

/** Three significant digits, without an exponent: 0.0123, 4.56, 789, 12345. */
export function significant(value: number): string {
  if (!Number.isFinite(value)) return '–';
  const digits = value === 0 ? 0 : 2 - Math.floor(Math.log10(Math.abs(value)));
  return value.toFixed(Math.min(6, Math.max(0, digits)));
}
