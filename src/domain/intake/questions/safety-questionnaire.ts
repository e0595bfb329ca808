import type { Language } from '../../../contract/language.ts';
import { loadMessages } from '../../platform/texts/messages.ts';
import ar from './messages/ar.json' with { type: 'json' };
import en from './messages/en.json' with { type: 'json' };
import es from './messages/es.json' with { type: 'json' };
import he from './messages/he.json' with { type: 'json' };
import type { Questionnaire, QuestionText } from './question.ts';
import { safetyQuestions } from './safety-questions.ts';

const texts = loadMessages<typeof en>({ en, he, ar, es });

/** The questions that the red-flag rules read: the gateway asks those that an AI service does not. */
export const safetyQuestionnaire: Questionnaire = {
  questions: safetyQuestions,
  textOf: (id, language: Language) =>
    (texts.in(language) as Readonly<Record<string, QuestionText>>)[id] ?? { text: id },
  isDrafted: texts.isMachineDrafted,
};
