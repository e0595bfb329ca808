import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { type Account, claimsOf, codeOf, me, register, tenantRows } from '../../support/accounts.ts';
import { testApp } from '../../support/app.ts';
import { actOnCase, createCase } from '../../support/cases.ts';
import { skinPhoto } from '../../support/images.ts';
import { mailServer } from '../../support/mail-server.ts';
import { pushProviders } from '../../support/push-providers.ts';
import { storePhoto } from '../../support/stored-images.ts';

// How people are told, as clients see it: with a mail server and providers of push messages.

const server = await mailServer();
const providers = await pushProviders();
const app = await testApp({
  env: {
    ...server.settings,
    ...providers.settings,
    PORTAL_URL: 'https://portal.example',
    BACKOFFICE_URL: 'https://office.example',
    LIMIT_MAILS_PER_HOUR: undefined,
  },
});
const photo = await skinPhoto({ width: 64, height: 48, format: 'jpeg' });
const admin = await register(app, { role: 'admin' });

const settings = '/api/v1/mobile/users/notifications';
const choose = (token: string, channels: string[]) =>
  app.request(settings, { method: 'PATCH', json: { channels }, token });
const notify = (token: string, uuid: string, json: object = {}) =>
  app.request(`/api/v1/backoffice/annotations/${uuid}/notify`, { json, token });
const sendEmail = (token: string, json: object) => app.request('/api/v1/mobile/send-email', { json, token });

async function uuidOf(account: Account): Promise<string> {
  const { user } = (await (await me(app, account.access_token)).json()) as { user: { uuid: string } };
  return user.uuid;
}

/** A patient with a browser and a case whose answer can be read, and nothing on its way. */
async function answered(): Promise<{ patient: Account; uuid: string; browser: string }> {
  const patient = await register(app);
  const { uuid: image } = await storePhoto(app, patient.access_token, photo);
  const { uuid } = await createCase(app, patient.access_token, {
    images: [{ name: image }],
    consent: { version: '1', accepted: true },
    submit: true,
  });
  const browser = `browser-${uuid}`;
  const registered = await app.request('/api/v1/mobile/devices', {
    json: { platform: 'web', token: providers.subscribe(browser), app_version: '1.0' },
    token: patient.access_token,
  });
  expect(registered.status).toBe(201);
  await tenantRows(
    app,
    `INSERT INTO dermatologist_annotations
       (uuid, tenant_id, case_uuid, status, language, diagnoses, recommended_action, rendered_text, signed_at)
     VALUES ($1, 1, $1, 'final', 'en', '[{}]', 'self_care', 'x', now())`,
    [uuid],
  );
  await tenantRows(
    app,
    `UPDATE request_records SET status = 'closed', closed_at = now(), final_annotation_uuid = $1 WHERE uuid = $1`,
    [uuid],
  );
  server.mails.length = 0;
  providers.messages.length = 0;
  return { patient, uuid, browser };
}

test('a browser subscribes with the key that the app signs with, and only at a push service', async () => {
  const key = await app.request('/api/v1/mobile/config/push-key');
  const { public_key: publicKey } = (await key.json()) as { public_key: string };
  expect(Buffer.from(publicKey, 'base64url')).toHaveLength(65);
  const { access_token: token } = await register(app);
  const subscription = JSON.parse(providers.subscribe('elsewhere')) as object;
  for (const endpoint of [
    'https://evil.example/push',
    'http://169.254.169.254/',
    'https://fcm.googleapis.com/x',
  ]) {
    const json = {
      platform: 'web',
      token: JSON.stringify({ ...subscription, endpoint }),
      app_version: '1.0',
    };
    expect((await app.request('/api/v1/mobile/devices', { json, token })).status).toBe(400);
  }
  // A phone's token is no subscription.
  const json = { platform: 'web', token: 'fcm-registration-token', app_version: '1.0' };
  expect((await app.request('/api/v1/mobile/devices', { json, token })).status).toBe(400);
});

