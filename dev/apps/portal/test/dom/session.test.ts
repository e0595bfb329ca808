import { afterEach, expect, test, vi } from 'vitest';

const { isSignedIn, logOut, done, reply, signedIn } = vi.hoisted(() => ({
  isSignedIn: vi.fn<() => Promise<boolean>>(),
  logOut: vi.fn(async () => {}),
  signedIn: { uuid: 'ann', role: 'patient' },
  done: [] as string[],
  reply: { ok: true },
}));
vi.mock('../../src/session/route.ts', () => ({ go: () => {} }));
vi.mock('../../src/gateway/gateway.ts', () => ({
  callOnlyAs: () => {},
  dermagate: { session: { logOut } },
  isSignedIn,
  whoAmI: () => Promise.resolve({ ok: true, value: { user: { ...signedIn } } }),
}));
vi.mock('../../src/gateway/account-calls.ts', () => ({
  async endAllSessions() {
    done.push('sessions ended');
    return reply;
  },
}));
const { beforeSignOut, loseSession, onUserGone, openSession, session, signOut, signOutEverywhere } =
  await import('../../src/session/session.ts');

afterEach(() => isSignedIn.mockReset());

test('a browser whose storage cannot be read shows a failure, and the next attempt opens the session', async () => {
  isSignedIn.mockRejectedValueOnce(new DOMException('denied', 'SecurityError'));
  await openSession();
  expect(session.value).toEqual({ state: 'unreachable', failure: { code: 'unexpected', fields: {} } });
  isSignedIn.mockResolvedValueOnce(true);
  await openSession();
  expect(session.value).toEqual({ state: 'signed-in', user: signedIn });
});

test('where the browser lets nothing be stored, the portal has a language all the same, and another one when asked', async () => {
  const denied = () => {
    throw new DOMException('denied', 'SecurityError');
  };
  vi.stubGlobal('location', new URL('https://portal.example/cases'));
  vi.stubGlobal('history', { replaceState: () => {} });
  vi.stubGlobal('navigator', { languages: ['he'] });
  vi.stubGlobal('localStorage', { getItem: denied, setItem: denied });
  const { language, speak } = await import('../../src/i18n/language.ts');
  expect(language.value).toBe('he');
  speak('ar');
  expect(language.value).toBe('ar');
  vi.unstubAllGlobals();
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

async function openAs(uuid: string) {
  signedIn.uuid = uuid;
  isSignedIn.mockResolvedValueOnce(true);
  await openSession();
}

test('a lost session is known by the role of its user', async () => {
  await openAs('ann');
  loseSession();
  expect(session.value).toEqual({ state: 'signed-out', lost: true, role: 'patient' });
});

/** What is done by a sign-out of ann while `happen` comes before her answers are stored. */
async function signedOut(happen: () => unknown) {
  await openAs('ann');
  logOut.mockClear();
  const storing = Promise.withResolvers<void>();
  const removed: string[] = [];
  const forget = [
    beforeSignOut(async () => await storing.promise),
    onUserGone((except) => removed.push(except?.uuid ?? 'all')),
  ];
  const leaving = [signOut(), await happen()];
  storing.resolve();
  await Promise.all(leaving);
  forget.forEach((each) => each());
  return { state: session.value.state, logOuts: logOut.mock.calls.length, removed };
}

test('two presses of the button are one sign-out', async () => {
  expect(await signedOut(() => void signOut())).toEqual({
    state: 'signed-out',
    logOuts: 1,
    removed: ['all'],
  });
});

test('another user who comes while answers are stored before a sign-out stays signed in', async () => {
  const expected = { state: 'signed-in', logOuts: 0, removed: ['ben'] };
  expect(await signedOut(() => openAs('ben'))).toEqual(expected);
});

test('a sign-out removes everything although its session ends meanwhile', async () => {
  expect(await signedOut(loseSession)).toEqual({ state: 'signed-out', logOuts: 1, removed: ['all'] });
});
