import type { CaseDetail, DermatologistAnnotation, User } from '../../../../packages/client/src/index.ts';
import { beforeEach, describe, expect, test, vi } from 'vitest';

const { asking, gateway, removals, shownCase } = vi.hoisted(() => ({
  shownCase: { uuid: 'case', version: 5, anamnesis: {}, images: [], flag_details: [] },
  asking: new Set<unknown>(),
  gateway: {
    annotations: [] as unknown[],
    patient: { uuid: 'ann' },
    amended: [] as { version: number; caseVersion: number; reason: string }[],
    isOffline: false,
  },
  removals: [] as ((except?: Pick<User, 'uuid'>) => void)[],
}));
vi.mock('../../src/session/session.ts', () => ({
  session: { peek: (): unknown => ({ state: 'signed-in', user: { uuid: 'ann' } }) },
  onUserGone: (remove: (typeof removals)[number]) => removals.push(remove),
}));
vi.mock('../../src/gateway/desk-calls.ts', () => ({
  readStaffCase: () =>
    Promise.resolve(
      gateway.isOffline
        ? { ok: false, failure: { code: 'offline', fields: {} } }
        : { ok: true, value: { ...shownCase, patient: gateway.patient, annotations: gateway.annotations } },
    ),
  amendAnswer: (_uuid: string, _body: unknown, named: (typeof gateway.amended)[number]) => {
    gateway.amended.push(named);
    return Promise.resolve({ ok: true, value: {} });
  },
}));
vi.stubGlobal('addEventListener', (name: string, ask: unknown) => name === 'beforeunload' && asking.add(ask));
vi.stubGlobal('removeEventListener', (_name: string, ask: unknown) => asking.delete(ask));

const { amendmentOf, amendments, isOutdated, sendAmendment } =
  await import('../../src/desk/answer/amendments.ts');
const { currentAnswer } = await import('../../src/desk/answer/current-answer.ts');
const { bodyOf, emptyDraft } = await import('../../src/desk/answer/draft.ts');
const { auditOf, audits, emptyAudit, isEntered } = await import('../../src/desk/audit/audit-entries.ts');

const answerOf = (uuid: string, message: string, more: Partial<DermatologistAnnotation> = {}) =>
  ({
    ...bodyOf({ ...emptyDraft('en'), patient_message: message }),
    kind: 'dermatologist',
    status: 'final',
    uuid,
    version: 1,
    amends_uuid: null,
    amend_reason: null,
    ...more,
  }) as DermatologistAnnotation;
const shown = { ...shownCase, patient: { uuid: 'ann' }, annotations: [] } as unknown as CaseDetail;
const leave = (except?: Pick<User, 'uuid'>) => removals.forEach((remove) => remove(except));
const read = answerOf('read', 'Cream');
const begun = amendmentOf(read);
const written = { ...begun, draft: { ...begun.draft, patient_message: 'Ointment' }, reason: ' A typo ' };

beforeEach(() => {
  amendments.remove('case');
  audits.remove('case');
  gateway.annotations = [read];
  gateway.amended = [];
  gateway.isOffline = false;
  gateway.patient = { uuid: 'ann' };
});

describe('entries that are not sent', () => {
  test('closing the tab asks while any of them differ from where they began, and only then', () => {
    amendments.set('case', begun);
    expect(asking.size).toBe(0);
    amendments.change('case', begun, () => ({ reason: 'A typo' }));
    audits.change('case', emptyAudit('read'), () => ({ isUnsafe: true }));
    expect(asking.size).toBe(2);
    amendments.change('case', begun, () => ({ reason: ' ' }));
    audits.change('case', emptyAudit('read'), () => ({ isUnsafe: false }));
    expect(asking.size).toBe(0);
    amendments.set('case', written);
    expect(asking.size).toBe(1);
    amendments.remove('case');
    expect(asking.size).toBe(0);
  });

  test('events that come faster than a page renders lose no part', () => {
    const start = emptyAudit('read');
    audits.change('case', start, () => ({ comment: 'Say how soon.' }));
    audits.change('case', start, ({ scores }) => ({ scores: { ...scores, advice: 2 } }));
    expect(audits.of('case')).toEqual({ ...start, comment: 'Say how soon.', scores: { advice: 2 } });
  });

  test('a physician whose session has ended finds them after signing in again', () => {
    amendments.set('case', written);
    leave({ uuid: 'ann' });
    expect(amendments.of('case')).toEqual(written);
    expect(asking.size).toBe(1);
  });

  test.each([{ uuid: 'ben' }, undefined])('nothing of them reaches the next user: %o', (next) => {
    amendments.set('case', written);
    audits.set('case', { ...emptyAudit('read'), comment: 'Say how soon.' });
    leave(next);
    expect([amendments.of('case'), audits.of('case'), asking.size]).toEqual([undefined, undefined, 0]);
  });
});

