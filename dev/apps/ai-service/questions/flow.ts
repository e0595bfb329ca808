import type { Language } from '../../../../src/contract/language.ts';
import type {
  Question,
  Questionnaire,
  QuestionText,
} from '../../../../src/domain/intake/questions/question.ts';
import { safetyQuestionnaire } from '../../../../src/domain/intake/questions/safety-questionnaire.ts';
import { backgroundQuestions } from '../../../../src/domain/intake/questions/background-questions.ts';
import { complaintQuestions } from '../../../../src/domain/intake/questions/complaint-questions.ts';
import { dangerQuestions } from '../../../../src/domain/intake/questions/danger-questions.ts';
import { loadMessages } from '../../../../src/domain/platform/texts/messages.ts';
import ar from '../messages/questions/ar.json' with { type: 'json' };
import en from '../messages/questions/en.json' with { type: 'json' };
import es from '../messages/questions/es.json' with { type: 'json' };
import he from '../messages/questions/he.json' with { type: 'json' };
import {
  appearanceDetails,
  backgroundDetails,
  lastQuestions,
  medicineDetails,
  photoQuestions,
} from './detail-questions.ts';

const texts = loadMessages<typeof en>({ en, he, ar, es });

/** The questionnaire: the gateway's safety questions in order, with the engine's questions between them. */
export const flow: readonly Question[] = [
  ...dangerQuestions,
  ...complaintQuestions,
  ...photoQuestions,
  ...appearanceDetails,
  ...backgroundQuestions,
  ...backgroundDetails,
  ...medicineDetails,
  ...lastQuestions,
];

export const questionnaire: Questionnaire = {
  questions: flow,
  textOf: (id, language: Language) =>
    (texts.in(language) as Readonly<Record<string, QuestionText>>)[id] ??
    safetyQuestionnaire.textOf(id, language),
  isDrafted: texts.isMachineDrafted,
};
