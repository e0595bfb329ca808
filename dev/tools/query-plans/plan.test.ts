import { expect, test } from 'vitest';
import { faultsOf, inShort, type PlanNode, readLog } from './plan.ts';

const node = (changes: Partial<PlanNode>): PlanNode => ({
  'Node Type': 'Index Scan',
  'Relation Name': 'users',
  'Index Name': 'users_pkey',
  'Total Cost': 8,
  'Actual Rows': 1,
  'Actual Loops': 1,
  ...changes,
});
const million = () => 1_000_000;

test('a sequential scan of a large table is a fault wherever it stands in the plan, of a small one it is none', () => {
  const scan = node({ 'Node Type': 'Seq Scan' });
  const nested = node({ Plans: [node({ Plans: [scan] })] });
  expect(faultsOf(nested, million)).toEqual(['sequential scan of users (1000000 rows)']);
  expect(faultsOf(nested, () => 100)).toEqual([]);
});

test('an index that has to be read far is a fault: rows in vain count for each loop', () => {
  const far = node({ 'Rows Removed by Filter': 100, 'Actual Loops': 20 });
  expect(faultsOf(far, million)).toEqual(['2000 rows read in vain through users_pkey']);
  expect(faultsOf(node({ 'Rows Removed by Filter': 100 }), million)).toEqual([]);
  // A batch of a clean-up ends at rows that it may not delete yet.
  expect(faultsOf(far, () => 10_000_000)).toEqual([]);
});

test('plans are read from the log, those of other connections and other lines are passed over', () => {
  const entry = (application: string, text: string) =>
    [
      `from ${application}: LOG:  duration: 0.012 ms  plan:`,
      '\t{',
      `\t  "Query Text": ${JSON.stringify(text)},`,
      `\t  "Plan": ${JSON.stringify(node({}))}`,
      '\t}',
    ].join('\n');
  const log = [
    'from : LOG:  checkpoint starting: time',
    entry('dermagate', 'select *\n   from "users"'),
    entry('psql', 'select 1'),
    'from dermagate: ERROR:  canceling statement',
    '\tnothing of ours',
    entry('dermagate', 'select 2'),
  ].join('\n');
  expect(readLog(log, 'dermagate').map(({ text }) => text)).toEqual(['select * from "users"', 'select 2']);
});

test('a plan in short names indexes and how many rows came from them', () => {
  const plan = node({ Plans: [node({ 'Index Name': 'tenants_pkey', 'Actual Rows': 3, 'Actual Loops': 2 })] });
  expect(inShort(plan)).toBe('Index Scan users_pkey (1), Index Scan tenants_pkey (6)');
});
