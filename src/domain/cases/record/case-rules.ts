import { readLastChange, readParameters } from '../../platform/parameters/read-parameters.ts';
import type { ParameterSource } from '../../platform/parameters/parameter.queries.ts';
import type { Parameters } from '../../platform/parameters/parameter-schemas.ts';

/** The parameters of a tenant that cases are judged by. */
export interface CaseRules {
  consentVersion: string;
  sla: Parameters<'queue/sla_hours'>;
  eligibility: Parameters<'eligibility/rules'>;
  retention: Parameters<'retention/rules'>;
  /** Nothing was due by these days before. */
  retentionSince: Date;
  reminderDays: readonly number[];
}

/** At most five seconds old; not for use within a transaction. */
export async function readCaseRules(source: ParameterSource, tenantId: number): Promise<CaseRules> {
  const [consent, sla, eligibility, retention, retentionSince, notify] = await Promise.all([
    readParameters(source, tenantId, 'legal/consent'),
    readParameters(source, tenantId, 'queue/sla_hours'),
    readParameters(source, tenantId, 'eligibility/rules'),
    readParameters(source, tenantId, 'retention/rules'),
    readLastChange(source, tenantId, 'retention/rules'),
    readParameters(source, tenantId, 'notify/rules'),
  ]);
  const { reminder_days: reminderDays } = notify;
  return { consentVersion: consent.version, sla, eligibility, retention, retentionSince, reminderDays };
}