describe('an amendment', () => {
  test('names the version of the answer that was read when it began', async () => {
    expect(await sendAmendment(shown, written)).toMatchObject({ ok: true });
    expect(gateway.amended).toEqual([{ version: 1, caseVersion: 5, reason: 'A typo' }]);
  });

  test.each([
    ['a newer answer, though it has the same version', answerOf('newer', 'Tablets', { amends_uuid: 'read' })],
    ['the same answer in a later version', { ...read, version: 2 }],
    ['no answer, because it was withdrawn', { ...read, status: 'cancelled' as const }],
  ])('is a version conflict and is not sent where there is %s', async (_name, now) => {
    gateway.annotations = [{ ...read, status: 'amended' }, now];
    expect(await sendAmendment(shown, written)).toMatchObject({ failure: { reason: 'version_conflict' } });
    expect(gateway.amended).toEqual([]);
  });

  test('can go on from the newer answer with what was written', async () => {
    const newer = answerOf('newer', 'Tablets', { amends_uuid: 'read', version: 3 });
    gateway.annotations = [{ ...read, status: 'amended' }, newer];
    expect(isOutdated(written, newer)).toBe(true);
    expect(await sendAmendment(shown, { ...written, answer: newer })).toMatchObject({ ok: true });
    expect(gateway.amended).toEqual([{ version: 3, caseVersion: 5, reason: 'A typo' }]);
  });

  test('whose reply was lost is found, and is not signed twice', async () => {
    const own = answerOf('own', 'Ointment', { amends_uuid: 'read', amend_reason: 'A typo' });
    gateway.annotations = [{ ...read, status: 'amended' }, own];
    expect(await sendAmendment(shown, written)).toMatchObject({ ok: true });
    expect(gateway.amended).toEqual([]);
  });

  test('is not sent where the case is no longer about the patient on the screen', async () => {
    gateway.patient = { uuid: 'ben' };
    expect(await sendAmendment(shown, written)).toMatchObject({ failure: { reason: 'case_changed' } });
    expect(gateway.amended).toEqual([]);
  });

  test('is not sent where the case cannot be read', async () => {
    gateway.isOffline = true;
    expect(await sendAmendment(shown, written)).toMatchObject({ failure: { code: 'offline' } });
    expect(gateway.amended).toEqual([]);
  });
});

test('the answer that counts is the final one among drafts and former answers', () => {
  const annotations = [
    answerOf('former', '', { status: 'amended' }),
    read,
    { kind: 'audit', status: 'final' },
  ];
  expect(currentAnswer({ annotations } as CaseDetail)).toBe(read);
  expect(currentAnswer({ annotations: [answerOf('draft', '', { status: 'draft' })] })).toBeUndefined();
});

test('an audit names what is missing, and is sent as it was entered', () => {
  const start = emptyAudit('read');
  expect(isEntered(start)).toBe(false);
  expect(auditOf(start)).toBe('agreement');
  expect(auditOf({ ...start, agreement: 'minor', scores: { advice: 2 } })).toBe('scores');
  expect(auditOf({ ...start, agreement: 'minor', mustCorrect: true, comment: ' Say how soon. ' })).toEqual({
    agreement: 'minor',
    own_diagnosis: null,
    scores: null,
    safety_issue: false,
    requires_correction: true,
    comment: 'Say how soon.',
  });
});
