import type { Claim } from './isotonic.ts';

/** Bins of the expected calibration error. */
export const BINS = 10;

/**
 * Expected calibration error: claims by rising probability in bins of equal size; the mean distance between a bin's claimed
 * and actual share of right claims, weighted by size. (Naeini et al. 2015; bins of equal size as Nixon et al. 2019.)
 */
export function expectedCalibrationError(claims: readonly Claim[], bins = BINS): number {
  const sorted = claims.toSorted((a, b) => a.score - b.score);
  return inBins(sorted, bins).reduce((error, bin) => {
    const claimed = bin.reduce((sum, { score }) => sum + score, 0);
    const right = bin.filter(({ isRight }) => isRight).length;
    return error + Math.abs(claimed - right) / claims.length;
  }, 0);
}

/** Parts of equal size, in order. */
export function inBins<Item>(sorted: readonly Item[], bins: number): Item[][] {
  const start = (bin: number) => Math.floor((bin * sorted.length) / bins);
  return Array.from({ length: bins }, (_, bin) => sorted.slice(start(bin), start(bin + 1)));
}

/** Mean squared distance between claims and outcomes (Brier score); lower is better. */
export const brierScore = (claims: readonly Claim[]): number =>
  claims.reduce((sum, { score, isRight }) => sum + (score - Number(isRight)) ** 2, 0) / claims.length;

/**
 * The mean calibration error of perfectly calibrated claims, which is not 0 with few rows. The random numbers are seeded, so
 * that the same claims give the same figure.
 */
export function chanceError(claims: readonly Claim[], rounds = 50): number {
  const dice = diceFrom(1);
  let total = 0;
  for (let round = 0; round < rounds; round += 1) {
    total += expectedCalibrationError(claims.map(({ score }) => ({ score, isRight: dice() < score })));
  }
  return total / rounds;
}

/** Mulberry32: numbers from 0 up to 1. */
function diceFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
