import { beforeEach, describe, expect, test } from 'vitest';
import { register, tenantRows } from '../../../support/accounts.ts';
import { anotherInstance } from '../../../support/another-instance.ts';
import { testApp } from '../../../support/app.ts';
import { actOnCase, createCase, getCase, updateCase } from '../../../support/cases.ts';
import { anamnesis, emergencyAnamnesis } from '../../../support/diagnosis.ts';
import { type AiRoute, cut, hang, json, text } from '../../../support/fake-ai.ts';
import { skinPhoto } from '../../../support/images.ts';
import { storePhoto } from '../../../support/stored-images.ts';

// Submissions over HTTP; what becomes of them with the clock moved is in test/domain/cases/admission.

const app = await testApp();
/** Waits no longer for an AI service that hangs than a test can. */
const impatient = await anotherInstance(app, { AI_TIMEOUT_MS: '300' });
const photo = await skinPhoto({ width: 64, height: 48, format: 'jpeg' });
const consent = { version: '1', accepted: true };
const routes: AiRoute[] = ['predict_diagnosis', 'red_flags', 'triage', 'image_validity'];

beforeEach(() => app.ai.reset());

async function patient() {
  const { access_token: token } = await register(app);
  const { uuid } = await storePhoto(app, token, photo);
  return { token, images: [{ name: uuid }] };
}

test.each(['en', 'he', 'ar', 'es'])(
  'a whole case in %s is queued while its patient waits',
  async (language) => {
    const { token, images } = await patient();
    const made = await createCase(app, token, { language, images, consent, submit: true });
    expect(made).toMatchObject({
      status: 201,
      patient_status: 'waiting',
      analysis_state: 'done',
      advice: null,
    });
    expect(made.allowed_actions).toEqual(['cancel']);
  },
);

test('a patient who sends the same again learns which case counts', async () => {
  const { token, images } = await patient();
  const first = await createCase(app, token, { images, consent, submit: true });
  expect(first.refused_for).toBeUndefined();
  const again = await createCase(app, token, { images, consent, submit: true });
  expect(again).toMatchObject({
    status: 201,
    patient_status: 'not_eligible',
    refused_for: [`duplicate_case:${first.uuid}`],
  });
});

describe('with any fault of the AI service the case is there, and so is the advice', () => {
  test.each([
    ['refuses', text('down', 503)],
    ['hangs', hang],
    ['dies', cut],
    ['lies', json({ hasRedFlags: 'no', isValid: 'no', predictions: 0, priority: 'none' })],
  ])('it %s', async (_does, behaviour) => {
    for (const route of routes) app.ai.on(route, behaviour);
    const { token, images } = await patient();
    const body = { anamnesis: emergencyAnamnesis, images, consent, submit: true };
    const made = await createCase(impatient, token, body);
    expect(made).toMatchObject({
      status: 201,
      patient_status: 'waiting',
      analysis_state: 'pending',
      advice: { urgency: 'emergency', recommendedAction: 'call_emergency_services' },
    });
    expect(made.advice?.flagDetails).not.toEqual([]);
    expect(await getCase(app, token, made.uuid)).toMatchObject({ advice: made.advice });
  });
});

test('a patient waits for the AI service for seconds, however patient the gateway is with it otherwise', async () => {
  const patientApp = await anotherInstance(app, { AI_TIMEOUT_MS: '120000' });
  for (const route of routes) app.ai.on(route, hang);
  const { token, images } = await patient();
  // Without a limit of its own the submission would last for two minutes, longer than this test may.
  const made = await createCase(patientApp, token, { images, consent, submit: true });
  expect(made).toMatchObject({ status: 201, analysis_state: 'pending' });
});

test('an emergency is submitted with consent alone; what is missing is asked for', async () => {
  const { access_token: token } = await register(app);
  const answers = { symptoms: { emergency: ['difficulty_breathing'] } };
  const made = await createCase(app, token, { anamnesis: answers, consent, submit: true });
  expect(made).toMatchObject({ status: 201, patient_status: 'waiting', advice: { urgency: 'emergency' } });
  const { messages } = await getCase(app, token, made.uuid);
  expect(messages.map(({ codes }) => codes)).toEqual([['answers_missing', 'photos_missing']]);
});

test('what an emergency in the queue lacks its patient can still give, and then nothing more is asked', async () => {
  const { token, images } = await patient();
  const answers = { symptoms: { emergency: ['difficulty_breathing'] } };
  const { uuid } = await createCase(app, token, { anamnesis: answers, consent, submit: true });
  const waiting = await getCase(app, token, uuid);
  expect(waiting).toMatchObject({ patient_status: 'waiting', allowed_actions: ['update', 'cancel'] });

  const some = { uuid, version: waiting.version, images, message: 'A photo of today.', submit: true };
  const withPhoto = await updateCase(app, token, some);
  expect(withPhoto).toMatchObject({
    status: 200,
    patient_status: 'waiting',
    allowed_actions: ['update', 'cancel'],
    images: [{ uuid: images[0]?.name }],
  });
  const whole = { uuid, version: withPhoto.version, anamnesis: emergencyAnamnesis, submit: true };
  const complete = await updateCase(app, token, whole);
  expect(complete).toMatchObject({
    status: 200,
    patient_status: 'waiting',
    allowed_actions: ['cancel'],
    advice: { urgency: 'emergency' },
  });
  const again = await updateCase(app, token, { uuid, version: complete.version, images });
  expect(again).toMatchObject({ status: 409, code: 'case_state_conflict', allowed_actions: ['cancel'] });
  const [record] = await tenantRows<{ status: string; triage_rank: number; reasons: string[] }>(
    app,
    `SELECT status, triage_rank, eligibility_reasons AS reasons FROM request_records WHERE uuid = $1`,
    [uuid],
  );
  expect(record).toEqual({ status: 'queued', triage_rank: 0, reasons: ['emergency_override'] });
});

