import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  NextQuestionBody,
  splitNextQuestionRequest,
} from '../../../../src/domain/intake/questions/next-question-request.ts';
import { NextQuestionReply } from '../../../../src/domain/intake/questions/question.schemas.ts';

describe('skippedQuestions', () => {
  test('is removed from the body, which is otherwise the anamnesis', () => {
    const skippedQuestions = ['q_photo_overview', 'q_side[12]'];
    expect(splitNextQuestionRequest({ patient: {}, skippedQuestions })).toEqual({
      anamnesis: { patient: {} },
      skippedQuestions,
      errors: [],
    });
    expect(splitNextQuestionRequest({})).toEqual({ anamnesis: {}, skippedQuestions: [], errors: [] });
  });

  test.each([
    [null, ['/skippedQuestions', 'invalid_type']],
    ['q_side', ['/skippedQuestions', 'invalid_type']],
    [{}, ['/skippedQuestions', 'invalid_type']],
    [
      ['q_itch', 'q_itch'],
      ['/skippedQuestions', 'invalid_value'],
    ],
    [
      ['q_itch', 7],
      ['/skippedQuestions/1', 'invalid_type'],
    ],
    [[''], ['/skippedQuestions/0', 'too_small']],
    [['q'.repeat(61)], ['/skippedQuestions/0', 'too_big']],
    [Array.from({ length: 201 }, (_, index) => `q_${index}`), ['/skippedQuestions', 'too_big']],
  ])('as %j is refused by pointer', (skippedQuestions, [pointer, code]) => {
    const { errors } = splitNextQuestionRequest({ skippedQuestions });
    expect(errors).toEqual([expect.objectContaining({ pointer, code })]);
    expect(NextQuestionBody.safeParse({ skippedQuestions }).success).toBe(false);
  });
});

describe('a reply of the AI service', () => {
  const question = {
    questionId: 'q_different',
    questionText: 'Does it look different from your other moles?',
    questionType: 'bool',
    fieldName: 'lesion.differentFromOthers',
    options: ['Yes', 'No'],
    isComplete: false,
  };
  const end = { ...question, questionId: '', questionText: '', fieldName: '', options: [], isComplete: true };

  test('names its question as it likes: the question can be skipped by that name', () => {
    const id = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 70 }),
      fc.constantFrom('pets', 'q_abc2', 'q[100]', ' '),
    );
    fc.assert(
      fc.property(id, (questionId) => {
        fc.pre(NextQuestionReply.safeParse({ ...question, questionId }).success);
        expect(splitNextQuestionRequest({ skippedQuestions: [questionId] })).toEqual({
          anamnesis: {},
          skippedQuestions: [questionId],
          errors: [],
        });
      }),
    );
  });

  test('needs the contract’s six members only', () => {
    expect(NextQuestionReply.safeParse(question).success).toBe(true);
    expect(NextQuestionReply.safeParse(end).success).toBe(true);
  });

  test('is refused when a client could not act on it', () => {
    const optionValues = [true];
    for (const useless of [
      { ...question, optionValues },
      { ...question, questionId: '' },
      { ...question, fieldName: '' },
      { ...question, questionType: 'slider' },
      { ...question, isComplete: 'no' },
    ]) {
      expect(NextQuestionReply.safeParse(useless).success).toBe(false);
    }
  });
});
