import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  calibrate,
  calibration,
  contextOf,
  contexts,
  curveFor,
  type Curve,
  isBeyond,
} from '../../apps/ai-service/diagnosis/calibration.ts';
import { catalogue } from '../../apps/ai-service/diagnosis/catalogue.ts';
import { confidenceIn, diagnose, predict } from '../../apps/ai-service/diagnosis/predict.ts';
import { rankDiseases } from '../../apps/ai-service/diagnosis/rank.ts';
import { type Claim, fitIsotonic } from './isotonic.ts';
import { brierScore, chanceError, expectedCalibrationError } from './measures.ts';
import { melanomaCase } from '../../apps/ai-service/test/typical-cases.ts';

const { curves } = calibration;

const maximumOf = (curve: Curve) => Math.max(...curve.map(([, share]) => share));

/** `right` of `count` claims of this score. */
const claims = (score: number, count: number, right: number): Claim[] =>
  Array.from({ length: count }, (_, index) => ({ score, isRight: index < right }));

/** Any ranking: scores that fall and sum to 1. */
const ranking = fc
  .array(fc.double({ min: 1e-6, max: 1, noNaN: true }), { minLength: 1, maxLength: 66 })
  .map((weights) => {
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    return weights.map((weight) => weight / total).toSorted((a, b) => b - a);
  });

/** Any curve that a fit can give. */
const anyCurve = fc
  .uniqueArray(fc.integer({ min: 1, max: 1000 }), { minLength: 1, maxLength: 30 })
  .chain((scores) =>
    fc
      .array(fc.integer({ min: 1, max: 1000 }), { minLength: scores.length, maxLength: scores.length })
      .map((shares): Curve => {
        const rising = shares.toSorted((a, b) => a - b);
        return scores
          .toSorted((a, b) => a - b)
          .map((score, index) => [score / 1000, (rising[index] ?? 0) / 1000] as const);
      }),
  );

describe('calibrating a ranking', () => {
  test('keeps its order, stays below the largest measured share, and sums to 1 at most', () => {
    fc.assert(
      fc.property(ranking, anyCurve, (scores, curve) => {
        const probabilities = calibrate(scores, curve);
        expect(probabilities).toHaveLength(scores.length);
        for (const [index, probability] of probabilities.entries()) {
          expect(probability).toBeGreaterThanOrEqual(0);
          expect(probability).toBeLessThanOrEqual(maximumOf(curve));
          expect(probability).toBeLessThanOrEqual((probabilities[index - 1] ?? 1) + 1e-12);
        }
        expect(probabilities.reduce((sum, probability) => sum + probability, 0)).toBeLessThanOrEqual(
          1 + 1e-9,
        );
      }),
      {
        numRuns: 500,
        // Without a bound, rounding takes the share at 1 above the largest.
        examples: [
          [
            [1],
            [
              [0.993, 0.439],
              [1, 0.747],
            ],
          ],
          [[1, 0], [[1, 1]]],
        ],
      },
    );
  });

  test('never gives a higher score a lower probability', () => {
    const score = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(score, score, anyCurve, (one, other, curve) => {
        const [low = 0, high = 0] = [one, other].toSorted((a, b) => a - b);
        const [[ofLow = 0], [ofHigh = 0]] = [calibrate([low], curve), calibrate([high], curve)];
        expect(ofHigh).toBeGreaterThanOrEqual(ofLow - 1e-12);
      }),
      { numRuns: 500 },
    );
  });

  test('interpolates between points, rises from 0 before the first and stays level after the last', () => {
    const curve: Curve = [
      [0.2, 0.1],
      [0.6, 0.5],
    ];
    const at = (score: number) => calibrate([score], curve)[0];
    expect(at(0.1)).toBeCloseTo(0.05, 12);
    expect(at(0.2)).toBeCloseTo(0.1, 12);
    expect(at(0.3)).toBeCloseTo(0.2, 12);
    expect(at(0.99)).toBe(0.5);
    expect([isBeyond(0.6, curve), isBeyond(0.61, curve)]).toEqual([false, true]);
  });

  test('leaves the first its share and scales the others where all together would be more than 1', () => {
    const curve: Curve = [[0.5, 0.8]];
    const [first, ...others] = calibrate([0.5, 0.25, 0.25], curve);
    expect(first).toBe(0.8);
    expect(others).toEqual([expect.closeTo(0.1, 12), expect.closeTo(0.1, 12)]);
  });
});

describe('the shipped curves', () => {
  test.each(contexts)('of %s claim no prediction with more than 0.94', (context) => {
    const curve = curves[context];
    expect(maximumOf(curve)).toBeLessThanOrEqual(0.94);
    expect(calibrate([1], curve)).toEqual([maximumOf(curve)]);
  });

  test('one reply has one: a growth by whether its first prediction is benign, all else by none', () => {
    const disease = (slug: string) => catalogue.find((one) => one.slug === slug);
    expect(contextOf('growth_or_mole', disease('melanocytic_naevus'))).toBe('growth_benign_first');
    expect(contextOf('growth_or_mole', disease('actinic_keratosis'))).toBe('growth_suspicious_first');
    expect(contextOf('growth_or_mole', disease('melanoma'))).toBe('growth_suspicious_first');
    expect(contextOf('rash', disease('melanoma'))).toBe('other');
    expect(contextOf(undefined, undefined)).toBe('other');
  });
});

