import type { CaseDetail, User } from '../../../../packages/client/src/index.ts';
import { beforeEach, expect, test, vi } from 'vitest';

const { removals, lastCalls, created, session } = vi.hoisted(() => ({
  lastCalls: [] as (() => Promise<void>)[],
  created: [] as string[],
  removals: [] as ((except?: Pick<User, 'uuid'>) => void)[],
  session: { peek: (): unknown => ({ state: 'signed-in', user: { uuid: 'ann' } }) },
}));
vi.mock('../../src/session/session.ts', () => ({
  session,
  onUserGone: (remove: (typeof removals)[number]) => removals.push(remove),
  beforeSignOut: (call: (typeof lastCalls)[number]) => lastCalls.push(call),
}));
vi.mock('../../src/gateway/desk-calls.ts', () => ({
  createAnswer: async (uuid: string, { patient_message: message }: { patient_message: string }) => {
    created.push(`${uuid} ${message}`);
    return { ok: true, value: { uuid: 'draft', version: 1 } };
  },
}));
const { forgetKeeper, forgetSaved, hasUnsaved, isUnsettled, keeperOf } =
  await import('../../src/desk/answer/keepers.ts');

const shown = { uuid: 'case', language: 'en', annotations: [] as unknown } as CaseDetail;
const leave = (except?: Pick<User, 'uuid'>) => removals.forEach((remove) => remove(except));

beforeEach(() => {
  forgetKeeper(shown.uuid);
  keeperOf(shown).change({ patient_message: 'typed while offline' });
});

test('a physician whose session has ended finds what was not saved after signing in again', () => {
  leave({ uuid: 'ann' });
  expect(hasUnsaved()).toBe(true);
  expect(keeperOf(shown).draft.value.patient_message).toBe('typed while offline');
});

test.each([{ uuid: 'ben' }, undefined])('nothing of it reaches the next user: %o', (next) => {
  leave(next);
  expect(hasUnsaved()).toBe(false);
  expect(keeperOf(shown).draft.value.patient_message).toBe('');
});

test('what was typed just before the sign-out is saved before the session ends', async () => {
  created.length = 0;
  await Promise.all(lastCalls.map((call) => call()));
  expect(created).toEqual(['case typed while offline']);
  expect(hasUnsaved()).toBe(false);
});

test('a case that is answered elsewhere is forgotten, but for what is not saved', async () => {
  forgetSaved(shown.uuid);
  expect(keeperOf(shown).draft.value.patient_message).toBe('typed while offline');
  await keeperOf(shown).flush();
  forgetSaved(shown.uuid);
  expect(keeperOf(shown).draft.value.patient_message).toBe('');
});

test('a draft that differs from what was signed elsewhere is still shown when its case is answered', () => {
  expect(isUnsettled(shown.uuid)).toBe(false);
  const { state } = keeperOf(shown);
  for (const kind of ['conflict', 'signed'] as const) {
    state.value = { kind } as typeof state.value;
    expect(isUnsettled(shown.uuid)).toBe(true);
  }
  forgetKeeper(shown.uuid);
  expect(isUnsettled(shown.uuid)).toBe(false);
});
