import { expect, test } from 'vitest';
import { sevenPointScore } from '../../../dev/ai-service/seven-point-score.ts';
import type { PartialAnamnesis } from '../../../src/domain/anamnesis/anamnesis.ts';
import { findingsOf } from '../../../src/domain/red-flags/findings.ts';

const score = (answers: PartialAnamnesis) => sevenPointScore(findingsOf(answers));

const single: [points: number, what: string, answers: PartialAnamnesis][] = [
  [2, 'grew', { lesion: { changes: ['size'] } }],
  [2, 'irregular shape', { lesion: { shape: 'irregular' } }],
  [2, 'changed shape', { lesion: { changes: ['shape'] } }],
  [2, 'irregular and changed shape', { lesion: { shape: 'irregular', changes: ['shape'] } }],
  [2, 'irregular pigment', { lesion: { colorPattern: 'irregular_pigment' } }],
  [2, 'three colours', { lesion: { colorPattern: 'three_or_more_colors' } }],
  [2, 'changed colour', { lesion: { changes: ['color'] } }],
  [1, '7 mm', { lesion: { sizeMm: 7 } }],
  [1, 'from 7 to 10 mm', { lesion: { size: 'from_7_to_10_mm' } }],
  [1, 'over 50 mm', { lesion: { size: 'over_50_mm' } }],
  [1, 'both ways to say a size', { lesion: { size: 'from_7_to_10_mm', sizeMm: 8 } }],
  [1, 'inflamed', { lesion: { changes: ['inflammation'] } }],
  [1, 'started bleeding', { lesion: { changes: ['bleeding'] } }],
  [1, 'started crusting', { lesion: { changes: ['crusting'] } }],
  [1, 'bleeds', { symptoms: { local: ['bleeding'] } }],
  [1, 'crusted', { lesion: { surfaceChanges: ['crusted'] } }],
  [1, 'oozes', { lesion: { discharge: 'clear' } }],
  [1, 'bleeds, crusted and oozes', { lesion: { changes: ['bleeding', 'crusting'], discharge: 'blood' } }],
  [1, 'changed sensation', { lesion: { changes: ['sensation'] } }],
  [1, 'an itching mole', { complaint: { category: 'growth_or_mole' }, symptoms: { local: ['itching'] } }],
  [1, 'a painful mole', { complaint: { category: 'growth_or_mole' }, symptoms: { local: ['pain'] } }],
  [0, 'an itching rash', { complaint: { category: 'rash' }, symptoms: { local: ['itching'] } }],
  [0, '6.9 mm', { lesion: { sizeMm: 6.9, size: 'from_2_to_6_mm' } }],
  [0, 'two colours', { lesion: { colorPattern: 'two_colors', shape: 'round' } }],
  [0, 'no change', { lesion: { changes: ['none'], discharge: 'none', surfaceChanges: ['none'] } }],
  [0, 'elevation and a new lesion', { lesion: { changes: ['elevation', 'new_lesion'] } }],
  [0, 'nothing answered', {}],
];

test.each(single)('%d points: %s', (points, _, answers) => {
  expect(score(answers)).toBe(points);
});

test('major features count two and minor ones one, up to ten', () => {
  expect(score({ lesion: { changes: ['size', 'inflammation'] } })).toBe(3);
  expect(score({ lesion: { changes: ['size', 'shape', 'color'] } })).toBe(6);
  expect(
    score({
      lesion: { changes: ['size', 'shape', 'color', 'inflammation', 'bleeding', 'sensation'], sizeMm: 12 },
    }),
  ).toBe(10);
});
