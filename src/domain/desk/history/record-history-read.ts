import { sql } from 'kysely';
import type { AccountActor } from '../../../contract/actor.ts';
import { auditEvents } from '../../../contract/audit.ts';
import type { Context } from '../../../lib/app/context.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import type { HistoryReason } from './history.schemas.ts';

/** Reads of one history in one session for one reason within this time are one row. */
const sameReadMs = 10 * 60 * 1000;

interface HistoryRead {
  patient: { id: number; uuid: string };
  reason: HistoryReason | null;
  /** Whether the caller treats or has treated the patient; otherwise the reason has broken the glass. */
  isTreated: boolean;
}

/** Writes that the caller reads a history: before the reply, so that no read is without its row. */
export async function recordHistoryRead(
  tx: Tx,
  { audit, request: { receivedAt: now } }: Pick<Context, 'audit' | 'request'>,
  actor: AccountActor,
  { patient, reason, isTreated }: HistoryRead,
): Promise<void> {
  const { rows } = await sql`
    SELECT FROM event_logs
    WHERE category = 'access' AND tenant_id = ${actor.tenantId} AND subject_uuid = ${patient.uuid}
      AND at > ${new Date(now.getTime() - sameReadMs)} AND action = ${auditEvents.historyRead.success}
      AND outcome = 'success' AND session_id = ${actor.sessionUuid}
      AND detail ->> 'reason' IS NOT DISTINCT FROM ${reason}::text LIMIT 1`.execute(tx);
  if (rows.length > 0) return;
  await audit.as(auditEvents.historyRead).succeeded(tx, {
    subject: { kind: 'patient', uuid: patient.uuid },
    patientId: patient.id,
    detail: { reason, break_glass: !isTreated },
  });
}
