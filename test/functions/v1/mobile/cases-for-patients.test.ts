import { expect, test } from 'vitest';
import { claimsOf, createTenant, openTransaction, register, tenantRows } from '../../../support/accounts.ts';
import { testApp } from '../../../support/app.ts';
import { actOnCase, caseAnswers, createCase, getCase, updateCase } from '../../../support/cases.ts';
import { upload } from '../../../support/diagnosis.ts';
import { skinPhoto } from '../../../support/images.ts';
import { photoPart, storePhoto } from '../../../support/stored-images.ts';

// A physician or an admin makes a case for a patient, who cannot do it alone.

const app = await testApp();
await createTenant(app, 'elsewhere');
const [patient, physician, admin, colleague, foreignPhysician] = await Promise.all([
  register(app),
  register(app, { role: 'physician' }),
  register(app, { role: 'admin' }),
  register(app, { role: 'physician' }),
  register(app, { role: 'physician', tenant: 'elsewhere' }),
]);
const profiles = await app.request('/api/v1/mobile/users/profiles', { token: patient.access_token });
const self = ((await profiles.json()) as { profiles: { uuid: string }[] }).profiles[0]?.uuid;
const forPatient = { patient_uuid: self };

async function addPhoto(uuid: string, token: string, width: number) {
  const photo = await skinPhoto({ width, height: 210, format: 'jpeg' });
  const parts = [photoPart(photo), { name: 'case_uuid', body: uuid }];
  const reply = await app.request('/api/v1/mobile/images/upload', upload(parts, { token }));
  const { images = [] } = (await reply.json()) as { images?: { uuid: string; path: string }[] };
  return { status: reply.status, images };
}
const read = async (path: string, token: string) =>
  (await app.request(`/api/v1/images/${path}`, { token })).status;

test('is the patient’s own case, and records who has made it', async () => {
  const made = await createCase(app, physician.access_token, { ...forPatient, anamnesis: {} });
  expect(made).toMatchObject({ status: 201, patient_status: 'draft', anamnesis: { reporter: 'clinician' } });
  expect(await getCase(app, patient.access_token, made.uuid)).toMatchObject({ status: 200, uuid: made.uuid });
  const [row] = await tenantRows<Record<string, unknown>>(
    app,
    `SELECT c.source, a.author_kind, owner.uuid AS owner, maker.uuid AS maker, e.actor_user_id = maker.id AS audited
     FROM request_records c JOIN users owner ON owner.id = c.account_user_id
     JOIN users maker ON maker.id = c.created_by_user_id
     JOIN request_anamneses a ON a.case_uuid = c.uuid
     JOIN event_logs e ON e.case_uuid = c.uuid AND e.action = 'case_created' WHERE c.uuid = $1`,
    [made.uuid],
  );
  expect(row).toEqual({
    source: 'backoffice',
    author_kind: 'staff',
    owner: claimsOf(patient.access_token).sub,
    maker: claimsOf(physician.access_token).sub,
    audited: true,
  });
});

test('takes photos, which become the patient’s, and is submitted by its maker, who then only reads it', async () => {
  const token = physician.access_token;
  const { uuid } = await createCase(app, token, forPatient);
  const added = await addPhoto(uuid, token, 301);
  expect(added.status).toBe(201);
  const path = added.images[0]?.path.replace('/api/v1/images/', '') ?? '';
  expect([await read(path, token), await read(path, patient.access_token)]).toEqual([200, 200]);
  expect(await read(path, foreignPhysician.access_token)).toBe(404);
  const [photo] = await tenantRows<{ owner: string }>(
    app,
    'SELECT users.uuid AS owner FROM images JOIN users ON users.id = owner_user_id WHERE images.uuid = $1',
    [added.images[0]?.uuid],
  );
  expect(photo?.owner).toBe(claimsOf(patient.access_token).sub);

  const consent = { version: '1', accepted: true };
  const { version } = await getCase(app, token, uuid);
  const submitted = await updateCase(app, token, { uuid, version, consent, submit: true });
  expect(submitted.status).toBe(200);
  expect(submitted.patient_status).not.toBe('draft');
  expect(await getCase(app, token, uuid)).toMatchObject({
    status: 200,
    patient_status: submitted.patient_status,
  });
  // From here on it is the patient's to change.
  expect(await actOnCase(app, token, uuid, { action: 'cancel' })).toMatchObject({ status: 404 });
  expect(await actOnCase(app, patient.access_token, uuid, { action: 'cancel' })).toMatchObject({
    status: 200,
  });
});

test('its messages count as read once the patient has asked for it, not its maker', async () => {
  const { uuid } = await createCase(app, physician.access_token, forPatient);
  await tenantRows(
    app,
    `INSERT INTO case_messages (uuid, tenant_id, case_uuid, direction, codes, language)
     VALUES (gen_random_uuid(), 1, $1, 'to_patient', '{retake_photos:blurry}', 'en')`,
    [uuid],
  );
  const readBy = async (token: string) => (await getCase(app, token, uuid)).messages[0]?.read_at;
  expect(await readBy(physician.access_token)).toBeNull();
  expect(await readBy(patient.access_token)).toBeNull();
  expect(await readBy(patient.access_token)).toEqual(expect.any(String));
});

