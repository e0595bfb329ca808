import { z } from 'zod';
import { imageLimits } from '../../media/images/accept-image.ts';
import { replyNotes } from '../ai-calls/reply-fields.ts';
import { Anamnesis } from '../anamnesis/anamnesis.schemas.ts';
import { RedFlags } from '../red-flags/red-flags.schemas.ts';

export const PredictionConfidence = z
  .enum(['low', 'medium', 'high'])
  .meta({ id: 'PredictionConfidence', description: 'How sure the prediction is.' });
export type PredictionConfidence = z.infer<typeof PredictionConfidence>;

export const Prediction = z
  .object({
    disease: z.string().max(100).meta({ description: 'Stable code of the disease, such as `psoriasis`.' }),
    probability: z.number().min(0).max(1).meta({ description: '0 impossible to 1 certain.' }),
    confidence: PredictionConfidence,
    name: z
      .string()
      .max(200)
      .optional()
      .meta({ description: 'Name of the disease in the language of the request.' }),
    icd10: z.string().max(20).optional().meta({ description: 'Its ICD-10 code, such as `L40.0`.' }),
    explanation: z
      .array(z.string().max(500))
      .max(100)
      .optional()
      .meta({ description: 'Findings for and against it, in the language of the request.' }),
  })
  .meta({ id: 'Prediction', description: 'A disease and how probable it is. Not for clinical use.' });

export const ImageIssueDetail = z
  .object({
    code: z.string().max(100).meta({ description: 'The issue that this explains.' }),
    text: z
      .string()
      .max(1000)
      .meta({ description: 'How to take a better photo, in the language of the request.' }),
  })
  .meta({ id: 'ImageIssueDetail', description: 'An issue of a photo in words.' });

export const ImageValidity = z
  .object({
    isValid: z.boolean().meta({ description: 'Whether the photo can be used for a diagnosis.' }),
    score: z.number().min(0).max(1).meta({ description: '0 unusable to 1 perfect.' }),
    issues: z
      .array(z.string().max(100))
      .max(50)
      .meta({ description: 'Stable codes, such as `blurry`; at least one when invalid.' }),
    issueDetails: z
      .array(ImageIssueDetail)
      .max(50)
      .optional()
      .meta({ description: 'The same issues in words.' }),
    ...replyNotes,
  })
  .meta({ id: 'ImageValidity', description: 'The verdict on a photo, and its reasons.' });
export type ImageValidity = z.infer<typeof ImageValidity>;

/** The reply of `POST /api/diagnosis`. */
export const Diagnosis = z
  .object({
    predictions: z.array(Prediction).meta({ description: 'Most probable first; not for clinical use.' }),
    red_flags: RedFlags,
    image_validity: ImageValidity,
    ...replyNotes,
  })
  .meta({
    id: 'Diagnosis',
    description: 'Predictions, red flags and image verdict for one photo with its questionnaire.',
  });
export type Diagnosis = z.infer<typeof Diagnosis>;

/** The AI service's predictions; also the reply of the endpoint for predictions alone. */
export const Predictions = z
  .object({
    predictions: z.array(Prediction).max(100).meta({ description: 'Most probable first.' }),
    ...replyNotes,
  })
  .meta({ id: 'Predictions', description: 'Diseases that the answers point to. Not for clinical use.' });

/** What the AI service replies, in whatever order. */
export const PredictionsReply = Predictions.transform(({ predictions, ...notes }) => ({
  ...notes,
  predictions: predictions.toSorted((a, b) => b.probability - a.probability),
}));

/** What the AI service replies; a verdict without its reason is refused. */
export const ImageValidityReply = ImageValidity.refine((reply) => reply.isValid || reply.issues.length > 0, {
  error: 'an invalid image names at least one issue',
});

const anamnesisBytes = 64 * 1024;

/** The parts of a request for a diagnosis. */
export const diagnosisForm = {
  id: 'DiagnosisForm',
  description: 'A photo and its questionnaire.',
  maxBytes: imageLimits.maxBytes + anamnesisBytes + 16 * 1024,
  files: {
    image: {
      required: true,
      maxCount: 1,
      maxBytes: imageLimits.maxBytes,
      description: 'JPEG or PNG, at most 15 MB and 50 megapixels',
    },
  },
  fields: {
    anamnesis: {
      required: true,
      maxBytes: anamnesisBytes,
      description: 'The questionnaire, as JSON.',
      json: Anamnesis,
    },
  },
} as const;
