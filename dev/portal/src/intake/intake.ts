// What a patient has answered so far, and what "back" and "skip" do to it. Nothing here knows a question.
import {
  type Answer,
  applyAnswer,
  type Diagnosis,
  type IntakeState,
  type NextQuestion,
} from 'dermagate-client';
import type { Language } from '../i18n/texts.ts';

/** Of a photo: what the gateway's check said. */
export interface PhotoQuality {
  isValid: boolean;
  score: number;
}

/** A question that is done with; without an answer it was skipped. */
export interface Step extends Pick<NextQuestion, 'questionId' | 'questionType' | 'fieldName'> {
  answer?: Exclude<Answer, undefined>;
  quality?: PhotoQuality;
}

/** What somebody has entered who goes back without sending it. */
export type Unsent = Pick<Step, 'answer' | 'quality'>;

/** What the gateway has found, in the language in which it was asked. */
export interface KeptDiagnosis {
  findings: Diagnosis;
  language: Language;
  /** ISO 8601. */
  madeAt: string;
}

export interface Intake {
  steps: readonly Step[];
  /** What "back" took out or left unsent, by `questionId`: shown again when its question is asked again. */
  drafts: Readonly<Record<string, Step>>;
  /** Everything was looked through and sent; it ends with any change of the answers. */
  submitted?: true;
  /** Of these answers. Each diagnosis is a case of its own, so that looking again asks for no other. */
  diagnosis?: KeptDiagnosis;
}

export type IntakeEvent =
  | { type: 'answered'; question: NextQuestion; answer: Answer; quality?: PhotoQuality }
  | { type: 'skipped'; question: NextQuestion }
  /** `left` is the step of the question that was on the screen, with what was entered. */
  | { type: 'went-back'; left?: Step | undefined }
  | { type: 'submitted' }
  | { type: 'diagnosed'; diagnosis: KeptDiagnosis }
  | { type: 'started-again' };

export const emptyIntake: Intake = { steps: [], drafts: {} };

export function reduceIntake(intake: Intake, event: IntakeEvent): Intake {
  switch (event.type) {
    case 'answered':
      return withStep(intake, stepOf(event.question, event.answer, event.quality));
    case 'skipped':
      return withStep(intake, stepOf(event.question));
    case 'went-back': {
      const last = intake.steps.at(-1);
      if (last === undefined) return intake;
      const taken = [last, ...(event.left === undefined ? [] : [event.left])];
      const drafts = Object.fromEntries(taken.map((step) => [step.questionId, step]));
      return { steps: intake.steps.slice(0, -1), drafts: { ...intake.drafts, ...drafts } };
    }
    case 'submitted':
      return { ...intake, submitted: true };
    case 'diagnosed':
      return { ...intake, diagnosis: event.diagnosis };
    case 'started-again':
      return emptyIntake;
  }
}

export function stepOf(
  { questionId, questionType, fieldName }: NextQuestion,
  answer?: Answer,
  quality?: PhotoQuality,
): Step {
  return {
    questionId,
    questionType,
    fieldName,
    ...(answer !== undefined && { answer }),
    ...(quality !== undefined && { quality }),
  };
}

function withStep({ steps, drafts }: Intake, step: Step): Intake {
  const { [step.questionId]: _answeredNow, ...others } = drafts;
  return { steps: [...steps, step], drafts: others };
}

/** What the gateway is asked with: the steps, one after the other. */
export function stateOf({ steps }: Intake): IntakeState {
  return steps.reduce<IntakeState>(
    (state, step) => withQuality(applyAnswer(state, asQuestion(step), step.answer), step.quality),
    { anamnesis: {}, skippedQuestions: [] },
  );
}

/** Keeps the verdict with the photo, where questionnaire and triage read it. */
function withQuality(state: IntakeState, quality: PhotoQuality | undefined): IntakeState {
  if (quality === undefined) return state;
  const images = [...(state.anamnesis.images ?? [])];
  const last = images.pop();
  if (last === undefined) return state;
  const judged = { ...last, quality: { ...quality, measuredBy: 'ai_service' as const } };
  return { ...state, anamnesis: { ...state.anamnesis, images: [...images, judged] } };
}

const asQuestion = ({ questionId, questionType, fieldName }: Step): NextQuestion => ({
  questionId,
  questionType,
  fieldName,
  questionText: '',
  options: [],
  isComplete: false,
});

/** The photos among the answers, the first one asked for first. */
export const photosOf = ({ steps }: Intake): Step[] =>
  steps.filter(({ questionType, answer }) => questionType === 'camera' && answer !== undefined);

export const isAnswered = ({ answer }: Step): boolean => answer !== undefined && answer !== '';
