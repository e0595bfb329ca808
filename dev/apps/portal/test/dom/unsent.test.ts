import { beforeEach, expect, test, vi } from 'vitest';
import { loseSession, signIn, signOut } from './fake-session.ts';

vi.mock('../../src/session/session.ts', () => import('./fake-session.ts'));
const { unsentOf } = await import('../../src/session/unsent.ts');

const release = vi.fn<(photos: string[]) => void>();
const message = () => unsentOf('reply a', '');
const photos = () => unsentOf<string[]>('photos a', [], release);

beforeEach(() => {
  signOut();
  signIn('ann');
  message().value = 'typed';
  photos().value = ['one'];
  release.mockClear();
});

test('what was typed is back when its user signs in again after the session has ended', () => {
  loseSession();
  signIn('ann');
  expect([message().value, photos().value]).toEqual(['typed', ['one']]);
  expect(unsentOf('reply b', '').value).toBe('');
  expect(release).not.toHaveBeenCalled();
});

test.each([
  ['by a sign-out', signOut],
  ['by another user', loseSession],
])('nothing of it reaches the next user, and it is gone: ended %s', (_, end) => {
  const shown = message();
  end();
  signIn('ben');
  expect([message().value, photos().value]).toEqual(['', []]);
  expect(release).toHaveBeenCalledExactlyOnceWith(['one']);
  expect(shown.value).toBe('');
  signOut();
  signIn('ann');
  expect([message().value, photos().value]).toEqual(['', []]);
});
