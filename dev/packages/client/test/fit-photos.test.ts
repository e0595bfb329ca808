import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fairShares, formLimits, photoLimits } from '../src/fit-photos.ts';
import { imageLimits, uploadLimits } from '../../../../src/domain/media/images/accept-image.ts';

test('the limits are the gateway’s', () => {
  expect(photoLimits).toEqual(imageLimits);
  expect(formLimits.maxBytes).toBe(uploadLimits.maxBytes);
});

test('photos that fit together keep their size', () => {
  expect(fairShares([1, 2, 3], 6)).toEqual([1, 2, 3]);
  expect(fairShares([], 6)).toEqual([]);
});

test('small photos keep their size, large ones share the rest equally', () => {
  expect(fairShares([100, 2, 50], 20)).toEqual([9, 2, 9]);
});

test('shares never exceed the photo, nor all together the form', () => {
  const sizes = fc.array(fc.nat(photoLimits.maxBytes), { maxLength: uploadLimits.maxFiles });
  fc.assert(
    fc.property(sizes, (bytes) => {
      const shares = fairShares(bytes, formLimits.maxBytes);
      expect(shares.reduce((sum, share) => sum + share, 0)).toBeLessThanOrEqual(formLimits.maxBytes);
      shares.forEach((share, index) => expect(share).toBeLessThanOrEqual(bytes[index] ?? 0));
    }),
  );
});
