import type { AccountActor } from '../../../contract/actor.ts';
import { auditEvents } from '../../../contract/audit.ts';
import type { Context } from '../../../lib/app/context.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import type { CaseRecord } from './case.queries.ts';
import { isReadRecorded } from './record-read.queries.ts';

/** Reads of one case in one session within this time are one row. */
const sameReadMs = 10 * 60 * 1000;

/** Writes that the caller reads a case: before the reply, so that no read is without its row. */
export async function recordRead(
  tx: Tx,
  { audit, request: { receivedAt: now } }: Pick<Context, 'audit' | 'request'>,
  actor: AccountActor,
  record: CaseRecord,
): Promise<void> {
  const since = new Date(now.getTime() - sameReadMs);
  if (await isReadRecorded(tx, actor, record.uuid, since)) return;
  await audit.as(auditEvents.caseRead).succeeded(tx, {
    subject: { kind: 'case', uuid: record.uuid },
    caseUuid: record.uuid,
    patientId: record.patient_id,
    detail: { status: record.status },
  });
}
