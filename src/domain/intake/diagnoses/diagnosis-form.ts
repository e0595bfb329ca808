import { Anamnesis } from '../anamnesis/anamnesis.ts';
import { imageLimits } from '../../media/images/accept-image.ts';

const anamnesisBytes = 64 * 1024;

/** The parts of a request for a diagnosis. */
export const diagnosisForm = {
  id: 'DiagnosisForm',
  description: 'A photo and the questionnaire that belongs to it.',
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
