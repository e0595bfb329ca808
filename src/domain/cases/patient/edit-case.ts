import type { AccountActor } from '../../../contract/actor.ts';
import { Problem } from '../../../contract/problem.ts';
import type { Context } from '../../../lib/app/context.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { readAnamnesis } from '../record/analysis.queries.ts';
import { insertPatientMessage } from '../record/message.queries.ts';
import { readPatient } from '../../identity/patients/patient.queries.ts';
import { listCasePhotos, lockOwnPhotos, replacePhotos } from '../photos/case-photos.queries.ts';
import { applyTransition } from '../record/apply-transition.ts';
import type { CaseRecord } from '../record/case.queries.ts';
import { stateConflict } from '../record/state-conflict.ts';
import { aboutOther, readCaseAnswers } from './case-answers.ts';
import { findPatient, insertRevision } from './case.queries.ts';
import type { CaseUpdate } from './case-input.schemas.ts';
import { requireNothingLost } from './require-nothing-lost.ts';

/** Stores what changes of a case (T02). @throws {Problem} those of `updateCase`. */
export async function editCase(
  tx: Tx,
  context: Context,
  actor: AccountActor,
  record: CaseRecord,
  input: CaseUpdate,
): Promise<CaseRecord> {
  const now = context.request.receivedAt;
  const account = { id: record.account_user_id ?? actor.id };
  const isOther = input.patient_uuid !== undefined;
  if (isOther && record.status !== 'draft') throw stateConflict(record, 'account');
  const before = await readPatient(tx, record.patient_id);
  const patient = isOther ? await findPatient(tx, account.id, input.patient_uuid) : before;
  if (patient === undefined) throw new Problem('patient_not_found');
  const photos = input.images && (await lockOwnPhotos(tx, account, input.images));
  const isSaidAnew = input.anamnesis !== undefined || isOther;
  const revision = record.anamnesis_revision + (isSaidAnew ? 1 : 0);
  if (isSaidAnew) {
    const shown = await listCasePhotos(tx, [record.uuid]);
    const said = input.anamnesis ?? aboutOther(await readAnamnesis(tx, record), before, patient);
    const names = photos ?? shown.map(({ image }) => image);
    const anamnesis = readCaseAnswers(
      context,
      said,
      patient,
      names.map(({ uuid }) => uuid),
      { isByStaff: account.id !== actor.id },
    );
    await requireNothingLost(tx, context, record, { anamnesis, photos });
    await insertRevision(tx, record, { revision, anamnesis, author: actor }, now);
  } else await requireNothingLost(tx, context, record, { photos });
  if (photos !== undefined) await replacePhotos(tx, record, photos, now);
  const { message: text } = input;
  const { language } = context.request;
  if (text !== undefined) await insertPatientMessage(tx, record, { text, language, authorId: actor.id }, now);
  return await applyTransition(tx, { audit: context.audit, now }, record, {
    transition: 'update',
    by: 'account',
    set: {
      patient_id: patient.id,
      anamnesis_revision: revision,
      ...(input.consent !== undefined && { consent_version: input.consent.version, consented_at: now }),
    },
    detail: { revision, photos: photos?.length ?? null, message: text !== undefined },
  });
}
