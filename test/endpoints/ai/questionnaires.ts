import {
  completeAnamnesis,
  emergencyAnamnesis,
  minimalAnamnesis,
  moleAnamnesis,
  wrongAnamnesis,
} from '../patients.ts';
import type { Good, Refusal } from '../scenario.ts';

/** What every endpoint answers that takes a questionnaire as JSON, complete or not. */
export const questionnaires: Readonly<Record<string, Good>> = {
  complete: { title: 'A complete questionnaire', json: completeAnamnesis },
  suspicious_mole: {
    title: 'A suspicious mole, not complete',
    json: moleAnamnesis,
    query: { lang: 'en' },
  },
  emergency: { title: 'An emergency, in Arabic', json: emergencyAnamnesis, query: { lang: 'ar' } },
  minimal: {
    title: 'No more than what is required, in Spanish',
    json: minimalAnamnesis,
    query: { lang: 'es' },
  },
};

export const wrongAnswers: Readonly<Record<string, Refusal>> = {
  answers: {
    title: 'Every wrong answer is named, also of an incomplete questionnaire',
    code: 'anamnesis_invalid',
    json: wrongAnamnesis,
  },
};

export const noObject: Readonly<Record<string, Refusal>> = {
  list: { title: 'A list is not a questionnaire', code: 'validation_error', json: [] },
};
