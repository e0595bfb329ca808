import type { Measurements } from './measure.ts';

/** The values of `ImageQualityIssue` that one photo alone can show. */
export type ImageIssue =
  | 'unreadable'
  | 'unsupported_format'
  | 'resolution_too_low'
  | 'low_resolution'
  | 'blurry'
  | 'slightly_blurry'
  | 'too_dark'
  | 'dark'
  | 'overexposed'
  | 'glare'
  | 'low_contrast'
  | 'uneven_lighting'
  | 'no_skin_detected'
  | 'little_skin_visible'
  | 'bad_framing'
  | 'not_a_photo'
  | 'poor_quality';

export interface ImageVerdict {
  isValid: boolean;
  /** 0–1, three decimals. */
  score: number;
  issues: ImageIssue[];
}

/**
 * Thresholds measured on 69 real photos of PAD-UFES-20 (see the README): the commonly used Laplacian limit of 100 would
 * reject 43 of them.
 */
export function judge(measured: Measurements, { dermoscopic = false } = {}): ImageVerdict {
  const { sharpness, brightness, contrast, overexposedShare, entropyBits, unevenness, skinShare } = measured;
  const shortSide = Math.min(measured.widthPx, measured.heightPx);
  const longSide = Math.max(measured.widthPx, measured.heightPx);
  const tooDark = brightness < 50;
  const fails: ImageIssue[] = [];
  const warnings: ImageIssue[] = [];

  if (shortSide < 200) fails.push('resolution_too_low');
  else if (shortSide < 480) warnings.push('low_resolution');

  if (tooDark) fails.push('too_dark');
  else if (brightness < 75) warnings.push('dark');

  // Darkness flattens edges, so focus cannot be judged in an image that is too dark.
  if (!tooDark && sharpness < 5) fails.push('blurry');
  else if (!tooDark && sharpness < 12) warnings.push('slightly_blurry');

  if (overexposedShare > 0.35) fails.push('overexposed');
  else if (overexposedShare > 0.1) warnings.push('glare');

  if (contrast < 5) fails.push('low_contrast');
  else if (contrast < 9) warnings.push('low_contrast');

  if (!dermoscopic && skinShare < 0.01) fails.push('no_skin_detected');
  else if (!dermoscopic && skinShare < 0.12) warnings.push('little_skin_visible');

  if (entropyBits < 3) fails.push('not_a_photo');
  if (unevenness > 140) warnings.push('uneven_lighting');
  if (longSide > 4 * shortSide) warnings.push('bad_framing');

  const uncapped = qualityScore(measured, shortSide);
  const score = Math.round((fails.length > 0 ? Math.min(0.39, uncapped) : uncapped) * 1000) / 1000;
  const isValid = fails.length === 0 && score >= 0.4;
  const issues = [...fails, ...warnings];
  if (!isValid && issues.length === 0) issues.push('poor_quality');
  return { isValid, score, issues };
}

/** The verdict on bytes without measurable pixels. */
export function unusable(issue: 'unreadable' | 'unsupported_format'): ImageVerdict {
  return { isValid: false, score: 0, issues: [issue] };
}

function qualityScore(measured: Measurements, shortSide: number): number {
  const { sharpness, brightness, contrast, overexposedShare, skinShare } = measured;
  const badExposure = Math.max(0, (75 - brightness) / 40, (brightness - 190) / 50, overexposedShare / 0.35);
  return clamp(
    0.35 * clamp(Math.log(Math.max(sharpness, 1e-6) / 3) / Math.log(20)) +
      0.25 * clamp(1 - badExposure) +
      0.2 * clamp((shortSide - 150) / 570) +
      0.1 * clamp(skinShare / 0.3) +
      0.1 * clamp(contrast / 15),
  );
}

const clamp = (value: number) => Math.min(1, Math.max(0, value));
