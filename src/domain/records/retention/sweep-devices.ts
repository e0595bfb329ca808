import { sql } from 'kysely';
import type { Tx } from '../../../lib/db/connect.ts';
import { batchSize } from './delete-expired.ts';

/** Runs come every hour. What a longer outage of theirs leaves behind gets no messages, and goes with its session's row. */
const lookBackMs = 2 * 24 * 60 * 60 * 1000;

/**
 * Deletes one batch of the devices whose sessions have ended of late: one that is revoked takes them along at once, one that
 * expires does not.
 *
 * @returns the number of deleted rows.
 */
export async function sweepDevicesOfEndedSessions(tx: Tx, now: Date): Promise<number> {
  const from = new Date(now.getTime() - lookBackMs);
  // By the index sessions_to_clean, then by that of the sessions' devices.
  const { numAffectedRows } = await sql`
    DELETE FROM push_devices WHERE uuid = ANY (ARRAY(
      SELECT uuid FROM push_devices WHERE session_uuid = ANY (ARRAY(
        SELECT uuid FROM sessions
        WHERE least(idle_expires_at, absolute_expires_at, revoked_at) BETWEEN ${from} AND ${now}))
      LIMIT ${batchSize} FOR UPDATE SKIP LOCKED))`.execute(tx);
  return Number(numAffectedRows);
}
