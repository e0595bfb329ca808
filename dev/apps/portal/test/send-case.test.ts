import { expect, test } from 'vitest';
import type { MobileCase, PartialAnamnesis, Profile } from '../../../packages/client/src/index.ts';
import { contentOf, fits, likelyPerson } from '../src/patient/cases/case-content.ts';
import { sendCase, type SendPorts } from '../src/patient/cases/send-case.ts';
import type { Failure, FailureCode } from '../src/gateway/failure.ts';
import { type Intake, emptyIntake, reduceIntake, type Step } from '../src/patient/intake/intake.ts';

const photo: Step = {
  questionId: 'q_photo',
  questionType: 'camera',
  fieldName: 'images',
  answer: '/api/common/images/0198f3c2-0000-7000-8000-000000000001',
};
const reporter: Step = { questionId: 'q_who', questionType: 'radio', fieldName: 'reporter', answer: 'self' };
const answered: Intake = { ...emptyIntake, steps: [reporter, photo] };

const made = { uuid: 'made', version: 3 } as MobileCase;
const choice = { personUuid: 'me', consent: '1', language: 'he' } as const;

/** A gateway that answers as scripted, and an intake that remembers. */
function scripted(start: Intake, ...replies: (FailureCode | MobileCase)[]) {
  let intake = start;
  const sent: { call: string; body: Record<string, unknown>; key?: string }[] = [];
  const next = async () => {
    const reply = replies.shift();
    if (reply === undefined) throw new Error('A call too many.');
    if (typeof reply !== 'string') return { ok: true, value: reply } as const;
    return { ok: false, failure: { code: reply, fields: {} } satisfies Failure } as const;
  };
  const ports: SendPorts = {
    createCase: async (body, key) => {
      sent.push({ call: 'create', body: { ...body }, key });
      return await next();
    },
    updateCase: async (body) => {
      sent.push({ call: 'update', body: { ...body } });
      return await next();
    },
    readCase: next,
    keyFor: (content) => JSON.stringify(content),
    remember: (known) => (intake = reduceIntake(intake, { type: 'case-known', case: known })),
  };
  const send = (change: Partial<Parameters<typeof sendCase>[1]> = {}) =>
    sendCase(intake, { ...choice, ...change }, ports);
  return { sent, send, intake: () => intake };
}

test('a case has the answers without photos, and the photos by their names', () => {
  expect(contentOf(answered)).toEqual({
    anamnesis: { reporter: 'self' },
    images: [{ name: '0198f3c2-0000-7000-8000-000000000001' }],
  });
});

test('a photo that answers two questions is named once', () => {
  const twice = { ...answered, steps: [photo, { ...photo, questionId: 'q_overview' }] };
  expect(contentOf(twice).images).toHaveLength(1);
});

test('after a lost reply the same case is sent with the same id and the same key', async () => {
  const { sent, send, intake } = scripted(answered, 'offline', made);
  expect((await send()).ok).toBe(false);
  expect(intake().case?.sent).toBeUndefined();
  expect((await send()).ok).toBe(true);
  expect(sent).toHaveLength(2);
  expect(sent[1]).toEqual(sent[0]);
  expect(sent[0]?.body).toMatchObject({
    patient_uuid: 'me',
    language: 'he',
    submit: true,
    consent: { version: '1', accepted: true },
  });
  expect(intake().case).toMatchObject({ uuid: 'made', sent: true });
});

test('changed answers keep the id, so that the gateway refuses a second case', async () => {
  const { sent, send, intake } = scripted(answered, 'no_answer', 'client_case_id_reused');
  await send();
  const id = intake().case?.clientId;
  await send({ personUuid: 'child' });
  expect(sent.map(({ body }) => body['client_case_id'])).toEqual([id, id]);
  expect(new Set(sent.map(({ key }) => key)).size).toBe(2);
});

test('a draft has no consent, and sending it changes the draft', async () => {
  const { sent, send, intake } = scripted(answered, made, { ...made, version: 4 });
  await send({ consent: undefined });
  expect(sent[0]?.body).not.toHaveProperty('consent');
  expect(sent[0]?.body['submit']).toBe(false);
  expect(intake().case?.sent).toBeUndefined();
  await send();
  expect(sent[1]).toMatchObject({ call: 'update', body: { uuid: 'made', version: 3, submit: true } });
  expect(intake().case).toMatchObject({ version: 4, sent: true });
});

test('a refusal leaves answers and id as they are', async () => {
  for (const code of ['consent_outdated', 'case_incomplete', 'draft_limit'] as const) {
    const { send, intake } = scripted(answered, code);
    const outcome = await send();
    expect(outcome).toMatchObject({ ok: false, failure: { code } });
    expect(intake().steps).toEqual(answered.steps);
    expect(intake().case).toEqual({ clientId: expect.any(String) as string });
  }
});

