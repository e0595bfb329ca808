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
} from '../client/src/index.ts';
import type { Backend, Photo } from './backends.ts';

export interface Step {
  question: NextQuestion;
  /** Undefined: left open. */
  answer: Answer;
  /** Of a photo. */
  verdict?: ImageValidity;
}

export interface Interview {
  steps: Step[];
  end: NextQuestion;
  anamnesis: PartialAnamnesis;
  redFlags: RedFlags;
  triage: Triage;
  /** Undefined after an emergency, where the advice is shown instead. */
  diagnosis: Diagnosis | undefined;
}

/** An intake as a portal does it, from the first question to the result. */
export async function interview(
  backend: Backend,
  photo: Photo,
  answerTo: (question: NextQuestion) => Answer,
): Promise<Interview> {
  let state: IntakeState = { anamnesis: {}, skippedQuestions: [] };
  const steps: Step[] = [];
  for (;;) {
    const question = await backend.nextQuestion(state);
    if (question.isComplete) {
      const { anamnesis } = state;
      return {
        steps,
        end: question,
        anamnesis,
        redFlags: await backend.redFlags(anamnesis),
        triage: await backend.triage(anamnesis),
        diagnosis: question.emergency ? undefined : await backend.diagnose(anamnesis, photo),
      };
    }
    if (steps.some((step) => step.question.questionId === question.questionId)) {
      throw new Error(`${question.questionId} was asked twice.`);
    }
    if (question.questionType === 'camera') {
      const url = await backend.keepPhoto(photo);
      const verdict = await backend.judgePhoto(photo);
      steps.push({ question, answer: url, verdict });
      state = withVerdict(applyAnswer(state, question, url), verdict);
    } else {
      const answer = answerTo(question);
      steps.push({ question, answer });
      state = applyAnswer(state, question, answer);
    }
  }
}

/** Keeps the verdict with the photo, where the questionnaire and the triage read it. */
function withVerdict(state: IntakeState, { isValid, score }: ImageValidity): IntakeState {
  const images = [...(state.anamnesis.images ?? [])];
  const quality = { isValid, score, measuredBy: 'ai_service' } as const;
  images[images.length - 1] = { ...images.at(-1), quality };
  return { ...state, anamnesis: { ...state.anamnesis, images } };
}
