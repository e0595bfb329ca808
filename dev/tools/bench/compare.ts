import type { Load, LoadGenerator } from './load.ts';
import { median, type Measured, ratiosByRound, type Round, summarise } from './statistics.ts';
import { table } from './table.ts';

export type Target = { name: string; load: Load };

export type Comparison = {
  /** Concurrent requests, each on its own connection. */
  concurrency: number;
  rounds: number;
  roundMs: number;
};

/** By yardstick: the target's requests per second as a share of the yardstick's, median of the rounds. */
export type Shares = Record<string, number>;

/**
 * Loads the target and its yardsticks in turn, in alternating order (ABC, CBA, ABC, …), so that changes of the machine affect
 * all of them equally. Prints the table.
 */
export async function compare(
  generator: LoadGenerator,
  target: Target,
  yardsticks: readonly Target[],
  { concurrency, rounds, roundMs }: Comparison,
): Promise<Shares> {
  const all = [target, ...yardsticks];
  // Warm-up for the JIT compiler; not counted.
  for (const { load } of all) await generator.run({ load, concurrency, durationMs: roundMs });
  const measured = new Map<Target, Round[]>(all.map((one) => [one, []]));
  for (let round = 0; round < rounds; round++) {
    for (const one of round % 2 === 0 ? all : all.toReversed()) {
      measured.get(one)?.push(await generator.run({ load: one.load, concurrency, durationMs: roundMs }));
    }
  }
  const roundsOf = (one: Target) => measured.get(one) ?? [];
  const own = summarise(roundsOf(target));
  const rows = [figures(target.name, own)];
  const shares: Shares = {};
  for (const yardstick of yardsticks) {
    const theirs = summarise(roundsOf(yardstick));
    const ratios = ratiosByRound(roundsOf(target), roundsOf(yardstick));
    shares[yardstick.name] = median(ratios);
    rows.push(figures(yardstick.name, theirs), [
      '  ratio',
      `× ${significant(median(ratios))}`,
      ...(['p50', 'p95', 'p99'] as const).map((which) => `× ${significant(own[which] / theirs[which])}`),
      `rounds: × ${significant(Math.min(...ratios))} to ${significant(Math.max(...ratios))}`,
    ]);
  }
  console.log(`\n${target.name}, ${concurrency} concurrent, ${rounds} rounds of ${roundMs / 1000} s each`);
  console.log(table(['', 'per second', 'p50 ms', 'p95 ms', 'p99 ms', ''], rows));
  return shares;
}

function figures(name: string, { perSecond, p50, p95, p99 }: Measured): string[] {
  return [name, significant(perSecond), significant(p50), significant(p95), significant(p99), ''];
}

/** Three significant digits, without an exponent: 0.0123, 4.56, 789, 12345. */
export function significant(value: number): string {
  if (!Number.isFinite(value)) return '–';
  const digits = value === 0 ? 0 : 2 - Math.floor(Math.log10(Math.abs(value)));
  return value.toFixed(Math.min(6, Math.max(0, digits)));
}
