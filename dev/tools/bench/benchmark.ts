import type { Comparison } from './compare.ts';
import type { Goal } from './goals.ts';
import type { Rig } from './rig.ts';

export type Result = {
  /** Its part of the closing line. */
  summary: string;
  goals: readonly Goal[];
};

/** What a benchmark module exports. It prints its table; a text alone is a summary without goals. */
export type Benchmark = {
  name: string;
  run(rig: Rig): Promise<Result | string>;
};

/** Defaults for load over HTTP. Eight concurrent requests keep two cores busy. */
export const usual: Comparison = { concurrency: 8, rounds: 6, roundMs: 1500, warmUpMs: 6000 };