test('a first prediction that was hardly ever one gets the curve that claims least', () => {
  const curveOfFirst = (slug: string) =>
    curveFor(
      calibration,
      'growth_or_mole',
      catalogue.find((one) => one.slug === slug),
    );
  const least = Math.min(...contexts.map((context) => maximumOf(curves[context])));
  expect(calibration.measuredFirsts).not.toContain('melanoma');
  expect(maximumOf(curveOfFirst('melanoma'))).toBe(least);
  expect(curveOfFirst('basal_cell_carcinoma')).toBe(curves.growth_suspicious_first);
  const [first] = predict(melanomaCase);
  expect(first).toMatchObject({ disease: 'melanoma', confidence: 'low' });
  expect(first?.probability).toBeLessThanOrEqual(least);
});

describe('a prediction', () => {
  const classicHives = {
    patient: { ageYears: 24, gender: 'female' },
    complaint: { category: 'rash', duration: 'one_day', onsetSpeed: 'hours', course: 'comes_and_goes' },
    locations: [{ primary: 'trunk_front' }, { primary: 'arm' }, { primary: 'leg' }],
    lesion: { lesionTypes: ['wheal'], textures: ['raised_or_bumpy'], blanching: 'blanches' },
    symptoms: { local: ['itching'], timing: 'each_spot_under_24_hours', systemic: ['none'] },
    history: { skinConditions: ['urticaria'] },
  };

  test('however clear the answers are, claims no more than was measured', () => {
    const [raw] = rankDiseases(classicHives);
    const [first] = predict(classicHives);
    expect(raw?.disease.slug).toBe('urticaria');
    expect(raw?.probability).toBeGreaterThan(0.9);
    expect(first?.disease).toBe('urticaria');
    expect(first?.probability).toBeLessThanOrEqual(maximumOf(curves.other));
    expect(first?.confidence).toBe('low');
  });

  test('has the word of its calibrated probability, not of its score', () => {
    for (const anamnesis of [
      classicHives,
      { complaint: { category: 'growth_or_mole' }, patient: { ageYears: 22 }, lesion: { sizeMm: 4 } },
    ]) {
      for (const { probability, confidence } of predict(anamnesis)) {
        expect(confidence).toBe(confidenceIn(probability, 0));
      }
    }
  });

  test('stands in the order of the scores', () => {
    for (const anamnesis of [{}, classicHives, { complaint: { category: 'growth_or_mole' } }]) {
      expect(predict(anamnesis).map(({ disease }) => disease)).toEqual(
        rankDiseases(anamnesis)
          .slice(0, 5)
          .map(({ disease }) => disease.slug),
      );
    }
  });

  test('comes with a notice that the likelihood stops where the measurements do', () => {
    expect(diagnose(classicHives, 'en').notice).toMatch(/its likelihood is not raised for that/);
    expect(diagnose({ complaint: { category: 'rash' } }, 'en').notice).not.toMatch(/not raised/);
  });
});

describe('on rows written by hand', () => {
  // The model claims 90 % of what is right in 40 % of the cases, and 50 % of what is right in 20 %.
  const overconfident = [...claims(0.9, 50, 20), ...claims(0.5, 50, 10)];

  test('the expected calibration error is what one computes by hand', () => {
    expect(expectedCalibrationError(overconfident, 2)).toBeCloseTo((0.5 * 0.3 + 0.5 * 0.5) / 1, 12);
    expect(expectedCalibrationError(overconfident, 1)).toBeCloseTo(0.7 - 0.3, 12);
    expect(expectedCalibrationError(claims(0.25, 8, 2), 1)).toBe(0);
    expect(brierScore(claims(0.25, 4, 1))).toBeCloseTo((0.75 ** 2 + 3 * 0.25 ** 2) / 4, 12);
  });

  test('the curve that is fitted to them takes the error away', () => {
    const curve = fitIsotonic(overconfident, 10);
    const calibrated = overconfident.map(({ score, isRight }) => ({
      score: calibrate([score], curve)[0] ?? 0,
      isRight,
    }));
    expect(expectedCalibrationError(calibrated, 2)).toBeLessThan(1e-9);
    expect(brierScore(calibrated)).toBeLessThan(brierScore(overconfident));
  });

  test('true claims have a calibration error by chance, which shrinks with more rows', () => {
    const [few, many] = [chanceError(claims(0.5, 100, 50)), chanceError(claims(0.5, 10_000, 5000))];
    expect(few).toBeGreaterThan(0.05);
    expect(many).toBeLessThan(0.02);
    expect(chanceError(claims(0.5, 100, 50))).toBe(few);
  });
});
