import { describe, expect, test } from 'vitest';
import { applyAnswer, type Answer } from '../src/apply-answer.ts';
import type { PartialAnamnesis } from '../../../../src/domain/intake/anamnesis/anamnesis.schemas.ts';
import type { NextQuestion } from '../../../../src/domain/intake/questions/question.schemas.ts';

const question = (questionType: NextQuestion['questionType'], fieldName: string): NextQuestion => ({
  questionId: 'q_any',
  questionText: '?',
  questionType,
  fieldName,
  options: [],
  isComplete: false,
});

const applied = (anamnesis: PartialAnamnesis, asked: NextQuestion, answer: Answer) =>
  applyAnswer({ anamnesis, skippedQuestions: [] }, asked, answer).anamnesis;

describe('an answer goes where fieldName says', () => {
  const cases: [NextQuestion, Answer, PartialAnamnesis, PartialAnamnesis][] = [
    [question('radio', 'complaint.duration'), 'one_day', {}, { complaint: { duration: 'one_day' } }],
    [
      question('number', 'symptoms.itchSeverity'),
      0,
      { symptoms: { local: ['itching'] } },
      { symptoms: { local: ['itching'], itchSeverity: 0 } },
    ],
    [question('bool', 'lesion.differentFromOthers'), false, {}, { lesion: { differentFromOthers: false } }],
    [question('checkbox', 'lesion.colors'), [], {}, { lesion: { colors: [] } }],
    [
      question('camera', 'images'),
      '/a',
      { images: [{ url: '/b' }] },
      { images: [{ url: '/b' }, { url: '/a' }] },
    ],
    [
      question('camera', 'images[0].url'),
      '/a',
      { images: [{ kind: 'close_up' }] },
      { images: [{ kind: 'close_up', url: '/a' }] },
    ],
    [question('bool', 'medications'), true, {}, { medications: [{}] }],
    [question('bool', 'medications'), false, {}, { medications: [] }],
    [
      question('text', 'medications[1].name'),
      'x',
      { medications: [{ name: 'w' }, { purpose: 'other_condition' }] },
      { medications: [{ name: 'w' }, { purpose: 'other_condition', name: 'x' }] },
    ],
    [
      question('checkbox', 'locations[].primary'),
      ['arm', 'leg'],
      {},
      { locations: [{ primary: 'arm' }, { primary: 'leg' }] },
    ],
    [
      question('checkbox', 'locations[0].secondary'),
      ['elbow', 'wrist'],
      { locations: [{ primary: 'arm', isMain: true }, { primary: 'leg' }] },
      {
        locations: [
          { primary: 'arm', isMain: true, secondary: 'elbow' },
          { primary: 'leg' },
          { primary: 'arm', secondary: 'wrist' },
        ],
      },
    ],
    [
      question('checkbox', 'locations[0].primary'),
      ['arm', 'leg'],
      { locations: [{ isMain: true }] },
      { locations: [{ isMain: true, primary: 'arm' }, { primary: 'leg' }] },
    ],
    [
      question('radio', 'locations[1].side'),
      'left',
      { locations: [{ primary: 'arm' }, { primary: 'leg' }] },
      { locations: [{ primary: 'arm' }, { primary: 'leg', side: 'left' }] },
    ],
  ];

  test.each(cases)('%o with %j', (asked, answer, before, after) => {
    const untouched = structuredClone(before);
    expect(applied(before, asked, answer)).toEqual(after);
    expect(before).toEqual(untouched);
  });
});

test.each([
  ['radio', 'complaint.course', undefined],
  ['text', 'complaint.description', ''],
  ['checkbox', 'locations[0].secondary', []],
] as const)('a %s question that gets nothing is left open, once', (type, fieldName, answer) => {
  const state = { anamnesis: { locations: [{ primary: 'arm' as const }] }, skippedQuestions: ['q_other'] };
  const once = applyAnswer(state, question(type, fieldName), answer);
  expect(once).toEqual({ anamnesis: state.anamnesis, skippedQuestions: ['q_other', 'q_any'] });
  expect(applyAnswer(once, question(type, fieldName), answer)).toEqual(once);
});
