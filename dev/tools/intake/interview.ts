import {
  type Answer,
  applyAnswer,
  type Diagnosis,
  type ImageValidity,
  type IntakeState,
  type NextQuestion,
  type PartialAnamnesis,
  type RedFlags,
  type Triage,
} from '../../packages/client/src/index.ts';
import type { Backend, Photo } from './backends.ts';

export interface Step {
  question: NextQuestion;
  /** Undefined: left open. */
  answer: Answer;
  /** Of a photo. */
  verdict?: ImageValidity;
}

/** Every question asked, and the results of the answers. */
export interface CollectedAnswers {
  steps: Step[];
  end: NextQuestion;
  anamnesis: PartialAnamnesis;
}

export interface Interview extends CollectedAnswers {
  redFlags: RedFlags;
  triage: Triage;
  /** Undefined after an emergency, which shows advice instead. */
  diagnosis: Diagnosis | undefined;
}

export interface Respondent {
  /** Undefined leaves the question open. */
  answerTo: (question: NextQuestion, anamnesis: PartialAnamnesis) => Answer;
  /** Whether the photo that a question asks for is taken; otherwise the question is left open. */
  takesPhoto: (question: NextQuestion) => boolean;
}

type QuestionsAndPhotos = Pick<Backend, 'nextQuestion' | 'keepPhoto' | 'judgePhoto'>;

/** Well above the maximum of 70 questions of an intake. */
const MAX_STEPS = 200;

/** Runs an intake as a portal does, from the first question to the result. @throws when a question is asked twice. */
export async function interview(
  backend: Backend,
  photo: Photo,
  answerTo: Respondent['answerTo'],
): Promise<Interview> {
  const respondent = { answerTo, takesPhoto: () => true };
  const { steps, end, anamnesis } = await collectAnswers(backend, photo, respondent, ({ questionId }) => {
    throw new Error(`${questionId} was asked twice.`);
  });
  return {
    steps,
    end,
    anamnesis,
    redFlags: await backend.redFlags(anamnesis),
    triage: await backend.triage(anamnesis),
    diagnosis: end.emergency ? undefined : await backend.diagnose(anamnesis, photo),
  };
}

/**
 * Runs the questions of an intake to the end.
 * @param onRepeat is called when a question is asked a second time.
 * @throws when the questions do not end.
 */
export async function collectAnswers(
  backend: QuestionsAndPhotos,
  photo: Photo,
  { answerTo, takesPhoto }: Respondent,
  onRepeat: (question: NextQuestion) => void,
): Promise<CollectedAnswers> {
  let state: IntakeState = { anamnesis: {}, skippedQuestions: [] };
  const steps: Step[] = [];
  for (;;) {
    const question = await backend.nextQuestion(state);
    if (question.isComplete) return { steps, end: question, anamnesis: state.anamnesis };
    if (steps.length === MAX_STEPS) throw new Error(`Still asking: ${question.questionId}`);
    if (steps.some((step) => step.question.questionId === question.questionId)) onRepeat(question);
    if (question.questionType === 'camera' && takesPhoto(question)) {
      const url = await backend.keepPhoto(photo);
      const verdict = await backend.judgePhoto(photo);
      steps.push({ question, answer: url, verdict });
      state = withVerdict(applyAnswer(state, question, url), verdict);
    } else {
      const answer = question.questionType === 'camera' ? undefined : answerTo(question, state.anamnesis);
      steps.push({ question, answer });
      state = applyAnswer(state, question, answer);
    }
  }
}

/** Adds the verdict to the photo, where questionnaire and triage read it. */
function withVerdict(state: IntakeState, { isValid, score }: ImageValidity): IntakeState {
  const images = [...(state.anamnesis.images ?? [])];
  const quality = { isValid, score, measuredBy: 'ai_service' } as const;
  images[images.length - 1] = { ...images.at(-1), quality };
  return { ...state, anamnesis: { ...state.anamnesis, images } };
}
