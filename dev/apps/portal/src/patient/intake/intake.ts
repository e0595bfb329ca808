// The answers so far, and what "back", "skip" and "change" do to them. Nothing here depends on a particular question.
import {
  type Answer,
  applyAnswer,
  type CaseCreation,
  type Diagnosis,
  type IntakeState,
  type NextQuestion,
  type PartialAnamnesis,
  type Profile,
  type RedFlags,
} from 'dermagate-client';
import type { AskedQuestion } from '../../gateway/asked-question.ts';
import type { Language } from '../../i18n/texts.ts';
import { type Wording, wordingOf } from './wording.ts';

/** The gateway's verdict on a photo. */
export interface PhotoQuality {
  isValid: boolean;
  score: number;
}

type Asked = Pick<NextQuestion, 'questionId' | 'questionType' | 'fieldName'>;

/** A question that was answered or, without an answer, skipped. */
export interface Step extends Asked {
  answer?: Exclude<Answer, undefined>;
  quality?: PhotoQuality;
  /** A safety rule reads the answer. */
  safety?: true;
  /** Absent from steps that an older portal stored. */
  wording?: Wording;
}

/** An entry that was not sent when the patient goes back. */
export type Unsent = Pick<Step, 'answer' | 'quality'>;

/** A diagnosis, in the language in which it was requested. */
export interface StoredDiagnosis {
  findings: Diagnosis;
  language: Language;
  /** ISO 8601. */
  madeAt: string;
}

/** A diagnosis that was requested and has not arrived yet. */
export interface AskedDiagnosis {
  /** Idempotency key, the same for every attempt, even after a reload: a lost reply makes no second case. */
  key: string;
  language: Language;
}

/** Whom an intake is about: one of the account's profiles. */
export type IntakePerson = Pick<Profile, 'uuid' | 'relation'>;

/** The case that an intake becomes; there is never a second one. */
export interface IntakeCase {
  /** Chosen before the first attempt to send it, so that a lost reply makes no second case. */
  clientId: string;
  /** What the first attempt to make it has sent: until its reply arrives nothing else makes the same case. */
  creation?: CaseCreation;
  /** The gateway has these answers; any change of them resets this. */
  stored?: true;
  /** Known once the gateway has the case. */
  uuid?: string;
  /** Of a draft, which the next attempt changes. */
  version?: number;
  /** The service has asked for answers: sending it again is the reply. */
  held?: true;
  /** It is with the doctors. */
  sent?: true;
}

export interface Intake {
  steps: readonly Step[];
  /** Answers of a draft that is continued: the steps come on top of them. */
  base?: PartialAnamnesis;
  /** Answers of a draft that is continued as if it had been begun here: each is repeated when its question is asked. */
  found?: PartialAnamnesis;
  person?: IntakePerson;
  /** The patient goes on without choosing a person: nothing more is stored, and the person is asked before sending. */
  personLater?: true;
  case?: IntakeCase;
  /** Answers that "back" removed and entries not sent, by `questionId`: offered when their question returns. */
  drafts: Readonly<Record<string, Step>>;
  /** Answers after a changed one: each is repeated when its question is asked and the answer still fits. */
  ahead?: readonly Step[];
  /** The intake before a change, until the changed question has a new answer. */
  before?: Intake;
  /** The urgent flags that the answers have raised; later answers remove them only by a check that finds none. */
  urgent?: RedFlags;
  /** The answers were confirmed and sent; any change resets this. */
  submitted?: true;
  askedDiagnosis?: AskedDiagnosis;
  /** Of these answers. Each diagnosis is a case of its own, so a second visit must not request another. */
  diagnosis?: StoredDiagnosis;
}

