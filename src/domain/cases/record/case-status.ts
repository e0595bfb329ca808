import { z } from 'zod';

export const CaseStatus = z
  .enum([
    'draft',
    'submitted',
    'queued',
    'in_review',
    'on_hold',
    'answered',
    'closed',
    'ineligible',
    'cancelled',
    'expired',
  ])
  .meta({ id: 'CaseStatus', description: 'Where a case stands. `submitted`: it is being analysed.' });
export type CaseStatus = z.infer<typeof CaseStatus>;

/** A case with one of these waits for the clinic: it can be overdue. */
export const waitingStatuses: readonly string[] = [
  'submitted',
  'queued',
  'in_review',
  'answered',
] satisfies CaseStatus[];

export const PendingStatus = z
  .enum(['awaiting_patient', 'awaiting_second_opinion', 'awaiting_result', 'technical'])
  .meta({ id: 'PendingStatus', description: 'What a case on hold waits for.' });
export type PendingStatus = z.infer<typeof PendingStatus>;

export const PatientStatus = z
  .enum([
    'draft',
    'waiting',
    'in_review',
    'action_needed',
    'answered',
    'not_eligible',
    'cancelled',
    'expired',
  ])
  .meta({
    id: 'PatientStatus',
    description: 'Where a case stands, as patients see it. `action_needed`: read the newest message.',
  });
export type PatientStatus = z.infer<typeof PatientStatus>;

export const AnalysisState = z.enum(['none', 'pending', 'done', 'degraded']).meta({
  id: 'AnalysisState',
  description: '`degraded`: a human looks without all that the AI service was asked for.',
});

/** A status, with what a case on hold waits for. */
export type Place = Exclude<CaseStatus, 'on_hold'> | `on_hold/${PendingStatus}`;

export const holds = PendingStatus.options.map((pending) => `on_hold/${pending}` as const);
export const places: readonly Place[] = [
  ...CaseStatus.options.filter((status) => status !== 'on_hold'),
  ...holds,
];

/** @param record the columns of `request_records`, whose CHECKs allow nothing else. */
export function placeOf(record: { status: string; pending_status: string | null }): Place {
  const status = CaseStatus.parse(record.status);
  if (status !== 'on_hold') return status;
  return `on_hold/${PendingStatus.parse(record.pending_status)}`;
}

export function standingAt(place: Place): { status: CaseStatus; pendingStatus: PendingStatus | null } {
  const [status, pending] = place.split('/');
  return {
    status: CaseStatus.parse(status),
    pendingStatus: pending === undefined ? null : PendingStatus.parse(pending),
  };
}

/** What says whether a patient has replied. */
export interface Replied {
  analysis_state: string;
  eligibility_outcome: string | null;
  queued_at: Date | null;
}

/**
 * Whether the patient of a case on hold has replied to what the service asked, and the reply is yet to be analysed, or to be
 * judged, for which a clinic's eligibility service may be away. A physician's question is answered into the queue.
 */
export function hasReplied({
  analysis_state: analysis,
  eligibility_outcome: outcome,
  queued_at: queued,
}: Replied): boolean {
  return analysis === 'pending' || (queued === null && (outcome === null || outcome === 'undetermined'));
}

/**
 * An answer that is not published yet, and a hold that is no concern of the patient's, are still in review. A patient who
 * has replied waits.
 */
export function patientStatusOf(
  record: Replied & { status: string; pending_status: string | null },
): PatientStatus {
  const place = placeOf(record);
  switch (place) {
    case 'submitted':
    case 'queued':
      return 'waiting';
    case 'on_hold/awaiting_patient':
      return hasReplied(record) ? 'waiting' : 'action_needed';
    case 'closed':
      return 'answered';
    case 'ineligible':
      return 'not_eligible';
    case 'draft':
    case 'cancelled':
    case 'expired':
      return place;
    default:
      return 'in_review';
  }
}

/** Whether a case waits for its analysis: submitted, or answered by its patient while on hold. */
export function awaitsAnalysis({
  status,
  analysis_state: state,
}: {
  status: string;
  analysis_state: string;
}): boolean {
  return state === 'pending' && (status === 'submitted' || status === 'on_hold');
}
