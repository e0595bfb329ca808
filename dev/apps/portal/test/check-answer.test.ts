import type { Answer, NextQuestion } from 'dermagate-client';
import { describe, expect, test } from 'vitest';
import { checkAnswer } from '../src/patient/intake/check-answer.ts';
import { entryOf } from '../src/patient/intake/entry-of.ts';
import { toggleChoice } from '../src/patient/questions/toggle-choice.ts';

const question = (
  questionType: NextQuestion['questionType'],
  bounds: Partial<NextQuestion> = {},
): NextQuestion => ({
  questionId: 'q_x',
  fieldName: 'x',
  questionType,
  questionText: '',
  options: [],
  isComplete: false,
  ...bounds,
});

const reasonOf = (...given: Parameters<typeof checkAnswer>) => {
  const checked = checkAnswer(...given);
  return checked.ok ? checked.answer : checked.reason;
};

describe('numbers', () => {
  const temperature = question('number', { min: 34, max: 43, step: 0.1 });
  test.each(['38.5', '38,5', ' 38.5 ', '٣٨٫٥', '۳۸.۵'])('%s is read as a number', (entry) => {
    expect(reasonOf(temperature, entry)).toBe(38.5);
  });
  test.each([
    ['', 'enterNumber'],
    ['hot', 'enterNumber'],
    ['33', 'enterBetween'],
    ['44', 'enterBetween'],
  ])('"%s" is refused with a reason', (entry, reason) => {
    expect(reasonOf(temperature, entry)).toBe(reason);
  });
  test('a fraction is refused where the question asks for a whole number', () => {
    const age = question('number', { min: 0, max: 120, step: 1 });
    expect(reasonOf(age, '41.5')).toBe('enterWhole');
    expect(reasonOf(age, '0')).toBe(0);
  });
});

test('choices respect the bounds, and no choice is never an answer', () => {
  const places = question('checkbox', { min: 0, max: 2 });
  expect(checkAnswer(places, [])).toEqual({ ok: false, reason: 'chooseSome', values: { min: 1 } });
  expect(reasonOf(places, ['a', 'b', 'c'])).toBe('chooseFewer');
  expect(reasonOf(places, ['a', 'b'])).toEqual(['a', 'b']);
});

test('a text is trimmed and must respect the gateway’s bounds', () => {
  const name = question('text', { min: 2, max: 4 });
  expect(reasonOf(name, '  abc ')).toBe('abc');
  expect(reasonOf(name, '   ')).toBe('enterText');
  expect(reasonOf(name, 'a')).toBe('textTooShort');
  expect(reasonOf(name, 'abcde')).toBe('textTooLong');
});

test('tabs of a pasted table, which the gateway refuses, become spaces', () => {
  expect(reasonOf(question('text', { max: 1000 }), 'Cream A\ttwice\vdaily\nCream B\t')).toBe(
    'Cream A twice daily\nCream B',
  );
});

test('"no" is an answer, no entry is not', () => {
  expect(reasonOf(question('bool'), false)).toBe(false);
  expect(reasonOf(question('bool'), undefined)).toBe('chooseOne');
  expect(reasonOf(question('radio'), 'left')).toBe('left');
});

test('"none" and everything else exclude each other', () => {
  expect(toggleChoice(['fever', 'chills'], 'none')).toEqual(['none']);
  expect(toggleChoice(['none'], 'fever')).toEqual(['fever']);
  expect(toggleChoice(['fever', 'chills'], 'fever')).toEqual(['chills']);
});

test('an earlier answer fills the input only with values still offered', () => {
  const step = (answer: Answer) => ({
    questionId: 'q_x',
    questionType: 'radio' as const,
    fieldName: 'x',
    ...(answer !== undefined && { answer }),
  });
  const offered = { options: ['A', 'B'], optionValues: ['a', 'b'] };
  expect(entryOf(question('checkbox', offered), step(['a', 'gone']))).toEqual(['a']);
  expect(entryOf(question('radio', offered), step('gone'))).toBeUndefined();
  expect(entryOf(question('radio', offered), step('b'))).toBe('b');
  expect(entryOf(question('bool', { options: ['Yes', 'No'] }), step(false))).toBe(false);
  expect(entryOf(question('number'), step(38.5))).toBe('38.5');
  expect(entryOf(question('text'), step('as it was'))).toBe('as it was');
  expect(entryOf(question('text'), undefined)).toBeUndefined();
});
