import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Claim, fitIsotonic } from './isotonic.ts';

const claim = (score: number, isRight: number): Claim => ({ score, isRight: isRight === 1 });

test('neighbours that fall are pooled until the shares rise', () => {
  // 0.1 → 0, 0.2 → 1 and 0.3 → 0 pooled to a half, 0.4 → 1.
  const claims = [claim(0.3, 0), claim(0.1, 0), claim(0.4, 1), claim(0.2, 1)];
  // The lowest was never right: the curve rises from 0 to its neighbour.
  expect(fitIsotonic(claims, 1)).toEqual([
    [0.2, 0.5],
    [0.4, 1],
  ]);
});

test('a block that is too small goes to its neighbour, the last one to the one before', () => {
  const claims = [
    ...Array.from({ length: 10 }, (_, index) => claim(0.1 + index / 100, index === 9 ? 1 : 0)),
    claim(0.9, 1),
  ];
  const curve = fitIsotonic(claims, 10);
  expect(new Set(curve.map(([, share]) => share))).toEqual(new Set([Number((2 / 11).toFixed(3))]));
});

test('too few claims, or none that is right, make no curve', () => {
  expect(() => fitIsotonic([claim(0.5, 1)], 2)).toThrow('1 claims are too few for a curve.');
  expect(() => fitIsotonic([claim(0.5, 0), claim(0.6, 0)], 1)).toThrow('too few for a curve');
});

test('for any claims the points rise and no share exceeds the best one with enough claims', () => {
  const anyClaim = fc.record({ score: fc.double({ min: 0.01, max: 1, noNaN: true }), isRight: fc.boolean() });
  fc.assert(
    fc.property(fc.array(anyClaim, { minLength: 40, maxLength: 200 }), (claims) => {
      const rightOnes = claims.filter(({ isRight }) => isRight).length;
      fc.pre(rightOnes > 0);
      const curve = fitIsotonic(claims, 20);
      for (const [index, [score, share]] of curve.entries()) {
        const [scoreBefore, shareBefore] = curve[index - 1] ?? [0, 0];
        expect(score).toBeGreaterThan(scoreBefore);
        expect(share).toBeGreaterThanOrEqual(shareBefore);
      }
      expect(curve.at(-1)?.[1]).toBeLessThanOrEqual(Math.min(1, rightOnes / 20) + 0.001);
    }),
  );
});
