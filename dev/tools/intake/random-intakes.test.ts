import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { flow } from '../../apps/ai-service/questions/flow.ts';
import { nextQuestion } from '../../apps/ai-service/questions/next-question.ts';
import { type Answer, applyAnswer, type IntakeState } from '../../packages/client/src/apply-answer.ts';
import type { PartialAnamnesis } from '../../../src/domain/intake/anamnesis/anamnesis.schemas.ts';
import { Language } from '../../../src/contract/language.ts';
import { parseAnamnesis } from '../../../src/domain/intake/anamnesis/parse-anamnesis.ts';
import { agendaOf } from '../../../src/domain/intake/questions/agenda.ts';
import {
  type NextQuestion,
  NextQuestionReply,
} from '../../../src/domain/intake/questions/question.schemas.ts';
import { anyPartialAnamnesis, IMAGE_HOST } from '../../../test/domain/intake/anamnesis/arbitraries.ts';
import { anyAnswer, type Dice, diceFrom } from './random-patient.ts';
import { propertyRuns } from '../../../test/support/property-runs.ts';

interface Intake {
  asked: NextQuestion[];
  end: NextQuestion;
  state: IntakeState;
}

type Patient = (question: NextQuestion, state: IntakeState) => Answer;

/** Answers until the end; far beyond the promised 70 it gives up. */
function runIntake(start: PartialAnamnesis, language: Language, patient: Patient, patience = 200): Intake {
  let state: IntakeState = { anamnesis: start, skippedQuestions: [] };
  const asked: NextQuestion[] = [];
  for (;;) {
    const question = nextQuestion(state.anamnesis, state.skippedQuestions, language);
    if (question.isComplete) return { asked, end: question, state };
    asked.push(question);
    if (asked.length > patience) throw new Error(`Still asking: ${question.questionId}`);
    state = applyAnswer(state, question, patient(question, state));
  }
}

/** Any valid answer; most have no sign of an emergency, or few would get far. */
const anyone =
  (dice: Dice): Patient =>
  (question) =>
    question.questionId === 'q_safety' && dice(10) > 0 ? ['none'] : anyAnswer(question, dice);

/** Of a few valid answers the one that leads to the most questions, and to no emergency. */
const talkative =
  (dice: Dice): Patient =>
  (question, state) => {
    const answers = Array.from({ length: 8 }, () => anyAnswer(question, dice, { skips: false }));
    const followed = answers.map((answer) => {
      const { anamnesis, skippedQuestions } = applyAnswer(state, question, answer);
      const isEnd = nextQuestion(anamnesis, skippedQuestions).emergency !== undefined;
      return { answer, questions: isEnd ? -1 : agendaOf(flow, anamnesis, skippedQuestions).open.length };
    });
    return followed.toSorted((a, b) => b.questions - a.questions)[0]?.answer;
  };

function expectAccepted({ end, state }: Intake, language: Language): void {
  const partial = end.emergency !== undefined;
  const parsed = parseAnamnesis(state.anamnesis, { language, imageUrlHosts: [IMAGE_HOST], partial });
  expect(parsed).toMatchObject({ ok: true });
}

/** But what was skipped is asked once more when a later answer makes an urgent rule depend on it. */
function expectNoneTwice(asked: readonly NextQuestion[]): void {
  const ids = asked.map(({ questionId }) => questionId);
  const again = asked.filter(({ questionId }, at) => ids.indexOf(questionId) < at);
  for (const question of again) expect(question).toMatchObject({ safety: true, required: true });
  expect(new Set(again.map(({ questionId }) => questionId)).size).toBe(again.length);
}

const anySeed = fc.integer({ min: 0, max: 2 ** 31 });
const anyLanguage = fc.constantFrom(...Language.options);
const anyProfile = fc.constantFrom<PartialAnamnesis>(
  {},
  { patient: { ageYears: 34, gender: 'female' } },
  { patient: { ageGroup: 'age_60_to_69', gender: 'male' }, reporter: 'self' },
);

/** Of random patients; several tests read them. */
function playIntakes() {
  const anyBeginning = fc.record({ seed: anySeed, profile: anyProfile, language: anyLanguage });
  return fc.sample(anyBeginning, propertyRuns(120)).map(({ seed, profile, language }) => {
    return { seed, profile, language, intake: runIntake(profile, language, anyone(diceFrom(seed))) };
  });
}

let played: ReturnType<typeof playIntakes> | undefined;
const intakes = () => (played ??= playIntakes());

