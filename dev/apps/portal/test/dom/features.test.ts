import { h } from 'preact';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Outcome } from '../../src/gateway/attempt.ts';
import { openPage } from './fake-page.ts';
import { signIn, signOut } from './fake-session.ts';

const mayCasesBeSent = vi.hoisted(() => vi.fn<() => Promise<Outcome<boolean>>>());
vi.mock('../../src/session/session.ts', () => import('./fake-session.ts'));
vi.mock('../../src/i18n/language.ts', () => import('./fake-language.ts'));
vi.mock('../../src/ui/link.tsx', () => ({ Link: 'a' }));
vi.mock('../../src/gateway/case-calls.ts', () => ({ mayCasesBeSent }));

const page = new EventTarget();
const tab = Object.assign(new EventTarget(), { visibilityState: 'visible' });
vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page));
vi.stubGlobal('document', tab);
afterAll(() => void vi.unstubAllGlobals());

const { casesFailure, takesCases, watchFeatures } = await import('../../src/patient/cases/features.ts');
const { CasesUnknown } = await import('../../src/patient/cases/cases-unknown.tsx');
watchFeatures();

const offline = (retryAfter = 0): Outcome<never> => ({
  ok: false,
  failure: { code: 'offline', fields: {}, retryAfter },
});
const on: Outcome<boolean> = { ok: true, value: true };

async function signInWith(...outcomes: Outcome<boolean>[]) {
  for (const outcome of outcomes) mayCasesBeSent.mockResolvedValueOnce(outcome);
  signIn('ann');
  await vi.advanceTimersByTimeAsync(0);
}
const now = () => [takesCases.value, casesFailure.value?.code];

beforeEach(() => {
  vi.useFakeTimers();
  mayCasesBeSent.mockReset();
});
afterEach(() => {
  signOut();
  vi.useRealTimers();
});

test('a failed call is no clinic without cases: it is repeated after growing waits until there is an answer', async () => {
  await signInWith(offline(), offline(), on);
  expect(now()).toEqual([false, 'offline']);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(mayCasesBeSent).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(9_000);
  expect(now()).toEqual([false, 'offline']);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(now()).toEqual([true, undefined]);
  await vi.advanceTimersByTimeAsync(600_000);
  expect(mayCasesBeSent).toHaveBeenCalledTimes(3);
});

test.each([
  ['the network is back', () => page.dispatchEvent(new Event('online'))],
  ['the page is shown again', () => tab.dispatchEvent(new Event('visibilitychange'))],
])('it is repeated at once when %s', async (_, happen) => {
  await signInWith(offline(), on);
  happen();
  await vi.advanceTimersByTimeAsync(0);
  expect(now()).toEqual([true, undefined]);
});

test('but not before the time that the gateway asks for', async () => {
  await signInWith(offline(30), on);
  page.dispatchEvent(new Event('online'));
  await vi.advanceTimersByTimeAsync(29_000);
  expect(mayCasesBeSent).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(takesCases.value).toBe(true);
});

test('a clinic that takes no cases is not asked again', async () => {
  await signInWith({ ok: true, value: false });
  await vi.advanceTimersByTimeAsync(600_000);
  expect(now()).toEqual([false, undefined]);
  expect(mayCasesBeSent).toHaveBeenCalledTimes(1);
});

test('nothing of it stays for the next user, and nothing is asked after a sign-out', async () => {
  await signInWith(on);
  mayCasesBeSent.mockResolvedValueOnce(offline());
  signIn('ben');
  expect(takesCases.value).toBe(false);
  await vi.advanceTimersByTimeAsync(0);
  expect(now()).toEqual([false, 'offline']);
  signOut();
  expect(now()).toEqual([false, undefined]);
  await vi.advanceTimersByTimeAsync(600_000);
  expect(mayCasesBeSent).toHaveBeenCalledTimes(2);
});

test('a notice in the place of cases leads to another attempt', async () => {
  await signInWith(offline(), on);
  const shown = openPage();
  await shown.show(h(CasesUnknown, {}));
  expect(shown.root.text).toContain('nothing can be sent to a doctor');
  await shown.send('click', 'button', { text: 'Try again' });
  await vi.advanceTimersByTimeAsync(0);
  expect(takesCases.value).toBe(true);
  await shown.show(h(CasesUnknown, {}));
  expect(shown.root.text).toBe('');
});