test('a message that comes while the patient reads the case stays unread', async () => {
  const { uuid } = await createCase(app, patient.access_token);
  const insert = `INSERT INTO case_messages (uuid, tenant_id, case_uuid, direction, text, language)
    VALUES (gen_random_uuid(), 1, $1, 'to_patient', $2, 'en')`;
  await tenantRows(app, insert, [uuid, 'First']);
  // The case can be read, and nothing of it marked.
  const writer = await openTransaction(app);
  await writer.run('LOCK TABLE case_messages IN EXCLUSIVE MODE');
  const shown = getCase(app, patient.access_token, uuid);
  await writer.awaited();
  await writer.run(insert, [uuid, 'Second']);
  await writer.commit();
  expect((await shown).messages).toMatchObject([{ text: 'First', read_at: null }]);
  expect((await getCase(app, patient.access_token, uuid)).messages).toMatchObject([
    { text: 'First', read_at: expect.any(String) as string },
    { text: 'Second', read_at: null },
  ]);
});

test('is read by its maker on the record, and not after the maker has become a patient', async () => {
  const maker = await register(app, { role: 'physician' });
  const [{ uuid: draft, version }, { uuid: other }] = [
    await createCase(app, maker.access_token, forPatient),
    await createCase(app, maker.access_token, forPatient),
  ];
  const reads = async () =>
    await tenantRows<{ reader: string }>(
      app,
      `SELECT u.uuid AS reader FROM event_logs e JOIN users u ON u.id = e.actor_user_id
       WHERE e.case_uuid = $1 AND e.action = 'case_read'`,
      [draft],
    );
  expect(await getCase(app, patient.access_token, draft)).toMatchObject({ status: 200 });
  expect(await reads()).toEqual([]);
  expect(await getCase(app, maker.access_token, draft)).toMatchObject({ status: 200 });
  expect(await reads()).toEqual([{ reader: claimsOf(maker.access_token).sub }]);

  await tenantRows(app, `UPDATE users SET role = 'patient' WHERE uuid = $1`, [
    claimsOf(maker.access_token).sub,
  ]);
  const { access_token: token } = maker;
  const hidden = { status: 404, code: 'case_not_found' };
  expect(await getCase(app, token, other)).toMatchObject(hidden);
  const answers = await app.request(`/api/v1/mobile/cases/${other}/annotations`, { token });
  expect(answers.status).toBe(404);
  expect(await updateCase(app, token, { uuid: draft, version, anamnesis: caseAnswers })).toMatchObject(
    hidden,
  );
  expect(await actOnCase(app, token, draft, { action: 'cancel' })).toMatchObject(hidden);

  expect(await getCase(app, patient.access_token, other)).toMatchObject({ status: 200 });
  await tenantRows(
    app,
    `UPDATE request_records SET status = 'cancelled', erased_at = now() WHERE uuid = $1`,
    [other],
  );
  expect(await getCase(app, patient.access_token, other)).toMatchObject(hidden);
});

test('is hidden from others while it is a draft', async () => {
  const { uuid } = await createCase(app, admin.access_token, forPatient);
  const own = await register(app);
  for (const { access_token: token } of [colleague, foreignPhysician, own]) {
    expect(await getCase(app, token, uuid)).toMatchObject({ status: 404, code: 'case_not_found' });
    expect(await updateCase(app, token, { uuid, version: 1, anamnesis: caseAnswers })).toMatchObject({
      status: 404,
    });
    expect((await addPhoto(uuid, token, 302)).status).toBe(404);
  }
});

test('names a patient of the tenant with an account, and photos of that account', async () => {
  const foreign = await createCase(app, foreignPhysician.access_token, forPatient);
  expect(foreign).toMatchObject({ status: 404, code: 'patient_not_found' });
  // A patient acts for the own profiles only, unlike staff.
  const stranger = await createCase(app, (await register(app)).access_token, forPatient);
  expect(stranger).toMatchObject({ status: 404, code: 'patient_not_found' });
  expect(await createCase(app, physician.access_token)).toMatchObject({
    status: 404,
    code: 'patient_not_found',
  });
  const picture = (width: number) => skinPhoto({ width, height: 220, format: 'jpeg' });
  const theirs = await storePhoto(app, patient.access_token, await picture(303));
  const ofStaff = await storePhoto(app, physician.access_token, await picture(304));
  const named = (uuid: string) => ({ ...forPatient, images: [{ name: uuid }] });
  expect(await createCase(app, physician.access_token, named(theirs.uuid))).toMatchObject({ status: 201 });
  expect(await createCase(app, physician.access_token, named(ofStaff.uuid))).toMatchObject({
    status: 404,
    code: 'image_not_found',
  });
});

test('does not use up the patient’s drafts, nor the other way round', async () => {
  const [owner, maker] = await Promise.all([register(app), register(app, { role: 'physician' })]);
  const reply = await app.request('/api/v1/mobile/users/profiles', { token: owner.access_token });
  const { profiles: own } = (await reply.json()) as { profiles: { uuid: string }[] };
  const body = { patient_uuid: own[0]?.uuid };
  for (let count = 0; count < 20; count += 1) await createCase(app, maker.access_token, body);
  expect(await createCase(app, maker.access_token, body)).toMatchObject({ code: 'draft_limit' });
  expect(await createCase(app, owner.access_token)).toMatchObject({ status: 201 });
});
