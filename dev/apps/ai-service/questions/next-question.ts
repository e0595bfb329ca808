import type { PartialAnamnesis } from '../../../../src/domain/intake/anamnesis/anamnesis.schemas.ts';
import type { Language } from '../../../../src/contract/language.ts';
import { agendaOf } from '../../../../src/domain/intake/questions/agenda.ts';
import { endOfQuestions, endByEmergency } from '../../../../src/domain/intake/questions/end-of-questions.ts';
import type { NextQuestion } from '../../../../src/domain/intake/questions/question.schemas.ts';
import { present } from '../../../../src/domain/intake/questions/present.ts';
import { questionnaire } from './flow.ts';

/**
 * The first unanswered question, or the end. An emergency ends the questionnaire immediately: the patient needs help, not
 * questions. The same answers always give the same question.
 *
 * @param skippedQuestions ids of skipped questions; required ones are asked nevertheless.
 */
export function nextQuestion(
  anamnesis: PartialAnamnesis,
  skippedQuestions: readonly string[],
  language: Language = anamnesis.language ?? 'en',
): NextQuestion {
  const emergency = endByEmergency(anamnesis, language);
  if (emergency !== undefined) return emergency;
  const { open, progress } = agendaOf(questionnaire.questions, anamnesis, skippedQuestions);
  const [place] = open;
  if (place === undefined) return endOfQuestions;
  return {
    ...present(place, anamnesis, questionnaire, language),
    progress: Math.round(progress * 1000) / 1000,
  };
}
