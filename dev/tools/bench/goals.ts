import { significant } from './compare.ts';
import { table } from './table.ts';

/** A ratio that the project wants to reach. */
export type Goal = { what: string; ratio: number } & ({ atLeast: number } | { atMost: number });

/**
 * CPU milliseconds are goals too, and were set on a machine on which `GET /healthy` takes 0.12 ms: as a multiple of that they
 * hold on every machine.
 */
export const timesHealthy = (ms: number): number => ms / 0.12;

export const isReached = (goal: Goal): boolean =>
  'atLeast' in goal ? goal.ratio >= goal.atLeast : goal.ratio <= goal.atMost;

export function goalTable(goals: readonly Goal[]): string {
  const rows = goals.map((goal) => [
    goal.what,
    `× ${significant(goal.ratio)}`,
    'atLeast' in goal ? `≥ ${significant(goal.atLeast)}` : `≤ ${significant(goal.atMost)}`,
    isReached(goal) ? 'reached' : 'MISSED',
  ]);
  return table(['goal', 'ratio', 'goal is', ''], rows);
}