export type IntakeEvent =
  | { type: 'answered'; question: AskedQuestion; answer: Answer; quality?: PhotoQuality }
  | { type: 'skipped'; question: AskedQuestion }
  /** `left` is the step of the question on the screen, with its entry. */
  | { type: 'went-back'; left?: Step | undefined }
  /** The question left the screen without an answer; `left` is its step, with its entry. */
  | { type: 'entry-left'; left: Step }
  /** The question of the step at `index` is asked again; the answers after it wait for their questions. */
  | { type: 'changed'; index: number }
  /** An answer from before the change is repeated. */
  | { type: 'repeated'; question: AskedQuestion; step: Step }
  /**
   * Every answer of the draft that was continued has found its question; `asksSkipped`: one has found none, and what was
   * skipped for it is asked.
   */
  | { type: 'continued'; asksSkipped?: true }
  /** No question is left: answers whose questions did not return are no longer part of the intake. */
  | { type: 'completed' }
  | { type: 'submitted' }
  | { type: 'diagnosis-asked'; asked: AskedDiagnosis }
  /** No attempt with its key can succeed anymore. */
  | { type: 'diagnosis-abandoned' }
  | { type: 'diagnosed'; diagnosis: StoredDiagnosis }
  /** What a check of the answers has found. */
  | { type: 'flags-checked'; urgent: RedFlags | undefined }
  /** `base`: the answers that the gateway has by now; the steps stay on top of them. */
  | { type: 'case-known'; case: IntakeCase; base?: PartialAnamnesis }
  /** With `base` the questions continue where the answers end; with `found` each answer can be changed. */
  | ({ type: 'draft-continued'; case: IntakeCase; person?: IntakePerson } & (
      | { base: PartialAnamnesis }
      | { found: PartialAnamnesis }
    ))
  | { type: 'person-chosen'; person: IntakePerson }
  | { type: 'person-postponed' }
  /** The answers become a case of their own; another device has gone on with the draft. */
  | { type: 'draft-left' }
  | { type: 'started-again' };

export const emptyIntake: Intake = { steps: [], drafts: {} };

export function reduceIntake(intake: Intake, event: IntakeEvent): Intake {
  const { base, case: ownCase, found, person, personLater, urgent } = intake;
  switch (event.type) {
    case 'started-again':
      return emptyIntake;
    case 'draft-continued': {
      const { type: _type, ...continued } = event;
      return { ...emptyIntake, ...continued };
    }
    case 'case-known':
      return { ...intake, case: event.case, ...(event.base && { base: event.base }) };
    case 'flags-checked': {
      const { urgent: _before, ...answers } = intake;
      return { ...answers, ...(event.urgent && { urgent: event.urgent }) };
    }
    case 'person-chosen': {
      const { personLater: _asked, ...answers } = intake;
      return { ...answers, person: event.person };
    }
    case 'person-postponed':
      return { ...intake, personLater: true };
    case 'draft-left': {
      const { case: _left, ...answers } = intake;
      return answers;
    }
    default: {
      const next = reduceAnswers(intake, event);
      const isChanged = next.steps !== intake.steps;
      // An answer of the draft that is repeated is stored already, and its end takes back none.
      const isOfDraft = event.type === 'continued' || (event.type === 'repeated' && found && !intake.ahead);
      const isStored = !isChanged || isOfDraft;
      // Other answers than the doctors have are a case of their own; a draft follows its answers.
      const kept = ownCase?.sent === true && isChanged ? undefined : ownCase;
      if ([base, kept, found, person, personLater, urgent].every((part) => part === undefined)) return next;
      return {
        ...next,
        ...(base && { base }),
        ...(found && !endsContinuing.has(event.type) && { found }),
        ...(person && { person }),
        ...(personLater && { personLater }),
        ...(urgent && { urgent }),
        ...(kept && { case: isStored ? kept : unstored(kept) }),
      };
    }
  }
}

/** From then on the answers here count: none of the draft is repeated anymore. */
const endsContinuing: ReadonlySet<IntakeEvent['type']> = new Set([
  'continued',
  'completed',
  'went-back',
  'changed',
]);

const unstored = ({ stored: _stored, ...others }: IntakeCase): IntakeCase => others;

type CaseEvent = Extract<
  IntakeEvent,
  {
    type:
      | 'started-again'
      | 'draft-continued'
      | 'flags-checked'
      | 'case-known'
      | 'person-chosen'
      | 'person-postponed'
      | 'draft-left';
  }
>;

