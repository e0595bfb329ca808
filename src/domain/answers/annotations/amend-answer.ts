import { type FieldError, Problem } from '../../../contract/problem.ts';
import { versionConflict } from '../../../contract/version-conflict.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { staffActions } from '../../cases/record/staff-actions.ts';
import { answeredDangers } from '../../cases/record/case-flags.ts';
import { applyTransition } from '../../cases/record/apply-transition.ts';
import type { CaseRecord } from '../../cases/record/case.queries.ts';
import { stateConflict } from '../../cases/record/state-conflict.ts';
import { requirePhysician, type Staff } from '../../identity/groups/staff.ts';
import { requireUnchanged } from './annotated-case.ts';
import type { AnswerInput } from './annotation-input.schemas.ts';
import { type AnswerRow, findFinal, insertAnswer } from './annotation.queries.ts';
import type { AnswerWork } from './answer-work.ts';
import { requireReferences } from './check-answer.ts';
import { publishedColumns } from './publish-answer.ts';
import { recordSigned, signedColumns, supersede } from './sign-answer.ts';

export interface AnswerChange {
  /** Of the annotation, as the client has read it. */
  version: number;
  /** The whole answer. */
  input: AnswerInput;
  sign: boolean;
  amendReason: string | null;
  /** Of the case, as the author has read it. */
  caseVersion: number | undefined;
}

/**
 * Replaces a published answer by another of its author (T24), which is published at once.
 *
 * @throws {Problem} `annotation_not_found` where the caller has signed none that counts, `version_conflict`,
 *   `validation_error` without a reason and a signature, `case_state_conflict` before it is published and after the case was
 *   reopened, `case_changed`, those of signing
 */
export async function amendAnswer(
  tx: Tx,
  work: AnswerWork,
  staff: Staff,
  record: CaseRecord,
  { version, input, sign, amendReason, caseVersion }: AnswerChange,
): Promise<AnswerRow> {
  const { audit, now } = work;
  const physician = requirePhysician(staff);
  const earlier = await findFinal(tx, record);
  if (earlier?.physician_id !== physician.id) throw new Problem('annotation_not_found');
  if (earlier.version !== version) throw versionConflict(earlier.version);
  requireReason(sign, amendReason);
  if (record.status !== 'closed') {
    throw stateConflict(record, 'staff', staffActions(staff, record, now));
  }
  requireUnchanged(record, caseVersion);
  await requireReferences(tx, input, { record, physicianId: physician.id, earlier });
  const columns = await signedColumns(tx, work, { record, physician, input });
  await supersede(tx, record, now);
  const amended = await insertAnswer(tx, record, 'final', {
    ...columns,
    physician_id: physician.id,
    amends_uuid: earlier.uuid,
    amend_reason: amendReason,
    published_at: now,
    created_at: now,
    updated_at: now,
  });
  await recordSigned(tx, audit, record, amended);
  await applyTransition(tx, { audit, now }, record, {
    transition: 'amend',
    by: 'physician',
    set: {
      final_annotation_uuid: amended.uuid,
      disease_id: amended.primary_disease_id,
      ...answeredDangers(record),
      ...(await publishedColumns(tx, work, record, amended)),
    },
    detail: { annotation: amended.uuid, amends: earlier.uuid },
  });
  return amended;
}

function requireReason(sign: boolean, reason: string | null): void {
  const errors: FieldError[] = [];
  if (reason === null) {
    errors.push({ pointer: '/amend_reason', code: 'required', message: 'Say why the answer is replaced.' });
  }
  if (!sign) {
    const message = 'A signed answer is replaced by a signed one.';
    errors.push({ pointer: '/sign', code: 'invalid_value', message });
  }
  if (errors.length > 0) throw new Problem('validation_error', { errors });
}