test('a photo that is uploaded to a case in the queue is one that it lacked', async () => {
  const { token } = await patient();
  const made = await createCase(app, token, { anamnesis: emergencyAnamnesis, consent, submit: true });
  expect(made.messages.map(({ codes }) => codes)).toEqual([['photos_missing']]);
  const form = new FormData();
  form.append('case_uuid', made.uuid);
  form.append('images', new Blob([photo], { type: 'image/jpeg' }), 'photo.jpg');
  const uploaded = await app.request('/api/v1/mobile/images/upload', { method: 'POST', body: form, token });
  expect(uploaded.status).toBe(201);
  expect(await getCase(app, token, made.uuid)).toMatchObject({
    patient_status: 'waiting',
    allowed_actions: ['cancel'],
    images: [{ widthPx: 64 }],
  });
});

test('photos that cannot be judged are asked for again, by codes', async () => {
  app.ai.on('image_validity', json({ isValid: false, score: 0.1, issues: ['blurry'] }));
  const { token, images } = await patient();
  const made = await createCase(app, token, { images, consent, submit: true });
  expect(made).toMatchObject({ status: 201, patient_status: 'action_needed' });
  expect(made.messages).toMatchObject([
    { direction: 'to_patient', codes: ['retake_photos', 'retake_photos:blurry'] },
  ]);
  expect(made.allowed_actions).toContain('reply');
});

test('an unknown consent is refused with the version that counts, and nothing is stored', async () => {
  const { token, images } = await patient();
  const old = { version: '0', accepted: true };
  const refused = await createCase(app, token, { images, consent: old, submit: true });
  expect(refused).toMatchObject({ status: 409, code: 'consent_outdated', version: '1' });
  expect(await (await app.request('/api/v1/mobile/cases', { token })).json()).toMatchObject({ items: [] });
});

test('what is missing is named by pointers, and nothing is stored', async () => {
  const { access_token: token } = await register(app);
  const { patient: _patient, ...rest } = anamnesis;
  const refused = await createCase(app, token, { anamnesis: rest, consent, submit: true });
  expect(refused).toMatchObject({ status: 422, code: 'case_incomplete' });
  expect(refused.errors?.map(({ pointer }) => pointer)).toEqual(
    expect.arrayContaining(['/anamnesis/patient', '/images']),
  );
  expect(await (await app.request('/api/v1/mobile/cases', { token })).json()).toMatchObject({ items: [] });
});

test('twenty parallel submissions of a draft submit it once', async () => {
  const { token, images } = await patient();
  const draft = await createCase(app, token, { images, consent });
  const action = { action: 'submit', version: draft.version };
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => actOnCase(app, token, draft.uuid, action)),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  const refused = answers.filter(({ status }) => status === 409);
  expect(refused).toHaveLength(19);
  for (const { code, current_status: status } of refused) {
    expect([code, status]).toEqual(['case_state_conflict', 'waiting']);
  }
  // Counted by their rows: earlier tests' cases are still being tried again.
  const calls = await tenantRows(
    app,
    `SELECT FROM ml_diagnosis_results WHERE case_uuid = $1 AND kind = 'diagnosis'`,
    [draft.uuid],
  );
  expect(calls).toHaveLength(1);
});

test('advice names whom to call, whenever the case is read; of a crisis line only where there is one', async () => {
  const { access_token: token } = await register(app);
  const made = await createCase(app, token, { anamnesis: emergencyAnamnesis, consent, submit: true });
  const withCrisisLine = await anotherInstance(app, { EMERGENCY_NUMBER: '101', CRISIS_LINE: '1201' });
  expect(made.advice).toMatchObject({ emergencyNumber: '112' });
  expect(made.advice).not.toHaveProperty('crisisLine');
  const numbers = { emergencyNumber: '101', crisisLine: '1201' };
  expect(await getCase(withCrisisLine, token, made.uuid)).toMatchObject({ advice: numbers });
  const listed = await withCrisisLine.request('/api/v1/mobile/cases', { token });
  const { items } = (await listed.json()) as { items: { advice: object }[] };
  expect(items).toMatchObject([{ advice: numbers }]);
  const summary = await withCrisisLine.request('/api/v1/mobile/cases?view=summary', { token });
  expect(await summary.json()).toMatchObject({ items: items.map(({ advice }) => ({ advice })) });
});
