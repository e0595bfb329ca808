import { Problem } from '../../../contract/problem.ts';
import type { Context } from '../../../lib/app/context.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { mergePatch } from '../../../lib/json/merge-patch.ts';
import type { Staff } from '../../identity/groups/staff.ts';
import type { PartialAnamnesis } from '../../intake/anamnesis/anamnesis.schemas.ts';
import { readAnamnesis } from '../../cases/record/analysis.queries.ts';
import { readCaseAnswers } from '../../cases/patient/case-answers.ts';
import { type CasePatient, findPatient, insertRevision } from '../../cases/patient/case.queries.ts';
import { missingAnswers } from '../../cases/admission/gather-facts.ts';
import { readPatient } from '../../identity/patients/patient.queries.ts';
import { listCasePhotos } from '../../cases/photos/case-photos.queries.ts';
import type { CaseRecord } from '../../cases/record/case.queries.ts';
import { findPatientWithoutAccount } from './handling.queries.ts';
import type { RecordUpdate } from './record-update.schemas.ts';

export interface Corrected {
  patientId: number;
  revision: number;
  anamnesis: PartialAnamnesis;
}

/**
 * What staff correct in the answers of a case, or about whom they are: a new revision, valid as a whole and no less complete
 * than the one before.
 *
 * @returns undefined where neither changes.
 * @throws {Problem} `patient_not_found`, `anamnesis_invalid`, `age_mismatch`, `payload_too_large`
 */
export async function correctAnswers(
  tx: Tx,
  context: Pick<Context, 'request' | 'config'>,
  staff: Staff,
  record: CaseRecord,
  { anamnesis_patch: patch, patient_uuid: patientUuid, correction_reason: reason }: RecordUpdate,
): Promise<Corrected | undefined> {
  if (patch === undefined && patientUuid === undefined) return undefined;
  const patient =
    patientUuid === undefined
      ? await readPatient(tx, record.patient_id)
      : await findOtherPatient(tx, staff, record, patientUuid);
  if (patient === undefined) throw new Problem('patient_not_found');
  const stored = await readAnamnesis(tx, record);
  const photos = (await listCasePhotos(tx, [record.uuid])).map(({ image }) => image.uuid);
  const said = patch === undefined ? stored : mergePatch(stored, patch);
  const anamnesis = readCaseAnswers(context, said, patient, photos, { isByStaff: true });
  requireAsComplete(context, record, stored, anamnesis);
  const revision = record.anamnesis_revision + 1;
  const written = { revision, anamnesis, author: staff.actor, correctionReason: reason ?? null };
  await insertRevision(tx, record, written, context.request.receivedAt);
  return { patientId: patient.id, revision, anamnesis };
}

/**
 * Whom a case may be about instead: the account that reads it stays the same, so that no answer reaches another one. A case
 * without an account is about patients without one, whom admins alone tell apart.
 */
async function findOtherPatient(
  tx: Tx,
  { actor }: Staff,
  { account_user_id: account }: CaseRecord,
  patientUuid: string,
): Promise<CasePatient | undefined> {
  if (account !== null) return await findPatient(tx, account, patientUuid);
  if (actor.role !== 'admin') return undefined;
  return await findPatientWithoutAccount(tx, patientUuid);
}

/** @throws {Problem} `anamnesis_invalid` naming each required answer that was there before. */
function requireAsComplete(
  { config }: Pick<Context, 'config'>,
  record: CaseRecord,
  before: PartialAnamnesis,
  after: PartialAnamnesis,
): void {
  const missingIn = (anamnesis: PartialAnamnesis) =>
    missingAnswers(anamnesis, record.language, config.IMAGE_URL_HOSTS);
  const already = new Set(missingIn(before));
  const lost = missingIn(after).filter((pointer) => !already.has(pointer));
  if (lost.length === 0) return;
  const message = 'A required answer cannot be removed.';
  throw new Problem('anamnesis_invalid', {
    errors: lost.map((pointer) => ({ pointer: `/anamnesis${pointer}`, code: 'required', message })),
  });
}
