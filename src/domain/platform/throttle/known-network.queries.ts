import { sql } from 'kysely';
import type { Db } from '../../../lib/db/connect.ts';

/**
 * Whether a session of the account with this address that was opened in a network was used since. One statement for every
 * address, registered or not.
 */
export async function findKnownNetwork(
  db: Db,
  email: string,
  ipPrefix: string,
  since: Date,
): Promise<boolean> {
  const { rows } = await sql<{ known: boolean }>`
    SELECT find_known_network(${email}, ${ipPrefix}, ${since}) AS known`.execute(db);
  return rows[0]?.known === true;
}
