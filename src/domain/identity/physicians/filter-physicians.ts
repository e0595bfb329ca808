import type { AccountActor } from '../../../contract/actor.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { nameKeys } from '../../../lib/text/name-keys.ts';
import { physicianName } from './display-name.ts';
import type { PhysicianRow } from './physician.queries.ts';
import type { PhysicianFilter } from './physician.schemas.ts';
import { readGroups, reviewLanguages } from './show-physicians.ts';

/** Those that fit the filter. Names are folded as those of patients, which the database cannot. */
export async function filterPhysicians(
  tx: Tx,
  rows: readonly PhysicianRow[],
  filter: PhysicianFilter,
  actor: AccountActor,
): Promise<PhysicianRow[]> {
  const { language } = filter;
  const fitting = rows.filter((row) => fits(row, filter, actor));
  if (language === undefined) return fitting;
  const groups = await readGroups(tx, fitting);
  return fitting.filter((row) => reviewLanguages(row, groups.get(row.user_id) ?? []).includes(language));
}

function fits(row: PhysicianRow, filter: PhysicianFilter, { role, id }: AccountActor): boolean {
  const { q, pool, vacation_mode: isAway, active } = filter;
  if (pool !== undefined && row.private_pool !== pool) return false;
  if (isAway !== undefined && row.vacation_mode !== isAway) return false;
  if (active !== undefined && row.is_active !== active) return false;
  if (q === undefined) return true;
  const address = role === 'admin' || row.user_id === id ? row.email : undefined;
  const words = nameKeys(physicianName(row), address);
  const sought = nameKeys(q);
  return sought.length > 0 && sought.every((start) => words.some((word) => word.startsWith(start)));
}
