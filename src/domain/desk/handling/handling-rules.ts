import type { Parameters } from '../../platform/parameters/parameter-schemas.ts';
import type { ParameterSource } from '../../platform/parameters/parameter.queries.ts';
import { readParameters } from '../../platform/parameters/read-parameters.ts';
import { type QueueRules, readQueueRules } from '../../cases/record/queue-rules.ts';

/** The parameters that staff handle cases by. */
export interface HandlingRules {
  rules: QueueRules;
  sla: Parameters<'queue/sla_hours'>;
  /** Days after which patients are reminded. */
  reminderDays: readonly number[];
}

/** At most five seconds old; not for use within a transaction. */
export async function readHandlingRules(source: ParameterSource, tenantId: number): Promise<HandlingRules> {
  const [rules, sla, notify] = await Promise.all([
    readQueueRules(source, tenantId),
    readParameters(source, tenantId, 'queue/sla_hours'),
    readParameters(source, tenantId, 'notify/rules'),
  ]);
  return { rules, sla, reminderDays: notify.reminder_days };
}
