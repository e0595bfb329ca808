import { sql } from 'kysely';
import type { Language } from '../../../contract/language.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { type TemplateRow, templatesInUse } from './template.queries.ts';
import type { TemplateKind, TemplateScope } from './template.schemas.ts';

/** A part of a list of templates in the order of their ids. */
export interface TemplateSlice {
  kind?: TemplateKind | undefined;
  /** Only those with a body in it. */
  lang?: Language | undefined;
  scope?: TemplateScope | undefined;
  /** The id of the last one before. */
  after?: number | undefined;
  limit: number;
}

/** Those of the clinic and those of one physician; undefined for an admin who is no physician. */
export async function findUsableTemplates(
  tx: Tx,
  physicianId: number | undefined,
  slice: TemplateSlice,
): Promise<TemplateRow[]> {
  return await sliceOf(usableTemplates(tx, physicianId), slice);
}

/** Those of one physician. */
export async function findTemplatesOf(
  tx: Tx,
  physicianId: number,
  slice: TemplateSlice,
): Promise<TemplateRow[]> {
  return await sliceOf(templatesInUse(tx).where('physician_id', '=', physicianId), slice);
}

/**
 * Those that a physician may use for a disease: the own ones for it, the clinic's for it, then defaults for any disease in the
 * same order. `rank` is the place of this group, and with the id the position in the list.
 */
export async function findDiseaseTemplates(
  tx: Tx,
  physicianId: number | undefined,
  {
    diseaseId,
    lang,
    after,
    limit,
  }: {
    diseaseId: number;
    lang: Language | undefined;
    after: { rank: number; id: number } | undefined;
    limit: number;
  },
): Promise<(TemplateRow & { rank: number })[]> {
  const rank = sql<number>`CASE WHEN disease_id IS NULL THEN 2 ELSE 0 END + CASE scope WHEN 'tenant' THEN 1 ELSE 0 END`;
  return await usableTemplates(tx, physicianId)
    .select(rank.as('rank'))
    .where((eb) =>
      eb.or([
        eb('disease_id', '=', diseaseId),
        eb.and([eb('disease_id', 'is', null), eb('is_default', '=', true)]),
      ]),
    )
    .$if(lang !== undefined, (query) => query.where(sql<boolean>`bodies ? ${lang}::text`))
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(${rank}, id) > (${after?.rank}::integer, ${after?.id}::bigint)`),
    )
    .orderBy(rank)
    .orderBy('id')
    .limit(limit)
    .execute();
}

const usableTemplates = (tx: Tx, physicianId: number | undefined) =>
  templatesInUse(tx).where((eb) =>
    eb.or([eb('scope', '=', 'tenant'), eb('physician_id', '=', physicianId ?? 0)]),
  );

async function sliceOf(
  templates: ReturnType<typeof templatesInUse>,
  { kind, lang, scope, after, limit }: TemplateSlice,
): Promise<TemplateRow[]> {
  return await templates
    .where(({ and, eb }) =>
      and([
        ...(kind === undefined ? [] : [eb('kind', '=', kind)]),
        ...(scope === undefined ? [] : [eb('scope', '=', scope)]),
      ]),
    )
    .$if(lang !== undefined, (query) => query.where(sql<boolean>`bodies ? ${lang}::text`))
    .$if(after !== undefined, (query) => query.where('id', '>', after ?? 0))
    .orderBy('id')
    .limit(limit)
    .execute();
}
