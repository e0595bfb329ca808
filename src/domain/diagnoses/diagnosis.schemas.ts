import { z } from 'zod';
import { PredictionConfidence } from '../anamnesis/enums/assessment.ts';
import { RedFlags } from '../red-flags/red-flags.ts';

export const Prediction = z
  .object({
    disease: z.string().max(100).meta({ description: 'Stable code of the disease, such as `psoriasis`' }),
    probability: z.number().min(0).max(1),
    confidence: PredictionConfidence,
    name: z.string().max(200).optional().meta({ description: 'In the language of the request' }),
    icd10: z.string().max(20).optional(),
    explanation: z
      .array(z.string().max(500))
      .max(100)
      .optional()
      .meta({ description: 'What spoke for or against it' }),
  })
  .meta({ id: 'Prediction' });

export const ImageIssueDetail = z
  .object({ code: z.string().max(100), text: z.string().max(1000) })
  .meta({ id: 'ImageIssueDetail' });

export const ImageValidity = z
  .object({
    isValid: z.boolean(),
    score: z.number().min(0).max(1).meta({ description: '0 unusable to 1 perfect' }),
    issues: z.array(z.string().max(100)).max(50).meta({ description: 'Stable codes, such as `blurry`' }),
    issueDetails: z.array(ImageIssueDetail).max(50).optional(),
  })
  .meta({ id: 'ImageValidity' });
export type ImageValidity = z.infer<typeof ImageValidity>;

/** What `POST /api/diagnosis` answers. */
export const Diagnosis = z
  .object({
    predictions: z.array(Prediction).meta({ description: 'Most probable first; not for clinical use' }),
    red_flags: RedFlags,
    image_validity: ImageValidity,
  })
  .meta({ id: 'Diagnosis' });
export type Diagnosis = z.infer<typeof Diagnosis>;

const modelVersion = z.string().max(100).optional();

/** Replies of the AI service: the gateway's own shapes, and the version of the model that gave them. */
export const PredictionsReply = z.object({ predictions: z.array(Prediction).max(100), modelVersion });
export const RedFlagsReply = RedFlags.extend({ modelVersion }).refine(
  (reply) => reply.hasRedFlags || reply.flags.length === 0,
  { error: 'flags without hasRedFlags contradict each other' },
);
export const ImageValidityReply = ImageValidity.extend({ modelVersion }).refine(
  (reply) => reply.isValid || reply.issues.length > 0,
  { error: 'an invalid image names at least one issue' },
);
