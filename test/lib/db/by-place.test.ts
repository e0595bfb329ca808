import { expect, test } from 'vitest';
import { byPlace } from '../../../src/lib/db/by-place.ts';

test('each question gets its row, whatever order they come in, and undefined where there is none', () => {
  const [first, third] = [
    { place: 1, name: 'first' },
    { place: 3, name: 'third' },
  ];
  expect(byPlace([third, first], 4)).toEqual([first, undefined, third, undefined]);
  expect(byPlace([], 2)).toEqual([undefined, undefined]);
});
