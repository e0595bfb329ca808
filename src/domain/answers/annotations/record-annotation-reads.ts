import type { AccountActor } from '../../../contract/actor.ts';
import type { AuditContext } from '../../../lib/app/audit.ts';
import type { Context } from '../../../lib/app/context.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import type { CaseRecord } from '../../cases/record/case.queries.ts';
import { countPatientsRead } from '../../platform/throttle/count-patients-read.ts';
import type { Annotation } from './annotation.schemas.ts';

type ReadCase = Pick<CaseRecord, 'uuid' | 'patient_id'>;

/** Records in the trail of each case who has read its annotations, and counts the patients whose cases had any. */
export async function recordAnnotationReads(
  tx: Tx,
  context: Context,
  actor: AccountActor,
  records: readonly ReadCase[],
  annotations: readonly Annotation[],
): Promise<void> {
  await recordEvents(tx, context.audit, records, annotations);
  const read = records.filter(({ uuid }) => annotations.some(({ case_uuid: of }) => of === uuid));
  if (read.length === 0) return;
  const ids = read.map(({ patient_id: id }) => id);
  const patients = await tx.selectFrom('patients').select('uuid').where('id', 'in', ids).execute();
  const uuids = patients.map(({ uuid }) => uuid);
  await countPatientsRead(tx, context, actor, uuids);
}

/** An event for each case, in one statement: the trail of a case names all its readers. */
async function recordEvents(
  tx: Tx,
  audit: AuditContext,
  records: readonly ReadCase[],
  annotations: readonly Annotation[],
): Promise<void> {
  if (records.length === 0) return await audit.succeeded(tx, { detail: { annotations: 0 } });
  const rows = records.map(({ uuid, patient_id: patientId }) =>
    audit.row('success', {
      subject: { kind: 'case', uuid },
      caseUuid: uuid,
      patientId,
      detail: { annotations: annotations.filter(({ case_uuid: of }) => of === uuid).length },
    }),
  );
  await tx
    .insertInto('event_logs')
    .values(rows.map((row) => ({ ...row, detail: JSON.stringify(row.detail) })))
    .execute();
}
