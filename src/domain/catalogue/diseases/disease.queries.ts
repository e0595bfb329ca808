import { Problem } from '../../../contract/problem.ts';
import type { Language } from '../../../contract/language.ts';
import type { Tx } from '../../../lib/db/connect.ts';

/** A disease of the own catalogue. */
export interface Disease {
  id: number;
  slug: string;
  icd10: string | null;
  /** By language; English is never missing. */
  names: Readonly<Partial<Record<Language, string>>>;
}

/** Those of the given ids that the catalogue has, also what is no longer in use: old answers name it. */
export async function findDiseases(
  tx: Tx,
  ids: readonly (number | null)[],
): Promise<ReadonlyMap<number, Disease>> {
  const named = [...new Set(ids.filter((id) => id !== null))];
  if (named.length === 0) return new Map();
  const rows = await tx
    .selectFrom('disease_catalog')
    .select(['id', 'slug', 'icd10', 'names'])
    .where('id', 'in', named)
    .execute();
  return new Map(rows.map((row) => [row.id, { ...row, names: row.names as Disease['names'] }]));
}

/** A diagnosis as far as it names a disease. */
interface Stated {
  disease_id: number | null;
  code: string;
  code_system: string;
}

/**
 * The diseases that diagnoses name, by id.
 * @param pointerOf each, by its index, in the submitted document.
 * @throws {Problem} `disease_unknown`, which names every diagnosis whose disease or vendor's code does not exist.
 */
export async function requireDiseases(
  tx: Tx,
  stated: readonly Stated[],
  pointerOf = (index: number) => `/diagnoses/${index}`,
): Promise<ReadonlyMap<number, Disease>> {
  const known = await findDiseases(
    tx,
    stated.map(({ disease_id: id }) => id),
  );
  const errors = [];
  for (const [index, each] of stated.entries()) {
    const isKnown = each.disease_id === null || known.has(each.disease_id);
    if (!isKnown) errors.push(unknown(`${pointerOf(index)}/disease_id`));
    else if (!(await isCodeKnown(tx, each))) errors.push(unknown(`${pointerOf(index)}/code`));
  }
  if (errors.length > 0) throw new Problem('disease_unknown', { errors });
  return known;
}

const unknown = (pointer: string) => ({
  pointer,
  code: 'disease_unknown',
  message: 'The catalogue has no such disease.',
});

/** Codes of ICD-10 are free: the catalogue has a few of them only. */
async function isCodeKnown(tx: Tx, { code, code_system: system, disease_id: id }: Stated): Promise<boolean> {
  if (system === 'icd10') return true;
  if (system === 'dermagate') {
    const row = await tx
      .selectFrom('disease_catalog')
      .select('id')
      .where('slug', '=', code)
      .executeTakeFirst();
    return row !== undefined && (id === null || row.id === id);
  }
  const row = await tx
    .selectFrom('vendor_disease_catalog')
    .select('id')
    .where('vendor', '=', system.slice('vendor:'.length))
    .where('code', '=', code)
    .executeTakeFirst();
  return row !== undefined;
}

/** @throws {Problem} `disease_not_found` */
export async function requireDisease(tx: Tx, id: number | null): Promise<void> {
  if (id !== null && !(await findDiseases(tx, [id])).has(id)) throw new Problem('disease_not_found');
}
