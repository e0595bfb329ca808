import { Problem } from '../../../contract/problem.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import type { Staff } from '../../identity/groups/staff.ts';
import { nameKeys } from '../../../lib/text/name-keys.ts';
import { findPatientsById, findPhysicianId, listByNameKeys } from './find-named.queries.ts';
import { withinTime } from './search.queries.ts';
import { type CaseFilters, namesPatients } from './search.schemas.ts';

const maxPatients = 200;
/** A name has a few words at most that begin alike. */
const maxKeys = 10 * maxPatients;

/**
 * `patients.id` of those whom the filters name; undefined where they name none.
 * @throws {Problem} `validation_error` for a name without a letter; `search_too_broad` for more than 200 patients
 */
export async function findPatients(tx: Tx, filters: CaseFilters): Promise<number[] | undefined> {
  if (!namesPatients(filters)) return undefined;
  const { patient_uuid: uuid, external_id: externalId, patient_name: name } = filters;
  const named = name === undefined ? undefined : await findByName(tx, name);
  if (uuid === undefined && externalId === undefined) return named;
  const ids = await findPatientsById(tx, { uuid, externalId });
  return ids.filter((id) => named === undefined || named.includes(id));
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
  const found = await withinTime(() => listByNameKeys(tx, longest, others, maxKeys + 1));
  const ids = new Set(found);
  if (ids.size <= maxPatients && found.length <= maxKeys) return [...ids];
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
  return (await findPhysicianId(tx, uuid)) ?? noPhysician;
}
