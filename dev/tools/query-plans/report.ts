import { type Executed, faultsOf, inShort, nodesOf } from './plan.ts';

export type Run = {
  /** Of the function. */
  name: string;
  executed: readonly Executed[];
};

const WIDTH = 110;

/** Prints each different statement once a function, with its plan in short. Returns the number of faults. */
export function report(runs: readonly Run[], rowsOf: (table: string) => number): number {
  let count = 0;
  for (const { name, executed } of runs) {
    console.log(name);
    const seen = new Set<string>();
    for (const { text, plan } of executed) {
      const reads = [...nodesOf(plan)].some((node) => node['Relation Name'] !== undefined);
      const faults = faultsOf(plan, rowsOf);
      const key = [text, ...faults.map((fault) => fault.replaceAll(/\d+/g, 'n'))].join('\n');
      if (!reads || seen.has(key)) continue;
      seen.add(key);
      console.log(`  ${shortened(text)}`);
      console.log(`    cost ${plan['Total Cost'].toFixed(1)}: ${inShort(plan)}`);
      for (const fault of faults) console.log(`    FAULT: ${fault}`);
      count += faults.length;
    }
  }
  return count;
}

const shortened = (text: string) => (text.length <= WIDTH ? text : `${text.slice(0, WIDTH - 1)}…`);
