import { expect, test } from 'vitest';
import { faultsOf, inShort, type PlanNode, readLog, searchFaultsOf } from './plan.ts';

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
    entry('dermagate', 'select 3').slice(0, -10),
  ].join('\n');
  expect(readLog(log, 'dermagate').map(({ text }) => text)).toEqual(['select * from "users"', 'select 2']);
});

test('a plan in short names indexes and how many rows came from them', () => {
  const plan = node({ Plans: [node({ 'Index Name': 'tenants_pkey', 'Actual Rows': 3, 'Actual Loops': 2 })] });
  expect(inShort(plan)).toBe('Index Scan users_pkey (1), Index Scan tenants_pkey (6)');
});

test('a search sorts what its lanes show, and no more', () => {
  const lane = (rows: number) =>
    node({ 'Node Type': 'Limit', 'Actual Rows': rows, 'Actual Loops': 3, Plans: [node({})] });
  const sort = (child: PlanNode) => node({ 'Node Type': 'Sort', Plans: [child] });
  expect(searchFaultsOf(sort(lane(26)), million, 25)).toEqual([]);
  expect(searchFaultsOf(sort(lane(27)), million, 25)).toEqual([
    '81 rows sorted, 78 at most: Sort users_pkey (1), Limit users_pkey (81), Index Scan users_pkey (1)',
  ]);
  // Within a lane the rows of its range are in the order already.
  const within = (rows: number) => sort(node({ 'Actual Rows': rows }));
  expect(searchFaultsOf(within(26), million, 25)).toEqual([]);
  expect(searchFaultsOf(within(5000), million, 25)).toHaveLength(1);
  const ofAMonth = (rows: number) => sort(node({ 'Node Type': 'Subquery Scan', 'Actual Rows': rows }));
  expect(searchFaultsOf(ofAMonth(50_000), million, 25)).toEqual([]);
  expect(searchFaultsOf(ofAMonth(50_001), million, 25)).toHaveLength(1);
  expect(searchFaultsOf(node({ 'Node Type': 'Seq Scan' }), million, 25)).toHaveLength(1);
  expect(searchFaultsOf(node({ 'Rows Removed by Filter': 100_000 }), million, 25)).toEqual([]);
});
