import { expect, test } from 'vitest';
import { testApp } from '../../../../test/support/app.ts';
import { clientOf, patientOf } from '../../../../test/support/client.ts';
import { anamnesis, emergencyAnamnesis } from '../../../../test/support/diagnosis.ts';
import { skinPhoto } from '../../../../test/support/images.ts';
import type { CaseCreation, DermagateError } from '../src/index.ts';

// The named calls of apps for patients against the gateway itself.

const app = await testApp();
const answers = anamnesis as CaseCreation['anamnesis'];
const jpeg = new Uint8Array(await skinPhoto({ format: 'jpeg', width: 64, height: 48 }));

/** The code of the error that the call rejects with. */
const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: unknown) => (error as DermagateError).code,
  );

async function patientWithPhoto() {
  const { api } = await patientOf(app);
  const photo = new File([jpeg], 'arm.jpg', { type: 'image/jpeg' });
  const { images } = await api.images.upload([photo]);
  const { parameters } = await api.config.parameters('legal', 'consent');
  const consent = { version: String(parameters['version']), accepted: true } as const;
  return { api, consent, images: images.map(({ uuid }) => ({ name: uuid })) };
}

test('a case goes from its draft to the queue and is cancelled; an idempotency key makes it once', async () => {
  const { api, consent, images } = await patientWithPhoto();
  const options = { idempotencyKey: 'draft-of-a-case' };
  const draft = await api.cases.create({ anamnesis: answers }, options);
  const again = await api.cases.create({ anamnesis: answers }, options);
  expect(again.uuid).toBe(draft.uuid);

  const { uuid, version } = draft;
  const updated = await api.cases.update({ uuid, version, images });
  expect(updated.images).toHaveLength(1);
  const stale = api.cases.update({ uuid, version, images: [] });
  await expect(stale).rejects.toMatchObject({
    code: 'version_conflict',
    status: 412,
    problem: { current_version: updated.version },
  });

  const submitted = await api.cases.submit(uuid, { consent, version: updated.version });
  expect(submitted.patient_status).toBe('waiting');
  expect(await codeOf(api.cases.reply(uuid))).toBe('case_state_conflict');
  expect(await codeOf(api.cases.acknowledge(uuid))).toBe('case_state_conflict');
  expect((await api.cases.cancel(uuid, { reason: 'healed' })).patient_status).toBe('cancelled');

  expect((await api.cases.get(uuid)).uuid).toBe(uuid);
  expect((await api.cases.annotations(uuid)).annotations).toEqual([]);
});

test('a list goes on where its first page ends', async () => {
  const { api } = await patientOf(app);
  const made: string[] = [];
  for (let count = 0; count < 3; count += 1) {
    made.unshift((await api.cases.create({ anamnesis: answers })).uuid);
  }
  const first = await api.cases.list({ limit: 2 });
  const cursor = first.next_cursor ?? '';
  const second = await api.cases.list({ limit: 2, cursor });
  expect([...first.items, ...second.items].map(({ uuid }) => uuid)).toEqual(made);
});

test('texts come in the language that the call names', async () => {
  const { api, consent, images } = await patientWithPhoto();
  const emergency = emergencyAnamnesis as CaseCreation['anamnesis'];
  const body = { anamnesis: emergency, images, consent, submit: true };
  const { uuid, advice } = await api.cases.create(body, { lang: 'he' });
  expect(advice?.flagDetails[0]?.text).toMatch(/[\u05d0-\u05ea]/);
  expect((await api.cases.get(uuid, { lang: 'ar' })).advice?.flagDetails[0]?.text).toMatch(/[\u0627-\u064a]/);
});

test('profiles are listed, added, changed and taken over from a clinic’s list', async () => {
  const { api } = await patientOf(app);
  const [self] = (await api.profiles.list()).profiles;
  const child = { birth_date: '2020-02-03', gender: 'female', relation: 'child' } as const;
  expect(await codeOf(api.profiles.addOffspring(child))).toBe('guardian_confirmation_required');
  const body = { ...child, guardian_confirmed: true };
  const { profile } = await api.profiles.addOffspring(body, { idempotencyKey: 'the-first-child' });
  const change = { given_name: 'Noa', version: profile.version };
  expect((await api.profiles.update(profile.uuid, change)).given_name).toBe('Noa');
  const { profiles } = await api.profiles.list();
  expect(profiles.map(({ uuid }) => uuid)).toEqual([self?.uuid, profile.uuid]);
  const synced = api.profiles.syncOffsprings('no-such-id', { profiles: [] });
  expect(await codeOf(synced)).toBe('profile_not_found');
});

test('a device is registered and removed', async () => {
  const { api } = await patientOf(app);
  const device = { platform: 'android', token: 'a'.repeat(40), app_version: '1.0.0' } as const;
  const { uuid } = await api.devices.register(device);
  expect(await api.devices.remove(uuid)).toBeUndefined();
});

test('the configuration is open to callers without a token', async () => {
  const api = clientOf(app);
  const client_time = new Date().toISOString();
  const body = { client_time, app_version: '1.0.0', platform: 'web' } as const;
  expect((await api.config.checkConnectivity(body, { lang: 'ar' })).services.database).toBe('ok');
  expect(await codeOf(api.config.parameters('legal', 'consent', { tenant: 'no-such' }))).toBe(
    'tenant_not_found',
  );
});

test('a call ends when its signal aborts', async () => {
  const { api } = await patientOf(app);
  await expect(api.cases.list({}, { signal: AbortSignal.abort(new Error('left')) })).rejects.toThrow('left');
});
