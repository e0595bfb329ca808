import { sql } from 'kysely';
import type { Tx } from '../../../lib/db/connect.ts';
import type { CaseSummary } from '../../cases/record/case-summary.schemas.ts';
import { type Person, type PersonRow, personColumns, toPerson } from '../../identity/patients/person.ts';

/** The owners of the accounts as persons, by `users.id`. */
export async function findOwners(
  tx: Tx,
  photos: readonly { owner_user_id: number | null }[],
  now: Date,
): Promise<ReadonlyMap<number | null, Person>> {
  const accounts = photos.flatMap(({ owner_user_id: id }) => id ?? []);
  const rows: (PersonRow & { account_user_id: number | null })[] = await tx
    .selectFrom('patients')
    .select([...personColumns, 'account_user_id'])
    .where('account_user_id', '=', sql<number>`ANY (${accounts}::integer[])`)
    .where('relation', '=', 'self')
    .execute();
  return new Map(rows.map((row) => [row.account_user_id, toPerson(row, now)]));
}

/** By the name of the account's owner, cases without names would have one after all. */
export function ownerOf(
  owner: Person | undefined,
  cases: readonly Pick<CaseSummary, 'patient'>[],
): Person | null {
  if (owner === undefined) return null;
  const isNamed = cases.some(({ patient }) => patient.display_name !== null);
  return isNamed ? owner : { ...owner, display_name: null };
}
