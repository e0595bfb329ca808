/** An arrow from one node to another. */
export type Arrow = readonly [from: string, to: string];

/**
 * The circles of a graph: its strongly connected components of more than one node (Tarjan 1972), and nodes that point to
 * themselves. Each is sorted, so that a report does not depend on the order of the arrows.
 */
export function findCircles(arrows: Iterable<Arrow>): string[][] {
  const graph = new Map<string, Set<string>>();
  for (const [from, to] of arrows) {
    graph.set(from, (graph.get(from) ?? new Set()).add(to));
    if (!graph.has(to)) graph.set(to, new Set());
  }
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const circles: string[][] = [];

  function visit(node: string): number {
    index.set(node, index.size);
    low.set(node, index.get(node) ?? 0);
    stack.push(node);
    for (const next of graph.get(node) ?? []) {
      const reached = index.has(next) ? (stack.includes(next) ? index.get(next) : undefined) : visit(next);
      low.set(node, Math.min(low.get(node) ?? 0, reached ?? Infinity));
    }
    if (low.get(node) === index.get(node)) {
      const component = stack.splice(stack.indexOf(node));
      if (component.length > 1 || graph.get(node)?.has(node)) circles.push(component.toSorted());
    }
    return low.get(node) ?? 0;
  }

  for (const node of graph.keys()) if (!index.has(node)) visit(node);
  return circles.toSorted(([a = ''], [b = '']) => a.localeCompare(b, 'en'));
}
