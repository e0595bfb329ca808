import { sql } from 'kysely';
import type { Tx } from '../../../lib/db/connect.ts';
import { plannedAnew } from '../../../lib/db/prepared-pool.ts';

/** Behind every word that begins with the one before it, in the order of code points. */
const lastCharacter = '\u{10ffff}';

/** `patients.id` of those whom all given ids name. */
export async function findPatientsById(
  tx: Tx,
  { uuid, externalId }: { uuid: string | undefined; externalId: string | undefined },
): Promise<number[]> {
  const rows = await tx
    .selectFrom('patients')
    .select('id')
    .$if(uuid !== undefined, (query) => query.where('uuid', '=', uuid ?? ''))
    .$if(externalId !== undefined, (query) => query.where('external_id', '=', externalId ?? ''))
    .execute();
  return rows.map(({ id }) => id);
}

/**
 * `patients.id` of those whose names have words that begin like these: once for each word that begins like the first.
 * @param first the word that leads to the others.
 */
export async function listByNameKeys(
  tx: Tx,
  first: string,
  others: readonly string[],
  limit: number,
): Promise<number[]> {
  const begins = (alias: string, word: string) => {
    const key = sql.ref(`${alias}.key`);
    return sql`(${key} >= ${word} AND ${key} < ${word + lastCharacter})`;
  };
  const alsoHas = others.map(
    (word) => sql`AND EXISTS (SELECT FROM patient_name_keys other
      WHERE other.tenant_id = named.tenant_id AND other.patient_id = named.patient_id AND ${begins('other', word)})`,
  );
  const found = sql<{ patient_id: number }>`${sql.raw(plannedAnew)} SELECT named.patient_id
    FROM patient_name_keys named
    WHERE ${begins('named', first)} ${sql.join(alsoHas, sql` `)} LIMIT ${limit}`;
  const { rows } = await found.execute(tx);
  return rows.map((row) => row.patient_id);
}

/** `physicians.id` by the UUID. */
export async function findPhysicianId(tx: Tx, uuid: string): Promise<number | undefined> {
  const row = await tx.selectFrom('physicians').select('id').where('uuid', '=', uuid).executeTakeFirst();
  return row?.id;
}
