import type { Selectable, Updateable } from 'kysely';
import { versionConflict } from '../../../contract/version-conflict.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import type { DB } from '../../../lib/db/tables.ts';

type Annotations = 'audit_annotations' | 'dermatologist_annotations';

/**
 * Changes an answer or an audit and raises its version.
 * @throws {Problem} `version_conflict` where it is no longer the row that was read.
 */
export async function changeVersion<Table extends Annotations>(
  tx: Tx,
  table: Table,
  { uuid, version }: { uuid: string; version: number },
  now: Date,
  set: Omit<Updateable<DB[Table]>, 'uuid' | 'id' | 'tenant_id' | 'case_uuid' | 'version' | 'updated_at'>,
): Promise<Selectable<DB[Table]>> {
  const changed = await tx
    .updateTable<Annotations>(table)
    .set({ ...set, version: version + 1, updated_at: now })
    .where('uuid', '=', uuid)
    .where('version', '=', version)
    .returningAll()
    .executeTakeFirst();
  if (changed === undefined) throw versionConflict(version + 1);
  return changed as Selectable<DB[Table]>;
}