function reduceAnswers(intake: Intake, event: Exclude<IntakeEvent, CaseEvent>): Intake {
  switch (event.type) {
    case 'answered':
      return withStep(intake, stepOf(event.question, event.answer, event.quality));
    case 'skipped':
      return withStep(intake, stepOf(event.question));
    case 'repeated':
      return withStep(intake, stepOf(event.question, event.step.answer, event.step.quality));
    case 'entry-left':
      return { ...intake, drafts: { ...intake.drafts, ...byQuestion([event.left]) } };
    case 'went-back':
      return intake.before ?? withoutLastStep(intake, event.left);
    case 'changed':
      return withChange(intake, event.index);
    case 'completed': {
      const { ahead = [], ...rest } = intake;
      return { ...rest, drafts: { ...byQuestion(ahead), ...rest.drafts } };
    }
    case 'continued': {
      const { found: _found, ...rest } = intake;
      if (event.asksSkipped !== true) return rest;
      return { ...rest, steps: rest.steps.slice(0, rest.steps.findLastIndex(isAnswered) + 1) };
    }
    case 'submitted':
      return { ...intake, submitted: true };
    case 'diagnosis-asked':
      return { ...intake, askedDiagnosis: event.asked };
    case 'diagnosis-abandoned':
      return withoutAskedDiagnosis(intake);
    case 'diagnosed':
      return { ...withoutAskedDiagnosis(intake), diagnosis: event.diagnosis };
  }
}

export function stepOf(question: AskedQuestion, answer?: Answer, quality?: PhotoQuality): Step {
  const { questionId, questionType, fieldName, safety } = question;
  return {
    questionId,
    questionType,
    fieldName,
    ...(answer !== undefined && { answer }),
    ...(quality !== undefined && { quality }),
    ...(safety === true && { safety }),
    wording: wordingOf(question, answer),
  };
}

function withStep({ steps, drafts, ahead }: Intake, step: Step): Intake {
  const { [step.questionId]: _answeredNow, ...others } = drafts;
  return { steps: [...steps, step], drafts: others, ...waiting(ahead, [step]) };
}

function withoutAskedDiagnosis({ askedDiagnosis: _asked, ...rest }: Intake): Intake {
  return rest;
}

function withoutLastStep(intake: Intake, left: Step | undefined): Intake {
  const { steps, drafts, ahead } = intake;
  const last = steps.at(-1);
  if (last === undefined) return intake;
  const taken = [last, ...(left === undefined ? [] : [left])];
  return { steps: steps.slice(0, -1), drafts: { ...drafts, ...byQuestion(taken) }, ...waiting(ahead, []) };
}

/** An emergency may have ended the questions while answers were waiting: they stay in `ahead`. */
function withChange(intake: Intake, index: number): Intake {
  const { steps, drafts, ahead = [] } = intake;
  const changed = steps[index];
  if (changed === undefined) return intake;
  return {
    steps: steps.slice(0, index),
    drafts: { ...drafts, ...byQuestion([changed]) },
    ...waiting([...steps.slice(index + 1), ...ahead], [changed]),
    before: intake,
  };
}

/** The steps of `ahead` whose question is not among `answered`. */
function waiting(ahead: readonly Step[] = [], answered: readonly Step[]): Pick<Intake, 'ahead'> {
  const left = ahead.filter((step) => answered.every(({ questionId }) => questionId !== step.questionId));
  return left.length === 0 ? {} : { ahead: left };
}

const byQuestion = (steps: readonly Step[]) =>
  Object.fromEntries(steps.map((step) => [step.questionId, step]));

/** The request to the gateway: all steps applied in order. */
export function stateOf({ steps, base = {} }: Pick<Intake, 'steps' | 'base'>): IntakeState {
  return steps.reduce<IntakeState>(
    (state, step) => withQuality(applyAnswer(state, asQuestion(step), step.answer), step.quality),
    { anamnesis: base, skippedQuestions: [] },
  );
}

/** Adds the verdict to the photo, where questionnaire and triage read it. */
function withQuality(state: IntakeState, quality: PhotoQuality | undefined): IntakeState {
  if (quality === undefined) return state;
  const images = [...(state.anamnesis.images ?? [])];
  const last = images.pop();
  if (last === undefined) return state;
  const judged = { ...last, quality: { ...quality, measuredBy: 'ai_service' as const } };
  return { ...state, anamnesis: { ...state.anamnesis, images: [...images, judged] } };
}

export const asQuestion = ({ questionId, questionType, fieldName }: Asked): NextQuestion => ({
  questionId,
  questionType,
  fieldName,
  questionText: '',
  options: [],
  isComplete: false,
});

export const isAnswered = ({ answer }: Step): boolean => answer !== undefined && answer !== '';
