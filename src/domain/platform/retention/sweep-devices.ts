import { sql } from 'kysely';
import type { Tx } from '../../../lib/db/connect.ts';
import { batchSize } from './delete-expired.ts';

/**
 * Deletes one batch of the devices whose sessions have ended: one that is revoked takes them along at once, one that expires
 * does not.
 *
 * @returns the number of deleted rows.
 */
export async function sweepDevicesOfEndedSessions(tx: Tx, now: Date): Promise<number> {
  // As the index sessions_to_clean has it.
  const { numAffectedRows } = await sql`
    DELETE FROM push_devices WHERE uuid = ANY (ARRAY(
      SELECT d.uuid FROM sessions s JOIN push_devices d ON d.tenant_id = s.tenant_id AND d.session_uuid = s.uuid
      WHERE least(s.idle_expires_at, s.absolute_expires_at, s.revoked_at) <= ${now}
      LIMIT ${batchSize} FOR UPDATE OF d SKIP LOCKED))`.execute(tx);
  return Number(numAffectedRows);
}