test('a draft follows changed answers, and ends with a new start', () => {
  const draft = { clientId: 'one', uuid: 'made', version: 1 } as const;
  const kept = reduceIntake(answered, { type: 'case-known', case: draft });
  expect(reduceIntake(kept, { type: 'changed', index: 0 }).case).toEqual(draft);
  expect(reduceIntake(kept, { type: 'went-back' }).case).toEqual(draft);
  expect(reduceIntake(kept, { type: 'started-again' })).toEqual(emptyIntake);
});

test('other answers than those that were sent are a case of their own', () => {
  const known = { clientId: 'one', uuid: 'made', sent: true } as const;
  const sent = reduceIntake(answered, { type: 'case-known', case: known });
  expect(reduceIntake(sent, { type: 'submitted' }).case).toEqual(known);
  const changed = reduceIntake(sent, { type: 'changed', index: 0 });
  expect(changed.case).toBeUndefined();
  expect(reduceIntake(changed, { type: 'went-back' })).toEqual(sent);
  expect(reduceIntake(sent, { type: 'went-back' }).case).toBeUndefined();
});

test('a continued draft keeps its answers below the new ones', () => {
  const base = { complaint: { category: 'rash' }, images: [{ url: '/api/common/images/first' }] } as const;
  const continued = reduceIntake(answered, {
    type: 'draft-continued',
    base: { ...base, images: [...base.images] },
    case: { clientId: 'one', uuid: 'made', version: 2 },
  });
  expect(continued.steps).toEqual([]);
  const content = contentOf({ ...continued, steps: [reporter, photo] });
  expect(content.anamnesis).toEqual({ complaint: { category: 'rash' }, reporter: 'self' });
  expect(content.images.map(({ name }) => name)).toEqual(['first', '0198f3c2-0000-7000-8000-000000000001']);
});

test.each([
  ['self', undefined, true],
  ['self', 'parent_guardian', false],
  ['self', 'caregiver', true],
  ['child', 'self', false],
  ['child', 'parent_guardian', true],
  ['ward', undefined, true],
] as const)('a profile %s with the reporter %s: %s', (relation, who, expected) => {
  expect(fits({ relation }, who === undefined ? {} : { reporter: who })).toBe(expected);
});

const profiles = [
  { uuid: 'me', relation: 'self', age_years: null },
  { uuid: 'child', relation: 'child', age_years: 5 },
] as Profile[];
const owner = (age: number) => [{ ...profiles[0], age_years: age }, profiles[1]] as Profile[];

test.each<[string, PartialAnamnesis, readonly Profile[], string | undefined]>([
  ['the owner, who answers', { reporter: 'self', patient: { ageYears: 12 } }, profiles, 'me'],
  ['the owner, of an adult', { patient: { ageYears: 40 } }, profiles, 'me'],
  ['the owner, of this age', { patient: { ageYears: 40 } }, owner(41), 'me'],
  ['no person, of an adult of another age', { patient: { ageYears: 40 } }, owner(70), undefined],
  ['no person, where a caregiver answers', { reporter: 'caregiver' }, owner(40), undefined],
  ['nor with the age', { reporter: 'caregiver', patient: { ageYears: 5 } }, owner(40), undefined],
  ['no person, where a parent answers', { reporter: 'parent_guardian' }, owner(40), undefined],
  ['no person, of a child', { patient: { ageYears: 5 } }, profiles, undefined],
  ['nor with a known owner', { patient: { ageYears: 5 } }, owner(40), undefined],
  ['the owner, a young person', { patient: { ageYears: 15 } }, owner(15), 'me'],
])('as the person is preselected %s', (_, base, all, expected) => {
  expect(likelyPerson({ ...emptyIntake, base }, all)?.uuid).toBe(expected);
});

test('the chosen person is preselected while the answers can be about it', () => {
  const intake: Intake = { ...emptyIntake, person: { uuid: 'child', relation: 'child' } };
  expect(likelyPerson({ ...intake, base: { reporter: 'caregiver' } }, profiles)?.uuid).toBe('child');
  expect(likelyPerson({ ...intake, base: { reporter: 'self' } }, profiles)?.uuid).toBe('me');
});

test('of a case that the service holds the answers change, not the person', async () => {
  const held: Intake = {
    ...answered,
    case: { clientId: 'mine', uuid: made.uuid, version: made.version, held: true },
  };
  const { sent, send } = scripted(held, made);
  expect((await send({ personUuid: undefined })).ok).toBe(true);
  const [{ call, body } = { call: '', body: {} }] = sent;
  expect(call).toBe('update');
  expect(body).toMatchObject({ uuid: 'made', version: 3, submit: true, anamnesis: { reporter: 'self' } });
  expect(body).not.toHaveProperty('patient_uuid');
});
