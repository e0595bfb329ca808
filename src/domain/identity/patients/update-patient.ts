import type { AccountActor } from '../../../contract/actor.ts';
import { Problem } from '../../../contract/problem.ts';
import type { Context } from '../../../lib/app/context.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { findPatient, updatePatient as update } from './patient.queries.ts';

export interface PatientFacts {
  uuid: string;
  external_id: string | null;
  pool: string | null;
  version: number;
}

/**
 * Sets what a clinic decides about one of its patients.
 * @param version that the caller has read.
 * @throws {Problem} `patient_not_found`, `version_conflict`, `external_id_taken`
 */
export async function updatePatient(
  { db, audit }: Context,
  { tenantId }: AccountActor,
  {
    uuid,
    version,
    ...change
  }: {
    uuid: string;
    version: number;
    external_id?: string | null | undefined;
    pool?: string | null | undefined;
  },
): Promise<PatientFacts> {
  return await inTenant(db, tenantId, async (tx) => {
    const known = await findPatient(tx, uuid);
    if (known === undefined) throw new Problem('patient_not_found');
    const row = await update(tx, { tenantId, id: known.id, version }, change);
    const subject = { kind: 'patient', uuid };
    await audit.succeeded(tx, { subject, patientId: known.id, detail: { changed: Object.keys(change) } });
    const { pool = known.pool } = change;
    return { uuid, external_id: row.external_id, pool, version: row.version };
  });
}
