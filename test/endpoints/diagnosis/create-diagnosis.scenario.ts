import { createDiagnosis } from '../../../src/functions/diagnosis/create-diagnosis.ts';
import { completeAnamnesis, minimalAnamnesis, moleAnamnesis, wrongAnamnesis } from '../patients.ts';
import { greyImage, photo, scenario } from '../scenario.ts';

export const createDiagnosisScenario = scenario({
  endpoint: createDiagnosis,
  as: 'patient',
  good: {
    complete: {
      title: 'A complete questionnaire',
      query: { lang: 'en' },
      form: { image: photo, anamnesis: completeAnamnesis },
    },
    minimal: {
      title: 'No more than what is required, in Spanish',
      query: { lang: 'es' },
      form: { image: photo, anamnesis: minimalAnamnesis },
    },
    suspicious_mole: {
      title: 'A suspicious mole, in Hebrew',
      query: { lang: 'he' },
      form: { image: photo, anamnesis: moleAnamnesis },
    },
    unusable_photo: {
      title: 'A photo that shows nothing, in Arabic',
      query: { lang: 'ar' },
      form: { image: greyImage, anamnesis: completeAnamnesis },
    },
  },
  mistakes: {
    key: {
      title: 'An idempotency key that is too short',
      code: 'validation_error',
      headers: { 'idempotency-key': 'short' },
      form: { image: photo, anamnesis: minimalAnamnesis },
    },
    text: {
      title: 'A questionnaire that is not JSON',
      code: 'malformed_json',
      form: { image: photo, anamnesis: 'itchy since Monday' },
    },
  },
  refusals: {
    answers: {
      title: 'Every wrong answer is named by its place',
      code: 'anamnesis_invalid',
      form: { image: photo, anamnesis: wrongAnamnesis },
    },
  },
});
