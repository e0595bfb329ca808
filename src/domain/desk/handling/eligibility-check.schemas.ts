import { z } from 'zod';
import { Timestamp } from '../../../contract/timestamp.ts';
import { EligibilityReason } from '../cases/case-detail.schemas.ts';
import { CaseSummary, EligibilityOutcome } from '../../cases/record/case-summary.schemas.ts';
import { CaseVersion } from './staff-action.schemas.ts';

export const EligibilityTrigger = z
  .strictObject({
    reason: z
      .enum(['profile_changed', 'membership_changed', 'patient_request', 'other'])
      .optional()
      .meta({ id: 'EligibilityTriggerReason', description: 'Why; for the event log.' }),
    version: CaseVersion.optional(),
  })
  .meta({ id: 'EligibilityTrigger', description: 'Why a case is to be judged again.' });
export type EligibilityTrigger = z.output<typeof EligibilityTrigger>;

export const CheckedEligibility = z
  .object({
    outcome: EligibilityOutcome,
    reasons: z.array(EligibilityReason).meta({ description: 'All that apply.' }),
    checked_at: Timestamp.meta({ description: 'When it was judged.' }),
    case: CaseSummary,
  })
  .meta({ id: 'CheckedEligibility', description: 'How a case was judged, and where it stands now.' });
export type CheckedEligibility = z.input<typeof CheckedEligibility>;
