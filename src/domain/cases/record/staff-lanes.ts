import type { Staff } from '../../identity/groups/staff.ts';
import type { CaseRecord } from './case.queries.ts';
import { generalPool } from './lane.ts';

/**
 * The pools whose cases a physician is offered, the first before the others: reserved, the own private pool, those of the
 * groups, the general one. None for an admin who is no physician.
 */
export function poolsOf({ physician }: Staff): string[] {
  if (physician === null) return [];
  const own = physician.privatePool === null ? [] : [physician.privatePool];
  const general = physician.adminSettings.general_pool === false ? [] : [generalPool];
  return [...new Set([`physician:${physician.id}`, ...own, ...physician.groupPools, ...general])];
}

/** The languages whose cases a physician is offered. */
export const laneLanguagesOf = ({ physician }: Staff): string[] => [
  ...(physician?.reviewLanguages ?? []),
  'any',
];

/** Whether a case waits where this physician is offered cases. */
export const isInLanesOf = (
  staff: Staff,
  { lane_pool: pool, lane_language: language }: Pick<CaseRecord, 'lane_pool' | 'lane_language'>,
): boolean =>
  pool !== null &&
  language !== null &&
  poolsOf(staff).includes(pool) &&
  laneLanguagesOf(staff).includes(language);