test('staff have a patient told again, three times a day, by the channels that the patient wants', async () => {
  const { patient, uuid, browser } = await answered();
  const first = await notify(admin.access_token, uuid);
  expect([first.status, await first.json()]).toEqual([202, { queued: ['mail', 'push'] }]);
  await server.arrived(1);
  await expect.poll(() => providers.messages.length).toBe(1);
  expect(server.mails[0]?.recipients).toEqual([patient.email]);
  expect(providers.messages[0]?.to).toBe(browser);

  const chosen = await choose(patient.access_token, ['push']);
  expect(await chosen.json()).toEqual({ channels: ['push'], available: ['mail', 'push'] });
  const second = await notify(admin.access_token, uuid);
  expect(await second.json()).toEqual({ queued: ['push'] });
  await expect.poll(() => providers.messages.length).toBe(2);
  expect(providers.messages[1]?.identity).not.toBe(providers.messages[0]?.identity);
  const byMail = await notify(admin.access_token, uuid, { channels: ['mail'] });
  expect([byMail.status, await codeOf(byMail)]).toEqual([409, 'no_channel']);

  expect((await notify(admin.access_token, uuid)).status).toBe(202);
  const fourth = await notify(admin.access_token, uuid);
  const refusal = (await fourth.json()) as { code: string; retry_at: string };
  expect([fourth.status, refusal.code]).toEqual([409, 'notified_recently']);
  const hours = (Date.parse(refusal.retry_at) - Date.now()) / 3_600_000;
  expect(hours).toBeGreaterThan(23.9);
  expect(hours).toBeLessThanOrEqual(24);
  await choose(patient.access_token, []);
  expect(await codeOf(await notify(admin.access_token, uuid))).toBe('no_channel');
});

test('repetitions of more than a day ago do not count', async () => {
  const { uuid } = await answered();
  await tenantRows(
    app,
    `INSERT INTO event_logs (uuid, tenant_id, category, action, outcome, actor_kind, case_uuid, at, detail)
     SELECT gen_random_uuid(), 1, 'case', 'case_notified', 'success', 'user', $1, now() - interval '25 hours', '{}'
     FROM generate_series(1, 3)`,
    [uuid],
  );
  expect((await notify(admin.access_token, uuid)).status).toBe(202);
});

test('a device whose session has expired is no channel, although it is swept later', async () => {
  const { patient, uuid } = await answered();
  await choose(patient.access_token, ['push']);
  await tenantRows(
    app,
    `UPDATE sessions SET idle_expires_at = now() - interval '1 minute' WHERE user_id = (SELECT id FROM users WHERE uuid = $1)`,
    [claimsOf(patient.access_token).sub],
  );
  const refused = await notify(admin.access_token, uuid);
  expect([refused.status, await codeOf(refused)]).toEqual([409, 'no_channel']);
});

test('ten repetitions at once are three', async () => {
  const { uuid } = await answered();
  const replies = await Promise.all(Array.from({ length: 10 }, () => notify(admin.access_token, uuid)));
  expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
    ...Array.from({ length: 3 }, () => 202),
    ...Array.from({ length: 7 }, () => 409),
  ]);
});

test('of many cases each patient is told again or not, by the same count; a signed answer is published and does not count', async () => {
  const closed = await answered();
  const signed = await answered();
  await tenantRows(
    app,
    `UPDATE request_records SET status = 'answered', closed_at = NULL, publish_at = now() + interval '5 minutes'
     WHERE uuid = $1`,
    [signed.uuid],
  );
  await tenantRows(app, 'UPDATE dermatologist_annotations SET published_at = NULL WHERE uuid = $1', [
    signed.uuid,
  ]);
  const unknown = randomUUID();
  const tell = async (uuids: string[], key = randomUUID()) => {
    const reply = await app.request('/api/v1/backoffice/cases/notify-patient', {
      method: 'PATCH',
      json: { case_uuids: uuids },
      headers: { 'idempotency-key': key },
      token: admin.access_token,
    });
    const { results } = (await reply.json()) as { results: { case_uuid: string; code?: string }[] };
    return results.map(({ case_uuid: uuid, code }) => [uuid, code ?? 'ok']);
  };
  const key = randomUUID();
  const first = [
    [closed.uuid, 'ok'],
    [unknown, 'case_not_found'],
    [signed.uuid, 'ok'],
    [closed.uuid, 'ok'],
  ];
  const uuids = first.map(([uuid = '']) => uuid);
  expect(await tell(uuids, key)).toEqual(first);
  const told = (to: string) => providers.messages.filter((message) => message.to === to);
  await expect.poll(() => told(closed.browser).length).toBe(2);
  await expect.poll(() => told(signed.browser).length).toBe(1);
  // A repetition of the request tells nobody again.
  expect(await tell(uuids, key)).toEqual(first);
  expect(await tell([closed.uuid, closed.uuid])).toEqual([
    [closed.uuid, 'ok'],
    [closed.uuid, 'notified_recently'],
  ]);
  await expect.poll(() => told(closed.browser).length).toBe(3);
  expect((await notify(admin.access_token, closed.uuid)).status).toBe(409);
  // The publication itself did not count.
  expect(await tell([signed.uuid, signed.uuid, signed.uuid, signed.uuid])).toEqual([
    ...Array.from({ length: 3 }, () => [signed.uuid, 'ok']),
    [signed.uuid, 'notified_recently'],
  ]);
  await expect.poll(() => told(signed.browser).length).toBe(4);
  expect(new Set(told(signed.browser).map(({ identity }) => identity)).size).toBe(4);
});

