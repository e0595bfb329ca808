import { expect, test } from 'vitest';
import { photoLimits, shrink, sizeToRedraw } from '../src/patient/photo/fit-photo.ts';
import { imageLimits } from '../../../../src/domain/media/images/accept-image.ts';

const phone = { type: 'image/jpeg', bytes: 4_000_000, width: 4000, height: 3000 };

test('the limits are the gateway’s', () => {
  expect(photoLimits).toEqual(imageLimits);
});

test('a photo within the limits is sent unchanged', () => {
  expect(sizeToRedraw(phone)).toBeUndefined();
  expect(sizeToRedraw({ ...phone, type: 'image/png' })).toBeUndefined();
  expect(sizeToRedraw({ ...phone, bytes: photoLimits.maxBytes })).toBeUndefined();
});

test('too many bytes or a foreign format: redrawn at the same size', () => {
  const size = { width: 4000, height: 3000 };
  expect(sizeToRedraw({ ...phone, bytes: photoLimits.maxBytes + 1 })).toEqual(size);
  expect(sizeToRedraw({ ...phone, type: 'image/webp' })).toEqual(size);
});

test('too many pixels: redrawn in the same proportions, just within the limit', () => {
  const size = sizeToRedraw({ ...phone, width: 12_000, height: 9000 });
  const { width = 0, height = 0 } = size ?? {};
  expect(width * height).toBeLessThanOrEqual(photoLimits.maxPixels);
  expect(width * height).toBeGreaterThan(photoLimits.maxPixels * 0.99);
  expect(width / height).toBeCloseTo(12 / 9, 2);
});

test('a photo is never enlarged and never reduced to nothing', () => {
  expect(shrink({ width: 10, height: 10 }, 1000)).toEqual({ width: 10, height: 10 });
  expect(shrink({ width: 100_000, height: 1 }, 100)).toEqual({ width: 3162, height: 1 });
});
