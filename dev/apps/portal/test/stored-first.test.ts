import { afterEach, expect, test } from 'vitest';
import type { MobileCase, NextQuestion } from '../../../packages/client/src/index.ts';
import type { FailureCode } from '../src/gateway/failure.ts';
import { draftSaver } from '../src/patient/draft/current-draft.ts';
import { saveDrafts } from '../src/patient/draft/draft-saver.ts';
import { isHereOnly, notStorable, storeFirst } from '../src/patient/draft/stored-first.ts';
import { emptyIntake, type IntakeCase } from '../src/patient/intake/intake.ts';
import { type IntakeSession, openIntake } from '../src/patient/intake/intake-session.ts';

afterEach(() => {
  draftSaver.value?.abandon();
  draftSaver.value = undefined;
});

const never = () => new Promise<never>(() => {});

/** An intake whose draft the gateway stores, or refuses. */
function open({ known, refusal }: { known?: IntakeCase; refusal?: FailureCode } = {}): IntakeSession {
  const start = { ...emptyIntake, ...(known && { case: known }) };
  const session = openIntake(start, { askNextQuestion: never, findRedFlags: never, save: () => {} });
  const made = { uuid: 'made', version: 1, images: [], patient_status: 'draft' } as unknown as MobileCase;
  draftSaver.value = saveDrafts(session, {
    createCase: async () =>
      refusal === undefined
        ? { ok: true, value: made }
        : { ok: false, failure: { code: refusal, fields: {} } },
    updateCase: never,
    readCase: never,
    listProfiles: never,
    language: () => 'en',
    onStored: () => {},
  });
  return session;
}

function answer(session: IntakeSession, fieldName: string, given: string): void {
  const question = { questionId: fieldName, questionType: 'radio', fieldName, questionText: '', options: [] };
  session.apply({ type: 'answered', question: question as unknown as NextQuestion, answer: given });
}

test('answers that can be stored are stored before other ones replace them', async () => {
  const session = open();
  answer(session, 'complaint.category', 'rash');
  expect(isHereOnly(session)).toBe(true);
  expect(await storeFirst(session)).toMatchObject({ ok: true });
  expect(isHereOnly(session)).toBe(false);
});

test('answers that the clinic refuses are not replaced without a question', async () => {
  const session = open({ refusal: 'draft_limit' });
  answer(session, 'complaint.category', 'rash');
  expect(await storeFirst(session)).toMatchObject({ ok: false, failure: { code: 'draft_limit' } });
});

test.each([
  ['whose person is not chosen yet', {}],
  ['that a case waits for', { known: { clientId: 'mine', uuid: 'case', version: 1, held: true } as const }],
])('nor are answers %s', async (_, given) => {
  const session = open(given);
  answer(session, 'reporter', 'parent_guardian');
  expect(await storeFirst(session)).toEqual({ ok: false, failure: notStorable });
});

test('without answers, and once they are sent, there is nothing to ask', async () => {
  expect(await storeFirst(open())).toMatchObject({ ok: true });
  const session = open();
  answer(session, 'reporter', 'parent_guardian');
  session.apply({ type: 'case-known', case: { clientId: 'mine', uuid: 'case', version: 2, sent: true } });
  expect(await storeFirst(session)).toMatchObject({ ok: true });
});
