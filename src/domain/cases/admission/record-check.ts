import type { Tx } from '../../../lib/db/connect.ts';
import { enqueueNews } from '../../announce/news/enqueue-news.ts';
import { applyTransition } from '../record/apply-transition.ts';
import type { CaseRecord } from '../record/case.queries.ts';
import {
  codesOf,
  type Eligibility,
  openQuestion,
  requestsToPatient,
} from '../record/evaluate-eligibility.ts';
import { insertRequestToPatient } from '../record/message.queries.ts';
import { isSettled } from './judge-case.ts';
import { judgementColumns, moveJudged, type MoveWork } from './move-judged.ts';

/**
 * Records that staff had a case judged anew (T23), and moves it where the outcome leads elsewhere. Of one that stays in the queue
 * its patient is asked for what was not asked for before.
 * @param record locked.
 */
export async function recordCheck(
  tx: Tx,
  work: MoveWork,
  record: CaseRecord,
  judged: Eligibility,
  reason: string | undefined,
): Promise<CaseRecord> {
  const isForgotten = judged.outcome === 'undetermined' && isSettled(record);
  // No rule finds the question of a physician, and no judgement answers it.
  const isAsked = record.eligibility_reasons.includes(openQuestion);
  const reasons = isAsked ? [...judged.reasons, openQuestion] : judged.reasons;
  const isMoved = leadsOn(record, judged);
  const asked = isMoved || isForgotten ? [] : newRequests(record, reasons);
  const checked = await applyTransition(tx, work, record, {
    transition: 'check_eligibility',
    by: 'staff',
    set: {
      ...(!isForgotten && judgementColumns({ ...judged, reasons }, work.now)),
      ...(asked.length > 0 && { notified_at: null }),
    },
    detail: { outcome: judged.outcome, reasons: codesOf(judged.reasons), reason: reason ?? null },
  });
  if (isMoved) return await moveJudged(tx, work, checked, judged);
  if (asked.length > 0) {
    await insertRequestToPatient(tx, checked, asked, work.now);
    await enqueueNews(tx, checked, 'patient_asked', work.now);
  }
  return checked;
}

/** What the patient of a queued case is to be asked for now, and was not before. */
function newRequests({ status, eligibility_reasons: before }: CaseRecord, reasons: readonly string[]) {
  if (status !== 'queued') return [];
  const known = new Set(requestsToPatient(before));
  return requestsToPatient(reasons).filter((code) => !known.has(code));
}

/** A case in the queue waits there for what is asked of its patient; what was asked for is not asked for twice. */
function leadsOn({ status, eligibility_reasons: before }: CaseRecord, { outcome, reasons }: Eligibility) {
  switch (outcome) {
    case 'eligible':
      return status !== 'queued';
    case 'ineligible':
      return status !== 'ineligible';
    case 'needs_patient':
      if (status !== 'on_hold') return status !== 'queued';
      return requestsToPatient(before).join() !== requestsToPatient(reasons).join();
    case 'undetermined':
      return false;
  }
}
