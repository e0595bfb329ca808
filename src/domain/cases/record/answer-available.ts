import type { CaseRecord } from './case.queries.ts';

/** Whether the patient can read an answer, also while a question about it is in the queue. */
export const isAnswerAvailable = (record: Pick<CaseRecord, 'closed_at' | 'final_annotation_uuid'>): boolean =>
  record.closed_at !== null && record.final_annotation_uuid !== null;
