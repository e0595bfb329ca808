import { afterEach, expect, test, vi } from 'vitest';

const { isSignedIn, done, reply } = vi.hoisted(() => ({
  isSignedIn: vi.fn<() => Promise<boolean>>(),
  done: [] as string[],
  reply: { ok: true },
}));
vi.mock('../../src/session/route.ts', () => ({ go: () => {} }));
vi.mock('../../src/gateway/gateway.ts', () => ({
  callOnlyAs: () => {},
  isSignedIn,
  whoAmI: () => Promise.resolve({ ok: true, value: { user: { uuid: 'ann' } } }),
}));
vi.mock('../../src/gateway/account-calls.ts', () => ({
  async endAllSessions() {
    done.push('sessions ended');
    return reply;
  },
}));
const { beforeSignOut, onUserGone, openSession, session, signOutEverywhere } =
  await import('../../src/session/session.ts');

afterEach(() => isSignedIn.mockReset());

test('a browser whose storage cannot be read shows a failure, and the next attempt opens the session', async () => {
  isSignedIn.mockRejectedValueOnce(new DOMException('denied', 'SecurityError'));
  await openSession();
  expect(session.value).toEqual({ state: 'unreachable', failure: { code: 'unexpected', fields: {} } });
  isSignedIn.mockResolvedValueOnce(true);
  await openSession();
  expect(session.value).toEqual({ state: 'signed-in', user: { uuid: 'ann' } });
});

test.each([
  [true, 'signed-out', ['answers stored', 'sessions ended', 'removed']],
  [false, 'signed-in', ['answers stored', 'sessions ended']],
])('a sign-out everywhere first stores what is unstored; ended: %s', async (ok, state, expected) => {
  reply.ok = ok;
  isSignedIn.mockResolvedValueOnce(true);
  await openSession();
  done.length = 0;
  const forget = [
    beforeSignOut(async () => {
      await Promise.resolve();
      done.push('answers stored');
    }),
    onUserGone(() => done.push('removed')),
  ];
  await signOutEverywhere();
  expect([session.value.state, done]).toEqual([state, expected]);
  forget.forEach((each) => each());
});
