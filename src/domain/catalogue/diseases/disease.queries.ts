import { type FieldError, Problem } from '../../../contract/problem.ts';
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
): Promise<ReadonlyMap<number, Disease & { active: boolean }>> {
  const named = [...new Set(ids.filter((id) => id !== null))];
  if (named.length === 0) return new Map();
  const rows = await tx
    .selectFrom('disease_catalog')
    .select(['id', 'slug', 'icd10', 'names', 'active'])
    .where('id', 'in', named)
    .execute();
  return new Map(rows.map((row) => [row.id, { ...row, names: row.names as Disease['names'] }]));
}

/** Whether a diagnosis names an entry of the catalogue, by itself or through the list of a vendor, that is an emergency. */
export async function isEmergencyDisease(tx: Tx, { disease_id: id, code, code_system: system }: Stated) {
  const vendor = system.startsWith('vendor:') ? system.slice('vendor:'.length) : undefined;
  const found = await tx
    .selectFrom('disease_catalog')
    .select('id')
    .where('urgency', '=', 'emergency')
    .where((eb) =>
      eb.or([
        ...(id === null ? [] : [eb('id', '=', id)]),
        ...(system === 'dermagate' ? [eb('slug', '=', code)] : []),
        ...(vendor === undefined
          ? []
          : [
              eb('id', 'in', (of) =>
                of
                  .selectFrom('vendor_disease_catalog')
                  .select('disease_id')
                  .where('vendor', '=', vendor)
                  .where('code', '=', code),
              ),
            ]),
      ]),
    )
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** A diagnosis as far as it names a disease. */
interface Stated {
  disease_id: number | null;
  code: string;
  code_system: string;
}

/** Each diagnosis by its index, in the submitted document. */
const inDiagnoses = (index: number) => `/diagnoses/${index}`;

/**
 * The diseases that diagnoses name, by id.
 * @param retired diagnoses that may name a disease which is no longer in use: those of an old answer, and all where nothing
 *   is stored.
 * @throws {Problem} `disease_unknown`, which names every diagnosis whose disease or vendor's code does not exist or is no longer
 *   in use.
 */
export async function requireDiseases(
  tx: Tx,
  stated: readonly Stated[],
  { retired = [], pointerOf = inDiagnoses }: { retired?: readonly Stated[]; pointerOf?: typeof inDiagnoses },
): Promise<ReadonlyMap<number, Disease>> {
  const known = await findDiseases(
    tx,
    stated.map(({ disease_id: id }) => id),
  );
  const errors: FieldError[] = [];
  for (const [index, each] of stated.entries()) {
    const disease = each.disease_id === null ? undefined : known.get(each.disease_id);
    const entry = await findCode(tx, each);
    const [atDisease, atCode] = [`${pointerOf(index)}/disease_id`, `${pointerOf(index)}/code`];
    const mayBeRetired = retired.some((old) => isSame(old, each));
    if (each.disease_id !== null && disease === undefined) errors.push(unknown(atDisease));
    else if (entry === undefined) errors.push(unknown(atCode));
    else if (disease?.active === false && !mayBeRetired) errors.push(outOfUse(atDisease));
    else if (!entry.active && !mayBeRetired) errors.push(outOfUse(atCode));
  }
  if (errors.length > 0) throw new Problem('disease_unknown', { errors });
  return known;
}

const isSame = (a: Stated, b: Stated) =>
  a.disease_id === b.disease_id && a.code === b.code && a.code_system === b.code_system;

const unknown = (pointer: string): FieldError => ({
  pointer,
  code: 'disease_unknown',
  message: 'The catalogue has no such disease.',
});

const outOfUse = (pointer: string): FieldError => ({
  pointer,
  code: 'disease_retired',
  message: 'The catalogue has this disease for old answers only: choose another.',
});

/** The entry of a code; undefined where its list has none. Codes of ICD-10 are free: the catalogue has a few of them only. */
async function findCode(
  tx: Tx,
  { code, code_system: system, disease_id: id }: Stated,
): Promise<{ active: boolean } | undefined> {
  if (system === 'icd10') return { active: true };
  if (system === 'dermagate') {
    const row = await tx
      .selectFrom('disease_catalog')
      .select(['id', 'active'])
      .where('slug', '=', code)
      .executeTakeFirst();
    return id === null || row?.id === id ? row : undefined;
  }
  return await tx
    .selectFrom('vendor_disease_catalog')
    .select('active')
    .where('vendor', '=', system.slice('vendor:'.length))
    .where('code', '=', code)
    .executeTakeFirst();
}

/** @throws {Problem} `disease_not_found` */
export async function requireDisease(tx: Tx, id: number | null): Promise<void> {
  if (id !== null && !(await findDiseases(tx, [id])).has(id)) throw new Problem('disease_not_found');
}
