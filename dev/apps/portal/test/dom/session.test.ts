import { afterEach, expect, test, vi } from 'vitest';

const isSignedIn = vi.hoisted(() => vi.fn<() => Promise<boolean>>());
vi.mock('../../src/session/route.ts', () => ({ go: () => {} }));
vi.mock('../../src/gateway/gateway.ts', () => ({
  callOnlyAs: () => {},
  isSignedIn,
  whoAmI: () => Promise.resolve({ ok: true, value: { user: { uuid: 'ann' } } }),
}));
const { openSession, session } = await import('../../src/session/session.ts');

afterEach(() => isSignedIn.mockReset());

test('a browser whose storage cannot be read shows a failure, and the next attempt opens the session', async () => {
  isSignedIn.mockRejectedValueOnce(new DOMException('denied', 'SecurityError'));
  await openSession();
  expect(session.value).toEqual({ state: 'unreachable', failure: { code: 'unexpected', fields: {} } });
  isSignedIn.mockResolvedValueOnce(true);
  await openSession();
  expect(session.value).toEqual({ state: 'signed-in', user: { uuid: 'ann' } });
});
