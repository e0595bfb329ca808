import { expect, test } from 'vitest';
import { applyAnswer, type NextQuestion, type PartialAnamnesis } from '../../../packages/client/src/index.ts';
import { foundStep, isContained } from '../src/patient/intake/found-answers.ts';
import { emptyIntake, type Intake, reduceIntake, stateOf } from '../src/patient/intake/intake.ts';
import { answerToRepeat, isContinuing } from '../src/patient/intake/repeat-answer.ts';

type Asked = Pick<NextQuestion, 'questionId' | 'questionType' | 'fieldName'>;

const given: readonly (readonly [Asked, string | number | boolean | readonly string[]])[] = [
  [{ questionId: 'q_age', questionType: 'number', fieldName: 'patient.ageYears' }, 40],
  [{ questionId: 'q_where', questionType: 'checkbox', fieldName: 'locations[].primary' }, ['arm', 'leg']],
  [
    { questionId: 'q_exact[0]', questionType: 'checkbox', fieldName: 'locations[0].secondary' },
    ['elbow', 'wrist'],
  ],
  [{ questionId: 'q_exact[1]', questionType: 'checkbox', fieldName: 'locations[1].secondary' }, ['knee']],
  [{ questionId: 'q_side[2]', questionType: 'radio', fieldName: 'locations[2].side' }, 'left'],
  [{ questionId: 'q_colors', questionType: 'checkbox', fieldName: 'lesion.colors' }, ['red', 'brown']],
  [{ questionId: 'q_med', questionType: 'bool', fieldName: 'medications' }, true],
  [{ questionId: 'q_med_name[0]', questionType: 'text', fieldName: 'medications[0].name' }, 'Cream'],
  [{ questionId: 'q_photo', questionType: 'camera', fieldName: 'images' }, '/api/common/images/one'],
  [{ questionId: 'q_photo_2', questionType: 'camera', fieldName: 'images' }, '/api/common/images/two'],
];

const asQuestion = (asked: Asked, more: Partial<NextQuestion> = {}): NextQuestion => ({
  ...asked,
  questionText: '',
  options: [],
  isComplete: false,
  ...more,
});

const whole = given.reduce((state, [asked, answer]) => applyAnswer(state, asQuestion(asked), answer), {
  anamnesis: {} as PartialAnamnesis,
  skippedQuestions: [] as readonly string[],
}).anamnesis;

test('every kind of answer is found again in the anamnesis that it has led to', () => {
  let now: PartialAnamnesis = {};
  for (const [asked, answer] of given) {
    expect([asked.questionId, foundStep(whole, now, asked)?.answer]).toEqual([asked.questionId, answer]);
    now = applyAnswer({ anamnesis: now, skippedQuestions: [] }, asQuestion(asked), answer).anamnesis;
  }
  expect(now).toEqual(whole);
});

test('no medicine is an answer, and an absent list is none', () => {
  const asked = { questionId: 'q_med', questionType: 'bool', fieldName: 'medications' } as const;
  expect(foundStep({ medications: [] }, {}, asked)?.answer).toBe(false);
  expect(foundStep({}, {}, asked)).toBeUndefined();
});

test('what the gateway completes by itself is no answer of another device', () => {
  const completed: PartialAnamnesis = {
    ...whole,
    reporter: 'self',
    schemaVersion: '1',
    images: [{ url: '/api/common/images/one', widthPx: 9 }, { url: '/api/common/images/two' }],
  };
  expect(isContained(completed, whole)).toBe(true);
  expect(isContained({ ...completed, complaint: { category: 'rash' } }, whole)).toBe(false);
  expect(isContained({ lesion: { colors: ['brown', 'red'] } }, whole)).toBe(true);
  expect(isContained({ lesion: { colors: ['brown'] } }, whole)).toBe(false);
});

test('a continued draft repeats its answers, skips what was skipped, and stops where it ended', () => {
  const known = { clientId: 'one', uuid: 'made', version: 2, stored: true } as const;
  let intake: Intake = reduceIntake(emptyIntake, { type: 'draft-continued', found: whole, case: known });
  const skipped = asQuestion(
    { questionId: 'q_impact', questionType: 'radio', fieldName: 'complaint.impact' },
    { skippable: true },
  );
  for (const [asked, answer] of given) {
    expect(isContinuing(intake)).toBe(true);
    const values = [answer].flat().map(String);
    const question = asQuestion(asked, {
      options: values,
      ...(Array.isArray(answer) || typeof answer === 'string' ? { optionValues: values } : {}),
    });
    if (asked.questionId === 'q_colors') {
      const none = answerToRepeat(intake, skipped);
      expect(none).toMatchObject({ questionId: 'q_impact' });
      expect(none?.answer).toBeUndefined();
      intake = reduceIntake(intake, { type: 'skipped', question: skipped });
    }
    const step = answerToRepeat(intake, question);
    expect(step?.answer).toEqual(answer);
    if (step !== undefined) intake = reduceIntake(intake, { type: 'repeated', question, step });
  }
  expect(isContinuing(intake)).toBe(false);
  expect(answerToRepeat(intake, skipped)).toBeUndefined();
  expect(stateOf(intake)).toEqual({ anamnesis: whole, skippedQuestions: ['q_impact'] });
  expect(intake.steps).toHaveLength(given.length + 1);
});

test('answers of a continued draft are stored already; the next one is not', () => {
  const known = { clientId: 'one', uuid: 'made', version: 2, stored: true } as const;
  const [[asked, answer] = [], [where] = []] = given;
  if (asked === undefined || where === undefined) throw new Error('There are answers.');
  const start = reduceIntake(emptyIntake, { type: 'draft-continued', found: whole, case: known });
  const step = { ...asked, answer: answer as number };
  const repeated = reduceIntake(start, { type: 'repeated', question: asQuestion(asked), step });
  expect(repeated.case?.stored).toBe(true);
  const next = reduceIntake(repeated, { type: 'answered', question: asQuestion(where), answer: ['arm'] });
  expect(next.case).toEqual({ clientId: 'one', uuid: 'made', version: 2 });
});

test('back from a continued draft asks again, instead of repeating the answer', () => {
  const known = { clientId: 'one', uuid: 'made', version: 2, stored: true } as const;
  const [[asked, answer] = []] = given;
  if (asked === undefined) throw new Error('There are answers.');
  const start = reduceIntake(emptyIntake, { type: 'draft-continued', found: whole, case: known });
  const step = { ...asked, answer: answer as number };
  const repeated = reduceIntake(start, { type: 'repeated', question: asQuestion(asked), step });
  const back = reduceIntake(repeated, { type: 'went-back' });
  expect(answerToRepeat(back, asQuestion(asked))).toBeUndefined();
  expect(back.drafts['q_age']?.answer).toBe(answer);
  expect(reduceIntake(repeated, { type: 'continued' }).found).toBeUndefined();
});
