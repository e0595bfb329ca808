import { sql } from 'kysely';
import { Problem } from '../../../contract/problem.ts';
import { versionConflict } from '../../../contract/version-conflict.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { isUniqueViolation } from '../../../lib/db/errors.ts';
import type { Group } from './group.schemas.ts';
import { granted, type GroupSettings } from './group-settings.schemas.ts';

export interface GroupRow extends Group {
  id: number;
}

const columns = ['g.uuid', 'g.id', 'g.name', 'g.settings', 'g.version', 'g.created_at'] as const;
const memberCount = sql<number>`(
  SELECT count(*)::integer FROM user_group_members m WHERE m.tenant_id = g.tenant_id AND m.group_id = g.id)`.as(
  'member_count',
);

const toGroup = ({ settings, ...row }: Omit<GroupRow, 'settings'> & { settings: unknown }): GroupRow => ({
  ...row,
  settings: granted(settings),
});

/** The groups of a tenant by name, one more than `limit` where there are more. */
export async function findGroups(
  tx: Tx,
  { tenantId, after, limit }: { tenantId: number; after: string | undefined; limit: number },
): Promise<GroupRow[]> {
  const rows = await tx
    .selectFrom('user_groups as g')
    .select([...columns, memberCount])
    .where('g.tenant_id', '=', tenantId)
    .$if(after !== undefined, (query) => query.where('g.name', '>', after ?? ''))
    .orderBy('g.name')
    .limit(limit + 1)
    .execute();
  return rows.map(toGroup);
}

/** @throws {Problem} `group_not_found` */
export async function readGroup(tx: Tx, uuid: string): Promise<GroupRow> {
  const row = await tx
    .selectFrom('user_groups as g')
    .select([...columns, memberCount])
    .where('g.uuid', '=', uuid)
    .executeTakeFirst();
  if (row === undefined) throw groupNotFound(uuid);
  return toGroup(row);
}

/**
 * Keeps a group from being deleted or changed until the transaction ends.
 * @throws {Problem} `group_not_found`
 */
export async function lockGroup(tx: Tx, uuid: string): Promise<{ id: number }> {
  const row = await tx
    .selectFrom('user_groups')
    .select('id')
    .where('uuid', '=', uuid)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (row === undefined) throw groupNotFound(uuid);
  return row;
}

const groupNotFound = (uuid: string) => new Problem('group_not_found', { conceals: { kind: 'group', uuid } });

/** @throws {Problem} `name_taken` */
export async function insertGroup(
  tx: Tx,
  group: { uuid: string; tenantId: number; name: string; settings: GroupSettings; now: Date },
): Promise<void> {
  const { uuid, tenantId, name, settings, now } = group;
  await refusingTakenNames(() =>
    tx
      .insertInto('user_groups')
      .values({ uuid, tenant_id: tenantId, name, settings: JSON.stringify(settings), created_at: now })
      .execute(),
  );
}

/**
 * Changes a group that has the expected version.
 * @throws {Problem} `version_conflict`, `name_taken`
 */
export async function updateGroup(
  tx: Tx,
  group: Pick<GroupRow, 'id' | 'name' | 'settings' | 'version'>,
  version: number,
): Promise<void> {
  const { id, name, settings } = group;
  const { numUpdatedRows } = await refusingTakenNames(() =>
    tx
      .updateTable('user_groups')
      .set({ name, settings: JSON.stringify(settings), version: version + 1 })
      .where('id', '=', id)
      .where('version', '=', version)
      .executeTakeFirst(),
  );
  if (numUpdatedRows === 1n) return;
  const now = await tx.selectFrom('user_groups').select('version').where('id', '=', id).executeTakeFirst();
  throw versionConflict(now?.version ?? group.version);
}

/** Deletes a group with the rows of its members. */
export async function deleteGroupWithMembers(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('user_groups').where('id', '=', id).execute();
}

/** PostgreSQL refuses every further statement of the transaction then. */
async function refusingTakenNames<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isUniqueViolation(error, 'user_groups_tenant_id_name_key'))
      throw new Problem('name_taken', { cause: error });
    throw error;
  }
}
