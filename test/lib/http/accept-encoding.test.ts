import { expect, test } from 'vitest';
import { preferredEncoding } from '../../../src/lib/http/accept-encoding.ts';

test.each([
  [undefined, 'identity'],
  ['', 'identity'],
  ['identity', 'identity'],
  ['gzip', 'gzip'],
  ['gzip, deflate', 'gzip'],
  ['gzip, deflate, br', 'br'],
  ['br;q=0.5, gzip', 'gzip'],
  ['br;q=0, gzip;q=0.1', 'gzip'],
  ['gzip;q=0', 'identity'],
  ['gzip;q=0, *', 'br'],
  ['*', 'br'],
  ['*;q=0', 'identity'],
  ['identity, gzip;q=0.5', 'identity'],
  ['identity;q=0.5, gzip;q=0.8', 'gzip'],
  ['identity;q=0, gzip', 'gzip'],
  ['deflate', 'identity'],
  ['GZIP ; Q=1.000', 'gzip'],
  ['x-gzip', 'gzip'],
  ['gzip;q=nonsense', 'gzip'],
  [',,;;q=,', 'identity'],
])('%j is answered with %s', (header, encoding) => {
  expect(preferredEncoding(header)).toBe(encoding);
});
