import type { AccountActor } from '../../../contract/actor.ts';
import { Language } from '../../../contract/language.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { granted } from '../groups/group-settings.schemas.ts';
import { physicianName } from './display-name.ts';
import { storedAdminSettings, storedSettings } from './physician-settings.schemas.ts';
import type { PhysicianDetails } from './physician.schemas.ts';
import { findPhysician, type PhysicianRow } from './physician.queries.ts';
import { countLoads, findGroupsOf } from './shown-physician.queries.ts';

const weekMs = 7 * 24 * 60 * 60 * 1000;

/**
 * Physicians in the order given. Admins see all of each; a physician sees all of the own profile, and of others what
 * colleagues need to know.
 */
export async function showPhysicians(
  tx: Tx,
  { actor, now }: { actor: AccountActor; now: Date },
  rows: readonly PhysicianRow[],
): Promise<PhysicianDetails[]> {
  if (rows.length === 0) return [];
  const weekAgo = new Date(now.getTime() - weekMs);
  const ids = rows.map(({ id }) => id);
  const loads = await countLoads(tx, actor.tenantId, ids, weekAgo);
  const groups = await findGroupsOf(tx, rows);
  return rows.map((row) => {
    const theirs = groups.get(row.user_id) ?? [];
    const shown: PhysicianDetails = {
      uuid: row.uuid,
      display_name: physicianName(row),
      language_preference: preferred(row),
      review_languages: reviewLanguages(row, theirs),
      vacation_mode: row.vacation_mode,
      private_pool: row.private_pool,
      active: row.is_active,
      load: loads.get(row.id) ?? { open: 0, reserved: 0, answered_7d: 0 },
      last_active_at: row.last_active_at,
      version: row.version,
    };
    if (actor.role !== 'admin' && row.user_id !== actor.id) return shown;
    return {
      ...shown,
      vacation_until: row.vacation_until,
      user_uuid: row.user_uuid,
      email: row.email,
      employee_id: row.employee_id,
      settings: storedSettings(row.settings),
      admin_settings: storedAdminSettings(row.admin_settings),
      groups: theirs.map(({ uuid, name }) => ({ uuid, name })),
      capabilities: [...new Set(theirs.flatMap(({ settings }) => granted(settings).capabilities))],
    };
  });
}

/** As {@link showPhysicians}; undefined for an unknown one. */
export async function showPhysician(
  tx: Tx,
  show: { actor: AccountActor; now: Date },
  uuid: string,
): Promise<PhysicianDetails | undefined> {
  const row = await findPhysician(tx, uuid);
  return row && (await showPhysicians(tx, show, [row]))[0];
}

const preferred = (row: PhysicianRow) => Language.catch('en').parse(row.language_preference);

/** Of the cases that are offered: the own ones, then those of groups. */
export function reviewLanguages(row: PhysicianRow, groups: readonly { settings: unknown }[]): Language[] {
  const own = storedSettings(row.settings).review_languages ?? [preferred(row)];
  return [...new Set([...own, ...groups.flatMap(({ settings }) => granted(settings).languages)])];
}
