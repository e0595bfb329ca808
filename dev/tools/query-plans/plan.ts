// What auto_explain writes into the server's log, and what is wrong with it.
import { maxSorted } from '../../../src/domain/desk/search/narrow-range.queries.ts';

/** A node of EXPLAIN (FORMAT JSON, ANALYZE), as far as it is read. */
export type PlanNode = {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Total Cost': number;
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
};

export type Executed = { text: string; plan: PlanNode };

/** Before each line of the log; auto_explain's own lines follow it with a tab. */
export const LOG_LINE_PREFIX = 'from %a: ';

/** The statements that connections named `application` executed, with their plans, in order. */
export function readLog(log: string, application: string): Executed[] {
  const own = `from ${application}: LOG:  duration: `;
  const executed: Executed[] = [];
  const lines = log.split('\n');
  for (let at = 0; at < lines.length; at++) {
    if (lines[at]?.startsWith(own) !== true || lines[at]?.endsWith('plan:') !== true) continue;
    const json: string[] = [];
    while (lines[at + 1]?.startsWith('\t') === true) json.push(lines[++at] ?? '');
    // Of another connection, which is still writing.
    if (json.at(-1) !== '\t}') continue;
    const { 'Query Text': text, Plan: plan } = JSON.parse(json.join('\n')) as {
      'Query Text': string;
      Plan: PlanNode;
    };
    executed.push({ text: text.replaceAll(/\s+/g, ' ').trim(), plan });
  }
  return executed;
}

export function* nodesOf(plan: PlanNode): Generator<PlanNode> {
  yield plan;
  for (const child of plan.Plans ?? []) yield* nodesOf(child);
}

/** From so many rows on a table is not read as a whole. So many rows, or a thousandth of the table, are not read in vain. */
export const LARGE = 1000;

/** What does not scale about a plan; empty when it does. `rowsOf` is the size of a table. */
export function faultsOf(plan: PlanNode, rowsOf: (table: string) => number): string[] {
  return [...nodesOf(plan)].flatMap((node) => {
    const table = node['Relation Name'] ?? '';
    const where = node['Index Name'] ?? table;
    const inVain = (node['Rows Removed by Filter'] ?? 0) * (node['Actual Loops'] ?? 1);
    const rows = rowsOf(table);
    return [
      ...(node['Node Type'] === 'Seq Scan' && rows >= LARGE
        ? [`sequential scan of ${table} (${rows} rows)`]
        : []),
      ...(node['Node Type'] !== 'Seq Scan' && inVain >= Math.max(LARGE, rows / 1000)
        ? [`${inVain} rows read in vain through ${where}`]
        : []),
    ];
  });
}

/**
 * What does not scale about a statement of a search: a sequential scan of a large table, or a sort of more rows than its lanes
 * show together, `limit` and one more each; the cases of a short time are sorted as long as they are few. Where few cases fit
 * a filter, it may read others in vain until its time is over.
 */
export function searchFaultsOf(plan: PlanNode, rowsOf: (table: string) => number, limit: number): string[] {
  const scans = faultsOf(plan, rowsOf).filter((fault) => fault.startsWith('sequential scan'));
  const sorts = [...nodesOf(plan)].flatMap((node) => {
    if (!node['Node Type'].endsWith('Sort')) return [];
    const sorted = (node.Plans ?? []).reduce((sum, child) => sum + rowsFrom(child), 0);
    const limits = [...nodesOf(node)].filter((each) => each['Node Type'] === 'Limit');
    const lanes = limits.reduce((sum, each) => sum + (each['Actual Loops'] ?? 0), 0);
    const isNarrow = (node.Plans ?? []).some((child) => child['Node Type'] === 'Subquery Scan');
    const allowed = isNarrow ? maxSorted : (limit + 1) * Math.max(lanes, node['Actual Loops'] ?? 0);
    return sorted > allowed
      ? [`${Math.round(sorted)} rows sorted, ${allowed} at most: ${inShort(node)}`]
      : [];
  });
  return [...scans, ...sorts];
}

/** All rows that a node has returned. */
const rowsFrom = (node: PlanNode) => (node['Actual Rows'] ?? 0) * (node['Actual Loops'] ?? 0);

/** In one line: how each table is reached, and how many rows came from there. */
export function inShort(plan: PlanNode): string {
  const reached = [...nodesOf(plan)]
    .filter((node) => node['Relation Name'] !== undefined || node['Index Name'] !== undefined)
    .map((node) => {
      const rows = Math.round((node['Actual Rows'] ?? 0) * (node['Actual Loops'] ?? 1));
      return `${node['Node Type']} ${node['Index Name'] ?? node['Relation Name']} (${rows})`;
    });
  return reached.length === 0 ? plan['Node Type'] : [...new Set(reached)].join(', ');
}
