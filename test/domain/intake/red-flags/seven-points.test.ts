import { describe, expect, test } from 'vitest';
import type { PartialAnamnesis } from '../../../../src/domain/intake/anamnesis/anamnesis.schemas.ts';
import { majorFeature, sevenPointsAtLeast } from '../../../../src/domain/intake/red-flags/findings/moles.ts';

/** Every feature was asked about and none was found. */
const nothing: PartialAnamnesis = {
  complaint: { category: 'growth_or_mole' },
  lesion: {
    changes: ['none'],
    border: 'sharp',
    symmetry: 'symmetrical',
    colorPattern: 'uniform',
    size: 'from_2_to_6_mm',
    discharge: 'none',
    surfaceChanges: ['none'],
  },
  symptoms: { local: ['none'] },
};

const also = ({ lesion, symptoms, complaint }: PartialAnamnesis): PartialAnamnesis => ({
  complaint: { ...nothing.complaint, ...complaint },
  lesion: { ...nothing.lesion, ...lesion },
  symptoms: { ...nothing.symptoms, ...symptoms },
});

/** The score that answers without a gap decide: the highest limit that is met. */
const scoreOf = (answers: PartialAnamnesis) =>
  Array.from({ length: 12 }, (_, index) => index + 1).filter(
    (least) => sevenPointsAtLeast(least)(answers).value,
  ).length;

const single: [points: number, what: string, answers: PartialAnamnesis][] = [
  [0, 'nothing of it', {}],
  [2, 'grew', { lesion: { changes: ['size'] } }],
  [2, 'irregular shape', { lesion: { shape: 'irregular' } }],
  [2, 'changed shape', { lesion: { changes: ['shape'] } }],
  [2, 'irregular and changed shape', { lesion: { shape: 'irregular', changes: ['shape'] } }],
  [2, 'a jagged edge and unequal halves', { lesion: { border: 'irregular', symmetry: 'asymmetrical' } }],
  [2, 'irregular pigment', { lesion: { colorPattern: 'irregular_pigment' } }],
  [2, 'three colours', { lesion: { colorPattern: 'three_or_more_colors' } }],
  [2, 'changed colour', { lesion: { changes: ['color'] } }],
  [1, '7 mm', { lesion: { sizeMm: 7, size: 'not_sure' } }],
  [1, 'from 7 to 10 mm', { lesion: { size: 'from_7_to_10_mm' } }],
  [1, 'over 50 mm', { lesion: { size: 'over_50_mm' } }],
  [1, 'both ways to give a size', { lesion: { size: 'from_7_to_10_mm', sizeMm: 8 } }],
  [1, 'inflamed', { lesion: { changes: ['inflammation'] } }],
  [1, 'started bleeding', { lesion: { changes: ['bleeding'] } }],
  [1, 'started crusting', { lesion: { changes: ['crusting'] } }],
  [1, 'bleeds', { symptoms: { local: ['bleeding'] } }],
  [1, 'crusted', { lesion: { surfaceChanges: ['crusted'] } }],
  [1, 'oozes', { lesion: { discharge: 'clear' } }],
  [1, 'bleeds, crusted and oozes', { lesion: { changes: ['bleeding', 'crusting'], discharge: 'blood' } }],
  [1, 'changed sensation', { lesion: { changes: ['sensation'] } }],
  [1, 'an itching mole', { symptoms: { local: ['itching'] } }],
  [1, 'a painful mole', { symptoms: { local: ['pain'] } }],
  [1, 'new', { lesion: { changes: ['new_lesion'] } }],
  [1, 'unlike the others', { lesion: { differentFromOthers: true } }],
  [0, 'an itching rash', { complaint: { category: 'rash' }, symptoms: { local: ['itching'] } }],
  [0, '6.9 mm', { lesion: { sizeMm: 6.9 } }],
  [0, 'a jagged edge alone', { lesion: { border: 'irregular' } }],
  [0, 'unequal halves alone', { lesion: { symmetry: 'asymmetrical' } }],
  [0, 'two colours of a round spot', { lesion: { colorPattern: 'two_colors', shape: 'round' } }],
  [0, 'a changed height', { lesion: { changes: ['elevation'] } }],
];

test.each(single)('%d points: %s', (points, _, answers) => {
  expect(scoreOf(also(answers))).toBe(points);
});

test('major features count two and minor ones one, up to eleven', () => {
  expect(scoreOf(also({ lesion: { changes: ['size', 'inflammation'] } }))).toBe(3);
  expect(scoreOf(also({ lesion: { changes: ['size', 'shape', 'color'] } }))).toBe(6);
  const every: PartialAnamnesis = {
    lesion: {
      changes: ['size', 'shape', 'color', 'inflammation', 'bleeding', 'sensation', 'new_lesion'],
      size: 'over_50_mm',
    },
  };
  expect(scoreOf(also(every))).toBe(11);
});

describe('a missing answer', () => {
  test('leaves the score open as long as it can reach the limit, and names what to ask', () => {
    const grown: PartialAnamnesis = { lesion: { changes: ['size'] } };
    const { value, openFields } = sevenPointsAtLeast(3)(grown);
    expect(value).toBeUndefined();
    expect(openFields).toEqual(
      expect.arrayContaining(['lesion.border', 'lesion.colorPattern', 'lesion.size']),
    );
  });

  test('changes nothing once the limit is reached, or cannot be reached any more', () => {
    expect(sevenPointsAtLeast(3)({ lesion: { changes: ['size', 'color'] } }).value).toBe(true);
    const { lesion } = nothing;
    expect(sevenPointsAtLeast(3)({ ...nothing, lesion: { ...lesion, size: 'not_sure' } }).value).toBe(false);
  });

  test('is no major feature', () => {
    expect(majorFeature({}).value).toBeUndefined();
    expect(majorFeature(nothing).value).toBe(false);
    expect(majorFeature(also({ lesion: { changes: ['color'] } })).value).toBe(true);
    expect(majorFeature(also({ lesion: { changes: ['inflammation'] } })).value).toBe(false);
  });
});
