import { expect, test } from 'vitest';
import { withoutDemoUsers } from './without-demo-users.ts';

const ours = { isDevelopment: true, isOurs: true, isAsked: false };

test('demo users go into a database that a start made itself, and into another one only when asked for', () => {
  expect(withoutDemoUsers(ours)).toBeUndefined();
  expect(withoutDemoUsers({ ...ours, isOurs: false })).toContain('--seed');
  expect(withoutDemoUsers({ ...ours, isOurs: false, isAsked: true })).toBeUndefined();
});

test('production never gets them', () => {
  expect(withoutDemoUsers({ isDevelopment: false, isOurs: true, isAsked: true })).toContain('production');
});
