import { sql } from 'kysely';
import type { AccountActor } from '../../../contract/actor.ts';
import { Language } from '../../../contract/language.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { granted } from '../groups/group-settings.schemas.ts';
import { physicianName } from './display-name.ts';
import { storedAdminSettings, storedSettings } from './physician-settings.schemas.ts';
import type { PhysicianDetails } from './physician.schemas.ts';
import { type PhysicianRow, physiciansWithAccounts } from './physician.queries.ts';

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
  const loads = await readLoads(tx, actor.tenantId, rows, now);
  const groups = await readGroups(tx, rows);
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
  const rows = await physiciansWithAccounts(tx).where('p.uuid', '=', uuid).execute();
  return (await showPhysicians(tx, show, rows))[0];
}

const preferred = (row: PhysicianRow) => Language.catch('en').parse(row.language_preference);

/** Of the cases that are offered: the own ones, then those of groups. */
export function reviewLanguages(row: PhysicianRow, groups: readonly { settings: unknown }[]): Language[] {
  const own = storedSettings(row.settings).review_languages ?? [preferred(row)];
  return [...new Set([...own, ...groups.flatMap(({ settings }) => granted(settings).languages)])];
}

/** By `physicians.id`; each part reads an index of its own. */
async function readLoads(tx: Tx, tenantId: number, rows: readonly PhysicianRow[], now: Date) {
  const since = new Date(now.getTime() - weekMs);
  const ids = rows.map(({ id }) => id);
  const { rows: loads } = await sql<{ id: number; open: number; reserved: number; answered_7d: number }>`
    SELECT p.id,
      (SELECT count(*)::integer FROM request_records r
        WHERE r.tenant_id = ${tenantId} AND r.assigned_physician_id = p.id AND r.status = 'in_review') AS open,
      (SELECT count(*)::integer FROM request_records r
        WHERE r.tenant_id = ${tenantId} AND r.lane_pool = 'physician:' || p.id AND r.status = 'queued') AS reserved,
      (SELECT count(*)::integer FROM dermatologist_annotations a
        WHERE a.tenant_id = ${tenantId} AND a.physician_id = p.id AND a.signed_at >= ${since}
          AND a.status IN ('final', 'amended')) AS answered_7d
    FROM unnest(${ids}::integer[]) AS p (id)`.execute(tx);
  return new Map(loads.map(({ id, ...load }) => [id, load]));
}

/** By `users.id`, in the order of their names. */
export async function readGroups(tx: Tx, rows: readonly PhysicianRow[]) {
  if (rows.length === 0) return new Map<number, never[]>();
  const found = await tx
    .selectFrom('user_group_members as m')
    .innerJoin('user_groups as g', (join) =>
      join.onRef('g.tenant_id', '=', 'm.tenant_id').onRef('g.id', '=', 'm.group_id'),
    )
    .select(['m.user_id', 'g.uuid', 'g.name', 'g.settings'])
    .where(
      'm.user_id',
      'in',
      rows.map(({ user_id: id }) => id),
    )
    .orderBy('g.name')
    .execute();
  return Map.groupBy(found, ({ user_id: id }) => id);
}
