import { type Selectable, sql } from 'kysely';
import type { Language } from '../../../contract/language.ts';
import { Problem } from '../../../contract/problem.ts';
import { versionConflict } from '../../../contract/version-conflict.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { isUniqueViolation } from '../../../lib/db/errors.ts';
import type { ReportTemplates } from '../../../lib/db/tables.ts';
import { findAuthors } from '../annotations/author.queries.ts';
import type {
  Template,
  TemplateBodies,
  TemplateChange,
  TemplateKind,
  TemplateScope,
} from './template.schemas.ts';

export type TemplateRow = Selectable<ReportTemplates>;

/** Templates in the order given, with their owners. */
export async function showTemplates(tx: Tx, rows: readonly TemplateRow[]): Promise<Template[]> {
  const owners = await findAuthors(
    tx,
    rows.map((row) => row.physician_id),
  );
  return rows.map((row) => ({
    id: row.id,
    uuid: row.uuid,
    kind: row.kind,
    scope: row.scope,
    name: row.name,
    disease_id: row.disease_id,
    bodies: row.bodies as TemplateBodies,
    placeholders: row.placeholders,
    version: row.version,
    is_default: row.is_default,
    owner: owners.get(row.physician_id) ?? null,
    updated_at: row.updated_at,
  }));
}

export const templatesInUse = (tx: Tx) =>
  tx.selectFrom('report_templates').selectAll().where('deleted_at', 'is', null);

export async function findTemplate(tx: Tx, uuid: string): Promise<TemplateRow | undefined> {
  return await templatesInUse(tx).where('uuid', '=', uuid).executeTakeFirst();
}

/** One as it stands, locked until the transaction ends. */
export async function lockTemplate(tx: Tx, id: number): Promise<TemplateRow | undefined> {
  return await templatesInUse(tx).where('id', '=', id).forUpdate().executeTakeFirst();
}

/**
 * The text of a template of answers that a physician may use.
 * @throws {Problem} `template_not_found`, also for one that has no text in this language.
 */
export async function requireBody(
  tx: Tx,
  { id, physicianId, language }: { id: number; physicianId: number | null; language: Language },
): Promise<string> {
  const row = await templatesInUse(tx)
    .where('id', '=', id)
    .where('kind', '=', 'diagnosis_text')
    .where((eb) => eb.or([eb('scope', '=', 'tenant'), eb('physician_id', '=', physicianId ?? 0)]))
    .executeTakeFirst();
  const body = (row?.bodies as TemplateBodies | undefined)?.[language];
  if (body === undefined) throw new Problem('template_not_found');
  return body;
}

export interface NewTemplateRow {
  uuid: string;
  tenant_id: number;
  kind: TemplateKind;
  scope: TemplateScope;
  physician_id: number | null;
  disease_id: number | null;
  name: string;
  bodies: TemplateBodies;
  placeholders: string[];
  is_default: boolean;
}

/** @throws {Problem} `name_taken` */
export async function insertTemplate(tx: Tx, row: NewTemplateRow, now: Date): Promise<TemplateRow> {
  if (row.is_default) {
    await lockDefaults(tx, row.tenant_id);
    await clearDefault(tx, row, now);
  }
  return await refusingTakenNames(() =>
    tx
      .insertInto('report_templates')
      .values({ ...row, bodies: JSON.stringify(row.bodies), updated_at: now })
      .returningAll()
      .executeTakeFirstOrThrow(),
  );
}

/**
 * Changes a template that has the expected version; call {@link lockDefaults} before it is locked.
 * @throws {Problem} `version_conflict`, `name_taken`
 */
export async function updateTemplate(
  tx: Tx,
  known: TemplateRow,
  version: number,
  { bodies, ...change }: TemplateChange & { physician_id: number | null; placeholders?: string[] },
  now: Date,
): Promise<TemplateRow> {
  const next: TemplateRow = { ...known, ...(defined(change) as Partial<TemplateRow>) };
  if (next.is_default) await clearDefault(tx, next, now, known.id);
  const row = await refusingTakenNames(() =>
    tx
      .updateTable('report_templates')
      .set({
        ...defined(change),
        ...(bodies && { bodies: JSON.stringify(bodies) }),
        version: version + 1,
        updated_at: now,
      })
      .where('id', '=', known.id)
      .where('version', '=', version)
      .returningAll()
      .executeTakeFirst(),
  );
  if (row === undefined) throw versionConflict(known.version);
  return row;
}

const defined = <T extends object>(change: T) =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as Partial<T>;

/** Leaves the row: signed answers name it. */
export async function markDeleted(tx: Tx, id: number, now: Date): Promise<void> {
  await tx
    .updateTable('report_templates')
    .set({ deleted_at: now, is_default: false })
    .where('id', '=', id)
    .execute();
}

/**
 * Before a template is locked or stored that may be the default: two that are written at once would each see only what was the
 * default before, and would block each other where one of them is that.
 */
export async function lockDefaults(tx: Tx, tenantId: number): Promise<void> {
  const lock = `default templates ${tenantId}`;
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${lock}, 0))`.execute(tx);
}

/**
 * Of an owner's templates of one kind and disease, one is the default; the version of the one before grows. Call
 * {@link lockDefaults} first.
 */
async function clearDefault(
  tx: Tx,
  {
    kind,
    scope,
    physician_id: physician,
    disease_id: disease,
  }: Pick<TemplateRow, 'kind' | 'scope' | 'physician_id' | 'disease_id'>,
  now: Date,
  but = 0,
): Promise<void> {
  await tx
    .updateTable('report_templates')
    .set({ is_default: false, version: sql`version + 1`, updated_at: now })
    .where('is_default', '=', true)
    .where('deleted_at', 'is', null)
    .where('id', '!=', but)
    .where('kind', '=', kind)
    .where('scope', '=', scope)
    .where('physician_id', 'is not distinct from', physician)
    .where('disease_id', 'is not distinct from', disease)
    .execute();
}

/** PostgreSQL refuses every further statement of the transaction then. */
async function refusingTakenNames<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isUniqueViolation(error, 'report_templates_by_name'))
      throw new Problem('name_taken', { cause: error });
    throw error;
  }
}
