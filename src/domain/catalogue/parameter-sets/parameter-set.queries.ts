import { sql } from 'kysely';
import type { Tx } from '../../../lib/db/connect.ts';
import type { JsonObject } from '../../../lib/json/json-object.ts';
import type { ParameterRow, Visibility } from '../../platform/parameters/parameter.queries.ts';

/** A branch with all its rows, the platform's and the tenant's. */
export interface ParameterRows {
  /** `branch/sub_branch` */
  name: string;
  rows: readonly (Omit<ParameterRow, 'set_version'> & { updated_by: string | null })[];
}

/** Every `branch/sub_branch` that has a row of the platform or of the tenant. */
export async function findSetNames(tx: Tx, tenantId: number): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT DISTINCT branch || '/' || sub_branch AS name FROM application_parameters
    WHERE tenant_id = ${tenantId} OR tenant_id IS NULL`.execute(tx);
  return rows.map(({ name }) => name);
}

/**
 * The rows of the given sets, in the order of the names; a set without rows has none.
 * @param tenantId null for the platform's rows alone.
 */
export async function findSets(
  tx: Tx,
  tenantId: number | null,
  names: readonly string[],
): Promise<ParameterRows[]> {
  const { rows } = await sql<ParameterRows['rows'][number] & { name: string }>`
    SELECT n.name, p.key, p.value, p.version, p.visibility, p.tenant_id, p.updated_at, u.uuid AS updated_by
    FROM (SELECT name, split_part(name, '/', 1) AS branch, split_part(name, '/', 2) AS sub_branch
      FROM unnest(${names}::text[]) AS name) AS n
    JOIN application_parameters p ON p.branch = n.branch AND p.sub_branch = n.sub_branch
      AND (p.tenant_id = ${tenantId} OR p.tenant_id IS NULL)
    LEFT JOIN users u ON u.id = p.updated_by
    ORDER BY p.key`.execute(tx);
  const byName = Map.groupBy(rows, ({ name }) => name);
  return names.map((name) => ({ name, rows: byName.get(name) ?? [] }));
}

/** The versions of the sets that the tenant has changed, by name. */
export async function findSetVersions(
  tx: Tx,
  tenantId: number,
  names: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ name: string; version: number }>`
    SELECT n.name, s.version
    FROM unnest(${names}::text[]) AS n(name)
    JOIN parameter_sets s ON s.tenant_id = ${tenantId} AND s.branch = split_part(n.name, '/', 1)
      AND s.sub_branch = split_part(n.name, '/', 2)`.execute(tx);
  return new Map(rows.map(({ name, version }) => [name, version]));
}

/** Of a set that nobody has changed. */
export const firstVersion = 1;

/**
 * The version of a tenant's own values, locked until the transaction ends, for a set without values as well.
 */
export async function lockSetVersion(tx: Tx, tenantId: number, name: string): Promise<number> {
  const [branch = '', subBranch = ''] = name.split('/');
  await tx
    .insertInto('parameter_sets')
    .values({ tenant_id: tenantId, branch, sub_branch: subBranch, version: firstVersion })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const { version } = await tx
    .selectFrom('parameter_sets')
    .select('version')
    .where('tenant_id', '=', tenantId)
    .where('branch', '=', branch)
    .where('sub_branch', '=', subBranch)
    .forUpdate()
    .executeTakeFirstOrThrow();
  return version;
}

/** Counts a change of a tenant's own values. @returns the version that it leads to. */
export async function nextSetVersion(tx: Tx, tenantId: number, name: string): Promise<number> {
  const version = (await lockSetVersion(tx, tenantId, name)) + 1;
  const [branch = '', subBranch = ''] = name.split('/');
  await tx
    .updateTable('parameter_sets')
    .set({ version })
    .where('tenant_id', '=', tenantId)
    .where('branch', '=', branch)
    .where('sub_branch', '=', subBranch)
    .execute();
  return version;
}

export interface NewValues {
  tenantId: number;
  /** `branch/sub_branch` */
  name: string;
  values: JsonObject;
  visibility: Visibility;
  updatedBy: number;
  now: Date;
}

/**
 * Replaces a tenant's own values of a set: those that are missing go.
 * @returns the keys whose value is another now.
 */
export async function replaceValues(tx: Tx, set: NewValues): Promise<string[]> {
  const { tenantId, name, visibility, updatedBy, now } = set;
  const [branch = '', subBranch = ''] = name.split('/');
  const json = JSON.stringify(set.values);
  const { rows: changed } = await sql<{ key: string }>`
    SELECT key FROM jsonb_each(${json}::jsonb) AS n
    FULL JOIN (
      SELECT key, value FROM application_parameters
      WHERE tenant_id = ${tenantId} AND branch = ${branch} AND sub_branch = ${subBranch}) AS o USING (key)
    WHERE n.value IS DISTINCT FROM o.value ORDER BY key`.execute(tx);
  await tx
    .deleteFrom('application_parameters')
    .where('tenant_id', '=', tenantId)
    .where('branch', '=', branch)
    .where('sub_branch', '=', subBranch)
    .where('key', '!=', sql<string>`ALL (${Object.keys(set.values)}::text[])`)
    .execute();
  await sql`
    INSERT INTO application_parameters AS p
      (tenant_id, branch, sub_branch, key, value, visibility, updated_by, updated_at)
    SELECT ${tenantId}::integer, ${branch}, ${subBranch}, key, value, ${visibility}, ${updatedBy}::integer, ${now}::timestamptz
    FROM jsonb_each(${json}::jsonb)
    ON CONFLICT ON CONSTRAINT application_parameters_once
    DO UPDATE SET value = excluded.value, visibility = excluded.visibility, updated_by = excluded.updated_by,
      updated_at = excluded.updated_at, version = p.version + 1`.execute(tx);
  return changed.map(({ key }) => key);
}

/**
 * Who may see a parameter: what the platform says counts for every tenant. Undefined for a new key.
 * @param tenantId null for the platform's row alone.
 */
export async function findVisibility(
  tx: Tx,
  tenantId: number | null,
  { name, key }: { name: string; key: string },
): Promise<Visibility | undefined> {
  const [branch = '', subBranch = ''] = name.split('/');
  const known = await tx
    .selectFrom('application_parameters')
    .select('visibility')
    .where('branch', '=', branch)
    .where('sub_branch', '=', subBranch)
    .where('key', '=', key)
    .where((eb) => eb.or([eb('tenant_id', 'is', null), eb('tenant_id', '=', tenantId)]))
    .orderBy('tenant_id', (order) => order.asc().nullsFirst())
    .executeTakeFirst();
  return known?.visibility as Visibility | undefined;
}

export interface NewValue {
  /** Null for the platform's default. */
  tenantId: number | null;
  /** `branch/sub_branch` */
  name: string;
  key: string;
  value: unknown;
  visibility: Visibility;
  now: Date;
}

/** Stores one value beside the others of its set. @returns its version. */
export async function storeValue(
  tx: Tx,
  { tenantId, name, key, value, visibility, now }: NewValue,
): Promise<number> {
  const [branch = '', subBranch = ''] = name.split('/');
  const { rows } = await sql<{ version: number }>`
    INSERT INTO application_parameters AS p (tenant_id, branch, sub_branch, key, value, visibility, updated_at)
    VALUES (${tenantId}, ${branch}, ${subBranch}, ${key}, ${JSON.stringify(value)}::jsonb, ${visibility}, ${now})
    ON CONFLICT ON CONSTRAINT application_parameters_once
    DO UPDATE SET value = excluded.value, visibility = excluded.visibility, updated_at = ${now},
      version = p.version + 1
    RETURNING version`.execute(tx);
  return rows[0]?.version ?? 1;
}
