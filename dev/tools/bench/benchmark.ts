import type { Comparison } from './compare.ts';
import type { Rig } from './rig.ts';

/** What a benchmark module exports. It prints its table; the returned text is its part of the closing line. */
export type Benchmark = {
  name: string;
  run(rig: Rig): Promise<string>;
};

/** Defaults for load over HTTP. Eight concurrent requests keep two cores busy. */
export const usual: Comparison = { concurrency: 8, rounds: 6, roundMs: 1500 };
