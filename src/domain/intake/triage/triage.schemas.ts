import { z } from 'zod';
import { helpLineFields, ownHelpLines, replyNotes } from '../ai-calls/reply-fields.ts';

export const TriageLevel = z
  .enum(['emergency', 'urgent_24h', 'soon_2_weeks', 'routine', 'self_care'])
  .meta({ id: 'TriageLevel', description: 'How soon the case must be seen.' });
export type TriageLevel = z.infer<typeof TriageLevel>;

export const RecommendedAction = z
  .enum([
    'call_emergency_services',
    'same_day_medical_review',
    'physician_review_within_24h',
    'physician_review_within_2_weeks',
    'routine_physician_review',
    'self_care_advice',
    'retake_photos',
  ])
  .meta({ id: 'RecommendedAction', description: 'Next step for the patient or the physician.' });
export type RecommendedAction = z.infer<typeof RecommendedAction>;

export const TriageReason = z
  .object({
    code: z.string().describe('A red flag, or another reason such as `retake_photos`.'),
    text: z.string().describe('The reason in words, in the language of the request.'),
  })
  .meta({ id: 'TriageReason', description: 'A reason for the priority.' });
export type TriageReason = z.infer<typeof TriageReason>;

/** Sent to clients. Without bounds of its own: every red flag is among the reasons, however many there are. */
export const Triage = z
  .object({
    priority: TriageLevel,
    urgencyScore: z
      .number()
      .min(0)
      .max(10)
      .describe('From 0 (can wait) to 10 (now); orders cases of the same priority.'),
    recommendedAction: RecommendedAction,
    reasons: z.array(TriageReason).describe('Reasons for the priority.'),
    recommendedActionText: z
      .string()
      .max(1000)
      .optional()
      .describe('The action in words, in the language of the request.'),
    machineDrafted: z
      .boolean()
      .optional()
      .describe('The texts were translated by a machine and no native clinician has reviewed them yet.'),
    ...replyNotes,
    ...helpLineFields,
  })
  .meta({ id: 'Triage', description: 'How soon the case must be seen. Never an all-clear.' });
export type Triage = z.infer<typeof Triage>;

/** What the AI service replies. */
export const TriageReply = Triage.omit(ownHelpLines).extend({
  reasons: z.array(z.object({ code: z.string().max(100), text: z.string().max(1000) })).max(100),
});