describe('any answers in any language', () => {
  test('reaches the end in any language in at most 70 questions, with an anamnesis that is accepted', () => {
    for (const { intake, ...begun } of intakes()) {
      expect(intake.asked.length, JSON.stringify(begun)).toBeLessThanOrEqual(70);
      expectAccepted(intake, begun.language);
    }
    // Both kinds of end were seen, often, and the questionnaire was not short only by luck.
    const emergencies = intakes().filter(({ intake }) => intake.end.emergency !== undefined).length;
    expect(new Set(intakes().map(({ language }) => language)).size).toBe(Language.options.length);
    expect(intakes().length - emergencies).toBeGreaterThan(20);
    expect(emergencies).toBeGreaterThan(3);
    expect(Math.max(...intakes().map(({ intake }) => intake.asked.length))).toBeGreaterThan(30);
  });

  test('even when every answer leads to as many questions as it can', () => {
    const counts = Array.from({ length: 6 }, (_, seed) => {
      const intake = runIntake({}, 'en', talkative(diceFrom(seed)), 70);
      expectAccepted(intake, 'en');
      return intake.asked.length;
    });
    expect(Math.max(...counts)).toBeGreaterThan(50);
  });

  test('is asked nothing twice, moves forward only, and gets questions that a portal can show', () => {
    for (const { intake, ...begun } of intakes()) {
      const { asked } = intake;
      const where = JSON.stringify(begun);
      expectNoneTwice(asked);
      const progress = asked.map((question) => question.progress ?? NaN);
      expect(progress, where).toEqual(progress.toSorted((a, b) => a - b));
      for (const question of asked) {
        expect(NextQuestionReply.safeParse(question), where).toMatchObject({ success: true });
        const { questionType, options, optionValues = [], min = 0, max = Infinity } = question;
        expect(new Set(options).size, where).toBe(options.length);
        expect(optionValues, where).toHaveLength(options.length);
        expect(min, where).toBeLessThanOrEqual(max);
        if (questionType === 'radio' || questionType === 'checkbox') {
          expect(optionValues.length, where).toBeGreaterThan(0);
        }
      }
    }
  });

  test('is asked for a note, if no emergency ends it, and by skipping for nothing twice that no rule needs', () => {
    let complete = 0;
    fc.assert(
      fc.property(anySeed, (seed) => {
        const dice = diceFrom(seed);
        const skips: Patient = (question, state) =>
          question.skippable === true ? undefined : anyone(dice)(question, state);
        const { asked, end, state } = runIntake({}, 'en', skips);
        const ids = asked.map(({ questionId }) => questionId);
        expectNoneTwice(asked);
        for (const { required, safety, optionValues = [] } of asked) {
          const canBeUnsure = optionValues.some((value) => value === 'not_sure' || value === 'unknown');
          if (safety === true && canBeUnsure) expect(required).toBe(true);
        }
        if (end.emergency !== undefined) return;
        complete += 1;
        expect(ids.at(-1)).toBe('q_notes');
        const { open } = agendaOf(flow, state.anamnesis, []);
        expect(open.filter(({ isRequired }) => isRequired)).toEqual([]);
      }),
      { numRuns: propertyRuns(60) },
    );
    expect(complete).toBeGreaterThan(6);
  });

  test('gets the same questions for the same answers', () => {
    for (const { intake, seed, language, profile } of intakes().slice(0, 25)) {
      expect(runIntake(profile, language, anyone(diceFrom(seed)))).toEqual(intake);
    }
  });

  test('can have begun anywhere: what a portal knows already is completed, not refused', () => {
    let complete = 0;
    // A photo of a place that has not been named yet is the one thing that later answers cannot mend.
    const anyStart = anyPartialAnamnesis.map((anamnesis) => {
      const { images, symptoms: _screen, ...others } = anamnesis as PartialAnamnesis;
      const unplaced = images?.map(({ locationIndex: _place, ...image }) => image);
      return { ...others, ...(unplaced !== undefined && { images: unplaced }) };
    });
    fc.assert(
      fc.property(anyStart, anySeed, anyLanguage, (start, seed, language) => {
        const intake = runIntake(start, language, anyone(diceFrom(seed)), 300);
        expectAccepted(intake, language);
        if (intake.end.emergency === undefined) complete += 1;
      }),
      { numRuns: propertyRuns(80) },
    );
    expect(complete).toBeGreaterThan(1);
  });
});
