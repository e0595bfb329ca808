import { sql } from 'kysely';
import type { Db } from '../../../lib/db/connect.ts';

/** A network stays known for an account this long after a session that was opened there was last used. */
const knownForMs = 30 * 24 * 60 * 60 * 1000;

/**
 * Whether an account is known in a network: a session that was opened there was used in the last 30 days. One statement
 * for every address, registered or not.
 */
export async function isKnownNetwork(
  db: Db,
  email: string,
  ipPrefix: string | undefined,
  now: Date,
): Promise<boolean> {
  // Without an address all callers look alike, so no account is known.
  if (ipPrefix === undefined) return false;
  const since = new Date(now.getTime() - knownForMs);
  const { rows } = await sql<{ known: boolean }>`
    SELECT find_known_network(${email}, ${ipPrefix}, ${since}) AS known`.execute(db);
  return rows[0]?.known === true;
}
