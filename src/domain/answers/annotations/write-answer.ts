import { auditEvents } from '../../../contract/audit.ts';
import { Problem } from '../../../contract/problem.ts';
import { versionConflict } from '../../../contract/version-conflict.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { extendLease } from '../../cases/queue/lease.ts';
import type { CaseRecord } from '../../cases/record/case.queries.ts';
import { requirePhysician, type Staff } from '../../identity/groups/staff.ts';
import { amendAnswer, type AnswerChange } from './amend-answer.ts';
import {
  type AboutCase,
  lockAnnotatedCase,
  requireInHand,
  requireUnchangedButLease,
} from './annotated-case.ts';
import type { AnswerInput } from './annotation-input.schemas.ts';
import {
  type AnswerRow,
  answerColumns,
  changeVersion,
  findDraft,
  insertAnswer,
} from './annotation.queries.ts';
import type { AnswerWork } from './answer-work.ts';
import { requireReferences } from './check-answer.ts';
import { signDraft } from './sign-answer.ts';

/** A pause after which saving a draft again is an event of its own. */
const pauseMs = 10 * 60 * 1000;

/**
 * Makes the caller's answer to a case in hand: a draft, or a signed one.
 * @throws {Problem} `case_not_found`, `lease_lost`, `case_changed`, `annotation_exists`, `disease_unknown`,
 *   `template_not_found`, those of signing
 */
export async function createAnswer(
  tx: Tx,
  work: AnswerWork,
  staff: Staff,
  { caseUuid, caseVersion, input, sign }: AboutCase & { input: AnswerInput; sign: boolean },
): Promise<AnswerRow> {
  const { audit, now } = work;
  const found = await lockAnnotatedCase(tx, staff, caseUuid);
  const physician = requirePhysician(staff);
  const record = await requireInHand(tx, work, staff, found, { isSigning: sign });
  await requireUnchangedButLease(tx, found, caseVersion);
  if ((await findDraft(tx, record.uuid, physician.id)) !== undefined) throw new Problem('annotation_exists');
  await requireReferences(tx, input, { record, physicianId: physician.id });
  const draft = await insertAnswer(tx, record, 'draft', {
    ...answerColumns(input, record),
    physician_id: physician.id,
    created_at: now,
    updated_at: now,
  });
  await audit.as(auditEvents.annotationCreated).succeeded(tx, eventOf(record, draft));
  if (sign) return await signDraft(tx, work, { record, physician, input }, draft);
  await extendLease(tx, { now, rules: work.rules.queue }, record);
  return draft;
}

/**
 * Saves the caller's draft, signs it, or amends the answer that the caller has signed.
 * @throws {Problem} `case_not_found`, `annotation_not_found`, `version_conflict`, `lease_lost`, `case_changed`,
 *   `disease_unknown`, `template_not_found`, those of signing and of {@link amendAnswer}
 */
export async function updateAnswer(
  tx: Tx,
  work: AnswerWork,
  staff: Staff,
  change: AboutCase & AnswerChange,
): Promise<AnswerRow> {
  const found = await lockAnnotatedCase(tx, staff, change.caseUuid);
  const physician = requirePhysician(staff);
  const draft = await findDraft(tx, found.uuid, physician.id);
  if (draft === undefined) return await amendAnswer(tx, work, staff, found, change);
  if (draft.version !== change.version) throw versionConflict(draft.version);
  const { input, sign, caseVersion } = change;
  const record = await requireInHand(tx, work, staff, found, { isSigning: sign });
  await requireUnchangedButLease(tx, found, caseVersion);
  const earlier = sign ? undefined : draft;
  await requireReferences(tx, input, { record, physicianId: physician.id, earlier });
  if (sign) return await signDraft(tx, work, { record, physician, input }, draft);
  return await saveDraft(tx, work, { record, input }, draft);
}

async function saveDraft(
  tx: Tx,
  { audit, now, rules }: AnswerWork,
  { record, input }: { record: CaseRecord; input: AnswerInput },
  draft: AnswerRow,
): Promise<AnswerRow> {
  const saved = await changeVersion(
    tx,
    'dermatologist_annotations',
    draft,
    now,
    answerColumns(input, record),
  );
  await extendLease(tx, { now, rules: rules.queue }, record);
  // Clients save while their user types.
  if (now.getTime() - draft.updated_at.getTime() >= pauseMs) {
    await audit.as(auditEvents.annotationUpdated).succeeded(tx, eventOf(record, saved));
  }
  return saved;
}

const eventOf = (record: CaseRecord, { uuid, version }: Pick<AnswerRow, 'uuid' | 'version'>) => ({
  subject: { kind: 'annotation', uuid },
  caseUuid: record.uuid,
  patientId: record.patient_id,
  detail: { version },
});
