import type { PartialAnamnesis } from '../anamnesis/anamnesis.schemas.ts';
import type { Language } from '../../../contract/language.ts';
import { evaluateRedFlags } from '../red-flags/evaluate-red-flags.ts';
import { isFlagTextDrafted } from '../red-flags/flag-text.ts';
import { redFlagRules } from '../red-flags/rules/red-flag-rules.ts';
import type { NextQuestion } from './question.schemas.ts';

/** No question is left. */
export const endOfQuestions: NextQuestion = {
  questionId: '',
  questionText: '',
  questionType: 'text',
  fieldName: '',
  options: [],
  isComplete: true,
  optionValues: [],
  progress: 1,
};

/** The end of a questionnaire whose answers show an emergency; undefined where they show none. */
export function endByEmergency(anamnesis: PartialAnamnesis, language: Language): NextQuestion | undefined {
  const { flagDetails } = evaluateRedFlags(anamnesis, redFlagRules, language);
  const emergencyDetails = flagDetails.filter(({ urgency }) => urgency === 'emergency');
  if (emergencyDetails.length === 0) return undefined;
  return {
    ...endOfQuestions,
    emergency: emergencyDetails.map(({ code }) => code),
    emergencyDetails,
    ...(isFlagTextDrafted(language) && { machineDrafted: true }),
  };
}
