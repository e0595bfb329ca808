import { sql } from 'kysely';
import { Problem } from '../../../contract/problem.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { plannedAnew } from '../../../lib/db/prepared-pool.ts';
import type { Staff } from '../../identity/groups/staff.ts';
import { nameKeys } from '../../../lib/text/name-keys.ts';
import { withinTime } from './run-search.ts';
import { type CaseFilters, namesPatients } from './search.schemas.ts';

const maxPatients = 200;
/** A name has a few words at most that begin alike. */
const maxKeys = 10 * maxPatients;
/** Behind every word that begins with the one before it, in the order of code points. */
const lastCharacter = '\u{10ffff}';

/**
 * `patients.id` of those whom the filters name; undefined where they name none.
 * @throws {Problem} `validation_error` for a name without a letter; `search_too_broad` for more than 200 patients
 */
export async function findPatients(tx: Tx, filters: CaseFilters): Promise<number[] | undefined> {
  if (!namesPatients(filters)) return undefined;
  const { patient_uuid: uuid, external_id: externalId, patient_name: name } = filters;
  const named = name === undefined ? undefined : await findByName(tx, name);
  if (uuid === undefined && externalId === undefined) return named;
  const rows = await tx
    .selectFrom('patients')
    .select('id')
    .$if(uuid !== undefined, (query) => query.where('uuid', '=', uuid ?? ''))
    .$if(externalId !== undefined, (query) => query.where('external_id', '=', externalId ?? ''))
    .execute();
  return rows.map(({ id }) => id).filter((id) => named === undefined || named.includes(id));
}

/** Each word that was typed begins a word of the name; the longest one, which fewest names have, leads to the others. */
async function findByName(tx: Tx, name: string): Promise<number[]> {
  const [longest, ...others] = nameKeys(name).toSorted((a, b) => b.length - a.length);
  if (longest === undefined) {
    const message = 'Must have a letter or a digit.';
    throw new Problem('validation_error', {
      errors: [{ pointer: '/patient_name', code: 'invalid_format', message }],
    });
  }
  const begins = (alias: string, word: string) => {
    const key = sql.ref(`${alias}.key`);
    return sql`(${key} >= ${word} AND ${key} < ${word + lastCharacter})`;
  };
  const alsoHas = others.map(
    (word) => sql`AND EXISTS (SELECT FROM patient_name_keys other
      WHERE other.tenant_id = named.tenant_id AND other.patient_id = named.patient_id AND ${begins('other', word)})`,
  );
  const { rows } = await withinTime(() =>
    sql<{ patient_id: number }>`${sql.raw(plannedAnew)} SELECT named.patient_id FROM patient_name_keys named
      WHERE ${begins('named', longest)} ${sql.join(alsoHas, sql` `)} LIMIT ${maxKeys + 1}`.execute(tx),
  );
  const ids = new Set(rows.map((row) => row.patient_id));
  if (ids.size <= maxPatients && rows.length <= maxKeys) return [...ids];
  throw new Problem('search_too_broad', {
    detail: `More than ${maxPatients} patients have such a name. Add a word or more letters.`,
  });
}

/** Ids begin at 1: no case has this one. */
const noPhysician = 0;

/** `physicians.id` of the physician whom the filters name, null for cases without one; undefined where they name none. */
export async function findAssigned(
  tx: Tx,
  { physician }: Staff,
  { assigned_physician_uuid: uuid }: CaseFilters,
): Promise<number | null | undefined> {
  if (uuid === undefined) return undefined;
  if (uuid === 'none') return null;
  if (uuid === 'me') return physician?.id ?? noPhysician;
  const row = await tx.selectFrom('physicians').select('id').where('uuid', '=', uuid).executeTakeFirst();
  return row?.id ?? noPhysician;
}
