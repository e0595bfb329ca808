import type { AccountActor } from '../../../contract/actor.ts';
import { Problem } from '../../../contract/problem.ts';
import type { Context } from '../../../lib/app/context.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { readPatient } from '../../identity/patients/patient.queries.ts';
import { analyseNow } from '../admission/analyse-now.ts';
import type { Submission } from '../admission/submit-case.ts';
import { listCasePhotos, lockOwnPhotos, replacePhotos } from '../photos/case-photos.queries.ts';
import { readAnamnesis } from '../record/analysis.queries.ts';
import { applyTransition } from '../record/apply-transition.ts';
import type { CaseRecord } from '../record/case.queries.ts';
import { insertPatientMessage } from '../record/message.queries.ts';
import type { MobileCase } from '../record/mobile-case.schemas.ts';
import { lockOwnCase, requireVersion } from '../record/own-case.ts';
import { requirePatientAction } from '../record/patient-actions.ts';
import { stateConflict } from '../record/state-conflict.ts';
import { aboutOther, readCaseAnswers } from './case-answers.ts';
import type { CaseUpdate } from './case-input.schemas.ts';
import { findPatient, insertRevision } from './case.queries.ts';
import { judgeAdded } from './judge-added.ts';
import { judgeHeld } from './judge-held.ts';
import { readMobileCase } from './read-case.ts';
import { requireNothingLost } from './require-nothing-lost.ts';
import { readReplyRules, submitOrReply } from './submit-or-reply.ts';

interface Updated {
  submission?: Submission | undefined;
  isJudged: boolean;
}

/**
 * Changes a draft, or what was asked for of a case on hold, or of an urgent one in the queue (T02): the answers as a whole, as a
 * new revision, and all photos. With `submit` a draft or a held case goes on from there, in the same transaction; a held case with
 * a new danger does so without.
 *
 * @param version that the client has read.
 * @throws {Problem} `case_not_found`, `case_state_conflict`, `version_conflict`, `patient_not_found`, `image_not_found`,
 *   `anamnesis_invalid`, `age_mismatch`, `consent_outdated`, `case_incomplete`, `message_required`
 */
export async function updateCase(
  context: Context,
  actor: AccountActor,
  input: CaseUpdate,
  version: number,
): Promise<MobileCase> {
  const { db, outbox } = context;
  const rules = await readReplyRules(context, actor.tenantId, input.consent);
  const { submission, isJudged } = await inTenant(db, actor.tenantId, async (tx): Promise<Updated> => {
    const record = await lockOwnCase(tx, actor, input.uuid);
    requirePatientAction(record, 'update', context.request.receivedAt);
    requireVersion(record, version);
    const changed = await editCase(tx, context, actor, record, input);
    if (changed.status === 'queued') {
      await judgeAdded(tx, context, changed, { rules: rules.cases, isReplied: input.submit });
      return { isJudged: true };
    }
    if (input.submit) {
      return { isJudged: true, submission: await submitOrReply(tx, context, actor, changed, rules) };
    }
    // The flags of a draft are found when it is submitted.
    if (changed.status === 'draft') return { isJudged: false };
    return { isJudged: true, submission: await judgeHeld(tx, context, actor, changed, rules) };
  });
  // News for those who are on call waits neither for the analysis nor for the timer.
  if (isJudged) outbox.kick();
  if (submission !== undefined) await analyseNow(context, actor, submission);
  return await readMobileCase(context, actor, input.uuid);
}

/** Stores what changes of a case (T02). */
async function editCase(
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
