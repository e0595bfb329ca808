import type { Import } from './read-imports.ts';

/** How many imports lead from one node of a graph to another. */
export interface CountedArrow {
  from: string;
  to: string;
  count: number;
}

/** Arrows between the nodes of `nodeOf`; imports within a node, and those of a file without one, count nothing. */
export function countArrows(
  imports: readonly Import[],
  nodeOf: (file: string, otherEnd: string) => string | undefined,
): CountedArrow[] {
  const counts = new Map<string, CountedArrow>();
  for (const { file, target } of imports) {
    const [from, to] = [nodeOf(file, target), nodeOf(target, file)];
    if (from === undefined || to === undefined || from === to) continue;
    const arrow = counts.get(`${from}→${to}`) ?? { from, to, count: 0 };
    counts.set(`${from}→${to}`, { ...arrow, count: arrow.count + 1 });
  }
  return [...counts.values()].toSorted((a, b) => compare(a.from, b.from) || compare(a.to, b.to));
}

/** By code units: the same on every machine. */
export const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The folder that a table names: a noun of the domain, a folder of another floor, a part of the workshop. */
export function folderOf(file: string): string | undefined {
  const parts = file.split('/').slice(0, -1);
  if (parts[0] === 'src') return parts.slice(0, parts[1] === 'domain' ? 4 : 3).join('/');
  return parts[0] === 'dev' ? parts.slice(0, 3).join('/') : undefined;
}
