import { sql } from 'kysely';
import type { AccountActor } from '../../../contract/actor.ts';
import { auditEvents } from '../../../contract/audit.ts';
import type { Tx } from '../../../lib/db/connect.ts';

/** Whether the session of the caller has an event for reading this case, later than `since`. */
export async function isReadRecorded(
  tx: Tx,
  actor: Pick<AccountActor, 'tenantId' | 'sessionUuid'>,
  caseUuid: string,
  since: Date,
): Promise<boolean> {
  const { success } = auditEvents.caseRead;
  const { rows } = await sql`
    SELECT FROM event_logs
    WHERE category = 'access' AND tenant_id = ${actor.tenantId} AND case_uuid = ${caseUuid}
      AND at > ${since} AND action = ${success} AND outcome = 'success'
      AND session_id = ${actor.sessionUuid} LIMIT 1`.execute(tx);
  return rows.length > 0;
}
