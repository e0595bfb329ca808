import type { PartialAnamnesis } from '../../../src/domain/anamnesis/anamnesis.ts';
import type { Language } from '../../../src/domain/anamnesis/enums/patient.ts';
import type { NextQuestion } from '../../../src/domain/questions/next-question.ts';
import { evaluateRedFlags } from '../../../src/domain/red-flags/evaluate-red-flags.ts';
import { isFlagTextDrafted } from '../../../src/domain/red-flags/flag-text.ts';
import { redFlagRules } from '../red-flag-rules.ts';
import { agendaOf } from './agenda.ts';
import { areQuestionsDrafted, present } from './present.ts';

/**
 * The first question whose answer is missing; the end when none is. An emergency ends the questionnaire at once: the
 * patient shall get help, not answer questions. The same answers always give the same question.
 *
 * @param skippedQuestions ids of questions that were left open; required ones are asked nevertheless.
 */
export function nextQuestion(
  anamnesis: PartialAnamnesis,
  skippedQuestions: readonly string[],
  language: Language = anamnesis.language ?? 'en',
): NextQuestion {
  const { flagDetails } = evaluateRedFlags(anamnesis, redFlagRules, language);
  const emergencies = flagDetails.filter(({ urgency }) => urgency === 'emergency');
  if (emergencies.length > 0) {
    return {
      ...end,
      emergency: emergencies.map(({ code }) => code),
      emergencyDetails: emergencies,
      ...(isFlagTextDrafted(language) && { machineDrafted: true }),
    };
  }
  const { open, progress } = agendaOf(anamnesis, skippedQuestions);
  const [place] = open;
  if (place === undefined) return end;
  return {
    ...present(place, anamnesis, language),
    progress: Math.round(progress * 1000) / 1000,
    ...(areQuestionsDrafted(language) && { machineDrafted: true }),
  };
}

const end: NextQuestion = {
  questionId: '',
  questionText: '',
  questionType: 'text',
  fieldName: '',
  options: [],
  isComplete: true,
  optionValues: [],
  progress: 1,
};
