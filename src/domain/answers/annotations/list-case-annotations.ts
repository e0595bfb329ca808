import type { AccountActor } from '../../../contract/actor.ts';
import type { Context } from '../../../lib/app/context.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { listPublished } from './list-published.ts';
import { findOwnCase } from '../../cases/record/own-case.ts';
import type { PatientAnnotations } from './patient-annotation.schemas.ts';

/**
 * What physicians have answered to a case of the caller's own, as far as it is published.
 * @throws {Problem} `case_not_found`
 */
export async function listCaseAnnotations(
  { db, audit }: Context,
  actor: AccountActor,
  uuid: string,
): Promise<PatientAnnotations> {
  return await inTenant(db, actor.tenantId, async (tx) => {
    const record = await findOwnCase(tx, actor, uuid);
    const annotations = await listPublished(tx, record.uuid);
    await audit.succeeded(tx, {
      subject: { kind: 'case', uuid: record.uuid },
      caseUuid: record.uuid,
      patientId: record.patient_id,
      detail: { annotations: annotations.length },
    });
    return { case_uuid: record.uuid, annotations };
  });
}
