import { z } from 'zod';
import { Predictions } from '../../intake/diagnoses/diagnosis.schemas.ts';
import { RedFlags } from '../../intake/red-flags/red-flags.schemas.ts';
import { Triage } from '../../intake/triage/triage.schemas.ts';

/** The AI service’s answer about a case, with the flags of our own rules; stored in `ml_diagnosis_results.answer`. */
export const CaseAnalysis = z.object({
  predictions: Predictions.shape.predictions,
  red_flags: RedFlags,
  triage: Triage,
  modelVersion: z.string().optional(),
});
export type CaseAnalysis = z.infer<typeof CaseAnalysis>;
