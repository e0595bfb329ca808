import type { PartialAnamnesis } from '../anamnesis/anamnesis.schemas.ts';
import { areLabelsDrafted, yesAndNo } from '../anamnesis/labels.ts';
import type { Language } from '../../../contract/language.ts';
import { agendaOf } from './agenda.ts';
import { endByEmergency, endOfQuestions } from './end-of-questions.ts';
import { isFlagTextDrafted, wordsFor } from '../red-flags/flag-text.ts';
import type { FlagDetail } from '../red-flags/red-flags.schemas.ts';
import type { NextQuestion } from './question.schemas.ts';
import { present } from './present.ts';
import { safetyQuestionnaire } from './safety-questionnaire.ts';

/**
 * The next question: the AI service's, unless an emergency, found by either side, ends the questions, or our own rules
 * need an answer first. When the AI service has no more questions, or only one that was asked, the open safety questions follow.
 */
export function guideIntake(
  reply: NextQuestion,
  { skippedQuestions, ...anamnesis }: PartialAnamnesis & { skippedQuestions: readonly string[] },
  language: Language,
): NextQuestion {
  const emergency = endByEmergency(anamnesis, language);
  const theirs = emergenciesOf(reply);
  if (emergency !== undefined || theirs.length > 0) {
    return withEmergencies(emergency ?? endOfQuestions, reply, theirs, language);
  }
  const asked = withYesAndNo(withoutEmergency(reply), language);
  const fromAi = isRepeated(asked, anamnesis, skippedQuestions) ? endWithNotes(asked) : asked;
  const { open, progress } = agendaOf(safetyQuestionnaire.questions, anamnesis, skippedQuestions);
  const [first] = open;
  const isNeeded = fromAi.isComplete || first?.steering !== undefined;
  // An end may name a question, but does not ask it.
  const isAskedByAi = !fromAi.isComplete && first?.fieldName === fromAi.fieldName;
  if (first === undefined || !isNeeded || isAskedByAi) return fromAi;
  return {
    ...present(first, anamnesis, safetyQuestionnaire, language),
    progress: Math.max(fromAi.isComplete ? 0 : (fromAi.progress ?? 0), Math.round(progress * 1000) / 1000),
    ...notesOf(fromAi),
  };
}

const notesOf = ({ notice, modelVersion }: NextQuestion) => ({
  ...(notice !== undefined && { notice }),
  ...(modelVersion !== undefined && { modelVersion }),
});

const endWithNotes = (reply: NextQuestion): NextQuestion => ({ ...endOfQuestions, ...notesOf(reply) });

/** Whether it was answered, or skipped and may be skipped again: asked for ever, it would hold up every safety question. */
function isRepeated(
  { isComplete, questionId, fieldName, skippable }: NextQuestion,
  anamnesis: PartialAnamnesis,
  skippedQuestions: readonly string[],
): boolean {
  if (isComplete) return false;
  return (skippable === true && skippedQuestions.includes(questionId)) || isAnswered(anamnesis, fieldName);
}

/** Photos and regions are lists to which an answer adds. */
function isAnswered(anamnesis: PartialAnamnesis, fieldName: string): boolean {
  if (/^(?:images|locations)(?:\[\]|$)/.test(fieldName)) return false;
  const keys = fieldName.split(/[.[\]]+/).filter((key) => key !== '');
  return keys.reduce<unknown>(memberOf, anamnesis) !== undefined;
}

const memberOf = (container: unknown, key: string): unknown =>
  typeof container === 'object' && container !== null && Object.hasOwn(container, key)
    ? (container as Record<string, unknown>)[key]
    : undefined;

/** A client ends the questions where there is a list of emergencies, even an empty one. */
function withoutEmergency(reply: NextQuestion): NextQuestion {
  if (reply.emergency === undefined && reply.emergencyDetails === undefined) return reply;
  const { emergency: _none, emergencyDetails: _lesser, ...question } = reply;
  return question;
}

/** A question for yes or no can be answered also where the AI service has sent no labels. */
function withYesAndNo(question: NextQuestion, language: Language): NextQuestion {
  if (question.isComplete || question.questionType !== 'bool' || question.options.length > 0) return question;
  const isDrafted = question.machineDrafted === true || areLabelsDrafted(language);
  return {
    ...question,
    options: yesAndNo(language),
    optionValues: [true, false],
    ...(isDrafted && { machineDrafted: true }),
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
  const theirDetails = (fromAi.emergencyDetails ?? []).filter(
    ({ code, text }) => !emergency.includes(code) && text.trim() !== '',
  );
  const inTheirWords = (code: string): FlagDetail | undefined => {
    const detail = theirDetails.find((each) => each.code === code);
    return detail && { ...detail, urgency: 'emergency' };
  };
  const inOurWords = (code: string): FlagDetail => ({
    code,
    text: wordsFor(code, language),
    urgency: 'emergency',
  });
  // Flags beside the emergencies.
  const lesser = theirDetails.filter(({ code }) => !theirs.includes(code));
  const hasOurWords = added.some((code) => inTheirWords(code) === undefined);
  const { machineDrafted } = fromAi;
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
    ...notesOf(fromAi),
  };
}
