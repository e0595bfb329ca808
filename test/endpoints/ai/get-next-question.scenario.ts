import { getNextQuestion } from '../../../src/functions/ai/get-next-question.ts';
import { completeAnamnesis, emergencyAnamnesis, moleAnamnesis } from '../patients.ts';
import { scenario } from '../scenario.ts';
import { noObject, wrongAnswers } from './questionnaires.ts';

const half = { patient: moleAnamnesis.patient, complaint: { category: 'growth_or_mole' } };

export const getNextQuestionScenario = scenario({
  endpoint: getNextQuestion,
  as: 'patient',
  good: {
    first: { title: 'The first question', json: {} },
    en: { title: 'A question with choices, in English', json: half, query: { lang: 'en' } },
    he: { title: 'A question with choices, in Hebrew', json: half, query: { lang: 'he' } },
    ar: { title: 'A question with choices, in Arabic', json: half, query: { lang: 'ar' } },
    es: { title: 'A question with choices, in Spanish', json: half, query: { lang: 'es' } },
    end: {
      title: 'No question is left',
      json: { ...completeAnamnesis, skippedQuestions: ['q_medications'] },
    },
    emergency: {
      title: 'An emergency ends the questions',
      json: emergencyAnamnesis,
      query: { lang: 'en' },
    },
  },
  mistakes: noObject,
  refusals: {
    ...wrongAnswers,
    skipped: {
      title: 'A question is skipped by its id',
      code: 'anamnesis_invalid',
      pointers: ['/skippedQuestions/0'],
      json: { skippedQuestions: [''] },
    },
  },
});
