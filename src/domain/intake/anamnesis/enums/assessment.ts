import type { z } from 'zod';
import { enumeration } from './enumeration.ts';

export const RedFlagUrgency = enumeration('RedFlagUrgency', 'How urgent a red flag is.', [
  'low',
  'medium',
  'high',
  'emergency',
]);
export type RedFlagUrgency = z.infer<typeof RedFlagUrgency>;

export const FlagCertainty = enumeration(
  'FlagCertainty',
  'Whether the answers meet the rule, or a key finding is there and open answers keep the rule from being excluded. ' +
    'A flag that is not excluded is one step less urgent than one that is met.',
  ['met', 'not_excluded'],
);
export type FlagCertainty = z.infer<typeof FlagCertainty>;

export const TriageLevel = enumeration('TriageLevel', 'How soon the case must be seen.', [
  'emergency',
  'urgent_24h',
  'soon_2_weeks',
  'routine',
  'self_care',
]);
export type TriageLevel = z.infer<typeof TriageLevel>;

export const RecommendedAction = enumeration(
  'RecommendedAction',
  'What the patient or the physician should do next.',
  [
    'call_emergency_services',
    'same_day_medical_review',
    'physician_review_within_24h',
    'physician_review_within_2_weeks',
    'routine_physician_review',
    'self_care_advice',
    'retake_photos',
  ],
);
export type RecommendedAction = z.infer<typeof RecommendedAction>;

export const QuestionType = enumeration('QuestionType', 'How a question is answered.', [
  'camera',
  'bool',
  'radio',
  'checkbox',
  'number',
  'text',
]);
export type QuestionType = z.infer<typeof QuestionType>;

export const PredictionConfidence = enumeration('PredictionConfidence', 'How sure the prediction is.', [
  'low',
  'medium',
  'high',
]);
export type PredictionConfidence = z.infer<typeof PredictionConfidence>;
