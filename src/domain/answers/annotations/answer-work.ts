import type { AuditContext } from '../../../lib/app/audit.ts';
import type { SlaHours } from '../../cases/record/due-time.ts';
import { type QueueRules, readQueueRules } from '../../cases/record/queue-rules.ts';
import type { ParameterSource } from '../../platform/parameters/parameter.queries.ts';
import type { Parameters } from '../../platform/parameters/parameter-schemas.ts';
import { readParameters } from '../../platform/parameters/read-parameters.ts';

/** The parameters of a tenant that answers are signed and published by. */
export interface AnswerRules {
  queue: QueueRules;
  audit: Parameters<'audit/rules'>;
  /** Of the clinic, an IANA name: the days of a text are its days. */
  timeZone: string;
}

/** Who changes an answer, when, and by which rules. */
export interface AnswerWork {
  audit: AuditContext;
  now: Date;
  rules: AnswerRules;
}

/** What a cancellation works by: it may put the case back into the queue. */
export interface CancelWork extends AnswerWork {
  sla: SlaHours;
  requestId: string;
}

export interface Cancellation {
  caseUuid: string;
  reason: string;
  /** Of the annotation, as the client has read it. */
  version: number;
}

/** At most five seconds old; not for use within a transaction. */
export async function readAnswerRules(source: ParameterSource, tenantId: number): Promise<AnswerRules> {
  const [queue, audit, { time_zone: timeZone }] = await Promise.all([
    readQueueRules(source, tenantId),
    readParameters(source, tenantId, 'audit/rules'),
    readParameters(source, tenantId, 'notify/rules'),
  ]);
  return { queue, audit, timeZone };
}
