import type { Tx } from '../../../lib/db/connect.ts';
import { isAskedOfPatient } from '../../cases/record/evaluate-eligibility.ts';
import { isUrgentCase } from '../../cases/record/urgent-case.ts';
import { hasReplied } from '../../cases/record/case-status.ts';
import { type NewsKind, type NewsPayload, sentWithinMs } from '../../announce/news/news.ts';
import { findNewsCase, type NewsCase } from './news.queries.ts';
import { findRecipients, type Recipient } from './recipients.queries.ts';
import { isUrgentAnswer, isUrgentNews } from './urgent-news.ts';

export interface SendableNews {
  record: NewsCase;
  recipients: Recipient[];
}

/** Why news is not sent. */
export type Obsolete = 'too_old' | 'not_true' | 'no_recipient';

/** What a message is worth at the moment of its delivery. */
export async function judgeNews(tx: Tx, news: NewsPayload, now: Date): Promise<SendableNews | Obsolete> {
  if (isTooOld(news, now)) return 'too_old';
  const record = await findNewsCase(tx, news.case_uuid);
  if (record === undefined || !isStillTrue(news, record)) return 'not_true';
  const recipients = await findRecipients(tx, news, record);
  return recipients.length === 0 ? 'no_recipient' : { record, recipients };
}

export function isTooOld({ at }: Pick<NewsPayload, 'at'>, now: Date): boolean {
  return now.getTime() - new Date(at).getTime() > sentWithinMs;
}

/** Whether what a message announces is still so. */
export function isStillTrue(news: NewsPayload, record: NewsCase): boolean {
  const { status } = record;
  switch (news.kind) {
    case 'answer_published':
    case 'answer_amended':
      return status === 'closed' && record.final_annotation_uuid === news.annotation_uuid;
    case 'answer_withdrawn':
      // Another answer has news of its own.
      return status !== 'closed';
    case 'patient_asked':
      return isAsked(news, record);
    case 'patient_reminded':
      return news.held_at !== null && isAsked(news, record);
    case 'not_eligible':
      return status === 'ineligible';
    case 'expired':
      return status === 'expired';
    case 'flags_found':
      return !['closed', 'cancelled', 'expired', 'ineligible'].includes(status);
    case 'emergency':
      // Once a physician has it, or has had it, there is nothing to run for.
      return ['submitted', 'queued', 'on_hold'].includes(status);
    case 'cancelled_with_flags':
      return status === 'cancelled';
    case 'assigned':
      return status === 'queued' && record.lane_pool === `physician:${news.physician_id}`;
    case 'correction_required':
      // An amended answer is another one, and a withdrawn one is no answer.
      return news.annotation_uuid !== null && record.final_annotation_uuid === news.annotation_uuid;
  }
}

/**
 * Whether the patient's reply is still awaited, to this question and no later one. An urgent case is asked about while it
 * waits in the queue; then the question stands until its patient has sent what is missing, or a physician has answered.
 */
function isAsked({ held_at: heldAt }: NewsPayload, record: NewsCase): boolean {
  if (heldAt === null) {
    return (
      ['queued', 'in_review'].includes(record.status) && record.eligibility_reasons.some(isAskedOfPatient)
    );
  }
  return (
    record.status === 'on_hold' &&
    record.pending_status === 'awaiting_patient' &&
    !hasReplied(record) &&
    record.held_at?.toISOString() === heldAt
  );
}

/** Whether a message waits for the morning where a tenant has quiet hours. */
export function mayWait(
  news: Pick<NewsPayload, 'kind'>,
  record: Pick<NewsCase, 'urgency' | 'triage_level' | 'answer_action'>,
): boolean {
  return !isUrgentNews(news, record) && !isUrgentCase(record);
}

/**
 * The kind by whose words a message is told: an urgent case is not closed when its patient stays silent, so that its reminder
 * asks, and announces no end. An urgent answer is to be read now.
 */
export function toldAs(
  { kind }: Pick<NewsPayload, 'kind'>,
  record: Pick<NewsCase, 'urgency' | 'triage_level' | 'answer_action'>,
): NewsKind {
  if (isUrgentAnswer(kind, record)) return 'flags_found';
  return kind === 'patient_reminded' && isUrgentCase(record) ? 'patient_asked' : kind;
}
