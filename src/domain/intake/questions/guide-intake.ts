import type { PartialAnamnesis } from '../anamnesis/anamnesis.schemas.ts';
import type { Language } from '../../../contract/language.ts';
import { agendaOf } from './agenda.ts';
import { endByEmergency, endOfQuestions } from './end-of-questions.ts';
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
  if (emergency !== undefined) return withEmergenciesOf(fromAi, emergency);
  if ((fromAi.emergency?.length ?? 0) > 0) return withEmergenciesOf(fromAi, endOfQuestions);
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

/** Our end with the emergencies of both, ours first; the AI service may find one that our rules do not. */
function withEmergenciesOf(fromAi: NextQuestion, own: NextQuestion): NextQuestion {
  const { emergency = [], emergencyDetails = [] } = own;
  const isNew = (code: string) => !emergency.includes(code);
  const { notice, modelVersion, machineDrafted } = fromAi;
  return {
    ...own,
    emergency: [...emergency, ...(fromAi.emergency ?? []).filter(isNew)],
    emergencyDetails: [
      ...emergencyDetails,
      ...(fromAi.emergencyDetails ?? []).filter(({ code }) => isNew(code)),
    ],
    ...(machineDrafted === true && { machineDrafted }),
    ...(notice !== undefined && { notice }),
    ...(modelVersion !== undefined && { modelVersion }),
  };
}
