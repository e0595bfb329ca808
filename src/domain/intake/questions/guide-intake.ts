import type { PartialAnamnesis } from '../anamnesis/anamnesis.schemas.ts';
import type { Language } from '../../../contract/language.ts';
import { agendaOf } from './agenda.ts';
import { endByEmergency, endOfQuestions } from './end-of-questions.ts';
import { flagText, isFlagTextDrafted } from '../red-flags/flag-text.ts';
import type { FlagDetail } from '../red-flags/red-flags.schemas.ts';
import type { NextQuestion } from './question.schemas.ts';
import { present } from './present.ts';
import { safetyQuestionnaire } from './safety-questionnaire.ts';

/**
 * The next question: the AI service's, unless an emergency, found by either side, ends the questions, or our own rules
 * need an answer first. When the AI service has no more questions, the open safety questions follow.
 */
export function guideIntake(
  fromAi: NextQuestion,
  { skippedQuestions, ...anamnesis }: PartialAnamnesis & { skippedQuestions: readonly string[] },
  language: Language,
): NextQuestion {
  const emergency = endByEmergency(anamnesis, language);
  const theirs = emergenciesOf(fromAi);
  if (emergency !== undefined || theirs.length > 0) {
    return withEmergencies(emergency ?? endOfQuestions, fromAi, theirs, language);
  }
  const { open, progress } = agendaOf(safetyQuestionnaire.questions, anamnesis, skippedQuestions);
  const [first] = open;
  const isNeeded = fromAi.isComplete || first?.steering !== undefined;
  // An end may name a question, but does not ask it.
  const isAskedByAi = !fromAi.isComplete && first?.fieldName === fromAi.fieldName;
  if (first === undefined || !isNeeded || isAskedByAi) return fromAi;
  const { notice, modelVersion } = fromAi;
  return {
    ...present(first, anamnesis, safetyQuestionnaire, language),
    progress: Math.max(fromAi.isComplete ? 0 : (fromAi.progress ?? 0), Math.round(progress * 1000) / 1000),
    ...(notice !== undefined && { notice }),
    ...(modelVersion !== undefined && { modelVersion }),
  };
}

/** Codes of the AI service's emergencies, also of those that only its details name. */
function emergenciesOf({ emergency = [], emergencyDetails = [] }: NextQuestion): string[] {
  const urgent = emergencyDetails.filter(({ urgency }) => urgency === 'emergency');
  return [...new Set([...emergency, ...urgent.map(({ code }) => code)])];
}

/** Our end with the emergencies of both, ours first, each in words; the AI service may find one that our rules do not. */
function withEmergencies(
  own: NextQuestion,
  fromAi: NextQuestion,
  theirs: readonly string[],
  language: Language,
): NextQuestion {
  const { emergency = [], emergencyDetails = [] } = own;
  const added = theirs.filter((code) => !emergency.includes(code));
  const theirDetails = (fromAi.emergencyDetails ?? []).filter(({ code }) => !emergency.includes(code));
  const inTheirWords = (code: string) => theirDetails.find((detail) => detail.code === code);
  const inOurWords = (code: string): FlagDetail => ({
    code,
    text: flagText(code, language) ?? flagText('urgent_by_ai', language),
    urgency: 'emergency',
  });
  // Flags beside the emergencies.
  const lesser = theirDetails.filter(({ code }) => !theirs.includes(code));
  const hasOurWords = added.some((code) => inTheirWords(code) === undefined);
  const { notice, modelVersion, machineDrafted } = fromAi;
  const isDrafted = machineDrafted === true || (hasOurWords && isFlagTextDrafted(language));
  return {
    ...own,
    emergency: [...emergency, ...added],
    emergencyDetails: [
      ...emergencyDetails,
      ...added.map((code) => inTheirWords(code) ?? inOurWords(code)),
      ...lesser,
    ],
    ...(isDrafted && { machineDrafted: true }),
    ...(notice !== undefined && { notice }),
    ...(modelVersion !== undefined && { modelVersion }),
  };
}
