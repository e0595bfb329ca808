import type { CaseDetail, User } from '../../../../packages/client/src/index.ts';
import { beforeEach, expect, test, vi } from 'vitest';

const { removals, session } = vi.hoisted(() => ({
  removals: [] as ((except?: Pick<User, 'uuid'>) => void)[],
  session: { peek: (): unknown => ({ state: 'signed-in', user: { uuid: 'ann' } }) },
}));
vi.mock('../../src/session/session.ts', () => ({
  session,
  onUserGone: (remove: (typeof removals)[number]) => removals.push(remove),
}));
vi.mock('../../src/gateway/desk-calls.ts', () => ({
  createAnswer: () => new Promise(() => {}),
}));
const { forgetKeeper, hasUnsaved, keeperOf } = await import('../../src/desk/answer/keepers.ts');

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
