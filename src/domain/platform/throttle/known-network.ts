import type { Db } from '../../../lib/db/connect.ts';
import { findKnownNetwork } from './known-network.queries.ts';

/** A network stays known for an account this long after a session that was opened there was last used. */
const knownForMs = 30 * 24 * 60 * 60 * 1000;

/**
 * Whether an account is known in a network: a session that was opened there was used in the last 30 days.
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
  return await findKnownNetwork(db, email, ipPrefix, since);
}