test('a user writes to the support, which replies to the user; the words are sealed until they leave', async () => {
  const { patient, uuid } = await answered();
  const words = 'My marked words.\nAnd a second line.';
  expect(
    await codeOf(await sendEmail(patient.access_token, { template: 'support_request', message: words })),
  ).toBe('email_unverified');
  await tenantRows(app, 'UPDATE users SET is_verified = true, email_verified_at = now() WHERE email = $1', [
    patient.email,
  ]);
  await tenantRows(
    app,
    `INSERT INTO application_parameters (tenant_id, branch, sub_branch, key, value, visibility)
     VALUES (1, 'mobile', 'app', 'support_email', '"help@clinic.example"', 'public')`,
  );
  await server.behave({ kind: 'refuses_connections' });
  const asked = await sendEmail(patient.access_token, {
    template: 'support_request',
    message: words,
    case_uuid: uuid,
  });
  expect([asked.status, await asked.json()]).toEqual([202, { queued: true }]);
  const { rows } = await app.db.query<{ payload: object }>(
    `SELECT payload FROM outbox_messages WHERE topic = 'support_request'`,
  );
  expect(rows).toHaveLength(1);
  expect(JSON.stringify(rows)).not.toContain('marked words');
  // Otherwise the app's own first attempt could reschedule the message after this test has made it due.
  const lastError = async () =>
    (
      await app.db.query(
        `SELECT last_error_code AS code FROM outbox_messages WHERE topic = 'support_request'`,
      )
    ).rows;
  await expect.poll(lastError).toEqual([{ code: 'ESOCKET' }]);
  await server.behave({ kind: 'accepts' });
  await app.db.query(`UPDATE outbox_messages SET available_at = now(), locked_until = NULL`);
  await app.runTimer('drainOutbox');
  const toSupport = () => server.mails.filter(({ recipients }) => recipients.includes('help@clinic.example'));
  await expect.poll(() => toSupport().length).toBe(1);
  const [mail] = toSupport();
  expect(mail?.recipients).toEqual(['help@clinic.example']);
  expect(mail?.headers.get('reply-to')).toBe(patient.email);
  expect(mail?.text).toContain('My marked words.\n\nAnd a second line.');
  expect(mail?.text).toContain(await uuidOf(patient));
  expect(mail?.text).toContain(`https://office.example/cases/${uuid}`);
  expect(app.output.join('\n')).not.toContain('marked words');
});

test('a link to an answer is mailed while a question about it is in the queue, and not once it is withdrawn', async () => {
  const { patient, uuid } = await answered();
  await tenantRows(app, 'UPDATE users SET is_verified = true, email_verified_at = now() WHERE email = $1', [
    patient.email,
  ]);
  const { access_token: token } = patient;
  const reply = await actOnCase(app, token, uuid, { action: 'reply', message: 'For how long?' });
  expect(reply.status).toBe(200);
  server.mails.length = 0;
  const link = { template: 'case_answer_link', case_uuid: uuid };
  expect((await sendEmail(token, link)).status).toBe(202);
  await expect
    .poll(() => server.mails.filter(({ recipients }) => recipients.includes(patient.email)).length)
    .toBe(1);
  await tenantRows(app, 'UPDATE request_records SET final_annotation_uuid = NULL WHERE uuid = $1', [uuid]);
  expect(await codeOf(await sendEmail(token, link))).toBe('nothing_to_publish');
});

test('a link to an answer goes to nobody but its owner; five mails an hour', async () => {
  const { patient, uuid } = await answered();
  await tenantRows(app, 'UPDATE users SET is_verified = true, email_verified_at = now() WHERE email = $1', [
    patient.email,
  ]);
  const link = { template: 'case_answer_link', case_uuid: uuid };
  // Even an account that has chosen no messages: it asks for this one.
  await choose(patient.access_token, []);
  expect((await sendEmail(patient.access_token, link)).status).toBe(202);
  const toPatient = () => server.mails.filter(({ recipients }) => recipients.includes(patient.email));
  await expect.poll(() => toPatient().length).toBeGreaterThan(0);
  const [mail] = toPatient();
  expect(mail?.recipients).toEqual([patient.email]);
  expect(mail?.text).toContain(`https://portal.example/cases/${uuid}`);
  const other = await register(app);
  await tenantRows(app, 'UPDATE users SET is_verified = true, email_verified_at = now() WHERE email = $1', [
    other.email,
  ]);
  expect(await codeOf(await sendEmail(other.access_token, link))).toBe('case_not_found');
  for (let sent = 1; sent < 5; sent += 1)
    expect((await sendEmail(patient.access_token, link)).status).toBe(202);
  const sixth = await sendEmail(patient.access_token, link);
  expect([sixth.status, await codeOf(sixth)]).toEqual([429, 'rate_limited']);
});
