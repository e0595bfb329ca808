/** Results of one or more rounds of load against one target. */
export type Measured = {
  perSecond: number;
  /** Latencies in milliseconds. */
  p50: number;
  p95: number;
  p99: number;
  /** Processor time of the measured processes for one reply, in milliseconds; NaN where none was measured. */
  cpuMs: number;
};

/** One round: its duration, the latency of each reply, and the processor time of the measured processes, in ms. */
export type Round = { elapsedMs: number; latenciesMs: readonly number[]; cpuMs?: number };

/** All rounds combined: each reply has the same weight, so slow rounds are not averaged away. */
export function summarise(rounds: readonly Round[]): Measured {
  const latencies = rounds.flatMap(({ latenciesMs }) => latenciesMs).toSorted((a, b) => a - b);
  const elapsedMs = rounds.reduce((sum, round) => sum + round.elapsedMs, 0);
  return {
    perSecond: (1000 * latencies.length) / elapsedMs,
    p50: percentile(latencies, 50),
    p95: percentile(latencies, 95),
    p99: percentile(latencies, 99),
    cpuMs: rounds.reduce((sum, round) => sum + (round.cpuMs ?? Number.NaN), 0) / latencies.length,
  };
}

/** Nearest rank: the smallest value that at least `percent` of all values do not exceed. NaN without values. */
export function percentile(sorted: readonly number[], percent: number): number {
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? Number.NaN;
}

/** Requests per second of each round of `target` as a share of the matching round of `yardstick`. */
export function ratiosByRound(target: readonly Round[], yardstick: readonly Round[]): number[] {
  return target.map((round, index) => perSecond(round) / perSecond(yardstick[index] ?? round));
}

const perSecond = ({ elapsedMs, latenciesMs }: Round): number => (1000 * latenciesMs.length) / elapsedMs;

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2;
}
