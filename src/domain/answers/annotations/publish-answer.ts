import type { Tx } from '../../../lib/db/connect.ts';
import type { CaseChanges, CaseRecord } from '../../cases/record/case.queries.ts';
import { applyTransition } from '../../cases/record/apply-transition.ts';
import { isAudited } from '../audits/is-audited.ts';
import { type AnswerRow, changeVersion, findFinal } from './annotation.queries.ts';
import type { AnswerWork } from './answer-work.ts';
import { reasonsOf } from './check-contradictions.ts';
import { findAdminSettings } from './author.queries.ts';

/**
 * Shows the patient the signed answer and closes the case (T19). The messages to the patient stand with it; call
 * `outbox.kick()` after the commit.
 *
 * @param record locked, answered.
 * @param due when a timer was to publish it; absent where a person does.
 */
export async function publishAnswer(
  tx: Tx,
  work: AnswerWork,
  record: CaseRecord,
  due?: Date,
): Promise<{ record: CaseRecord; answer: AnswerRow }> {
  const { audit, now } = work;
  const signed = await findFinal(tx, record);
  if (signed === undefined) throw new Error('an answered case has a signed answer');
  const answer = await changeVersion(tx, 'dermatologist_annotations', signed, now, { published_at: now });
  const closed = await applyTransition(tx, { audit, now }, record, {
    transition: 'publish',
    set: { closed_at: now, ...(await publishedColumns(tx, work, record, answer)) },
    detail: { annotation: answer.uuid },
    ...(due !== undefined && { due }),
  });
  return { record: closed, answer };
}

/** What changes on a case when an answer is published: the patient has not read it, and an auditor may have to. */
export async function publishedColumns(
  tx: Tx,
  { rules }: Pick<AnswerWork, 'rules'>,
  record: CaseRecord,
  answer: AnswerRow,
): Promise<CaseChanges> {
  const isDrawn = isAudited(rules.audit, {
    caseUuid: record.uuid,
    urgency: record.urgency,
    aiAgreement: answer.ai_agreement,
    isContradicting: reasonsOf(answer).length > 0,
    isExempt: await isExempt(tx, answer.physician_id),
  });
  return {
    read_at: null,
    answer_action: answer.recommended_action,
    ...(isDrawn && { audit_state: 'pending' }),
  };
}

async function isExempt(tx: Tx, physicianId: number | null): Promise<boolean> {
  if (physicianId === null) return false;
  return (await findAdminSettings(tx, physicianId)).audit_exempt === true;
}
