import { expect, test } from 'vitest';
import { refuseMisspelt } from './rig.ts';

test.each([
  ['/api/auth/me?fast=true', /has no query parameter fast/],
  ['/api/auth/mee', /has no GET/],
])('a benchmark of %s is refused', (path, fault) => {
  const load = { kind: 'http', origin: 'http://x', method: 'GET', path, status: 200 } as const;
  expect(() => refuseMisspelt(load)).toThrow(fault);
  expect(() => refuseMisspelt({ ...load, path: '/bare?anything=goes' })).not.toThrow();
  expect(() => refuseMisspelt({ ...load, path: '/api/auth/me' })).not.toThrow();
});
