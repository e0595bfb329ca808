import type { Tx } from '../../../lib/db/connect.ts';
import type { PhysicianRef } from '../../cases/record/case-summary.schemas.ts';
import { physicianName } from '../../identity/physicians/display-name.ts';
import {
  type PhysicianAdminSettings,
  storedAdminSettings,
} from '../../identity/physicians/physician-settings.schemas.ts';

/** By `physicians.id`. */
export type Authors = ReadonlyMap<number | null, PhysicianRef>;

export async function findAuthors(tx: Tx, ids: readonly (number | null)[]): Promise<Authors> {
  const known = [...new Set(ids.filter((id) => id !== null))];
  if (known.length === 0) return new Map();
  const rows = await tx
    .selectFrom('physicians')
    .select(['id', 'uuid', 'settings'])
    .where('id', 'in', known)
    .execute();
  return new Map(rows.map((row) => [row.id, { uuid: row.uuid, display_name: physicianName(row) }]));
}

/** What admins have settled for a physician. */
export async function findAdminSettings(tx: Tx, physicianId: number): Promise<PhysicianAdminSettings> {
  const author = await tx
    .selectFrom('physicians')
    .select('admin_settings')
    .where('id', '=', physicianId)
    .executeTakeFirst();
  return storedAdminSettings(author?.admin_settings);
}
