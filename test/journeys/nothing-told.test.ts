import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { register, tenantRows } from '../support/accounts.ts';
import { annotate, saveAnnotation } from '../support/answers.ts';
import { testApp } from '../support/app.ts';
import { afterwards } from '../support/cleanup.ts';
import { actOnCase, createCase, getCase, updateCase } from '../support/cases.ts';
import { anamnesis, emergencyAnamnesis } from '../support/diagnosis.ts';
import { skinPhoto } from '../support/images.ts';
import { insightsSink } from '../support/insights-sink.ts';
import { mailServer } from '../support/mail-server.ts';
import { pushProviders } from '../support/push-providers.ts';
import { newPhysician, takeNext } from '../support/queue-stage.ts';
import { storePhoto } from '../support/stored-images.ts';
import { webPubSub } from '../support/web-pubsub.ts';

// A whole journey in which every name, answer and note is marked, told by every channel: mail, push messages to telephones and
// browsers, the stream of a session, live counts. None of it has a mark or a word of the illness, nor have the messages of the
// outbox, the events, the log and the telemetry a mark.

const server = await mailServer();
const providers = await pushProviders();
const hub = await webPubSub();
const insights = await insightsSink();
const app = await testApp({
  env: {
    ...server.settings,
    ...providers.settings,
    WEBPUBSUB_CONNECTION_STRING: hub.connectionString,
    APPLICATIONINSIGHTS_CONNECTION_STRING: insights.connectionString,
    SSE_HOLD_MS: '100',
    LOG_LEVEL: 'debug',
  },
});
const photo = await skinPhoto({ width: 64, height: 48, format: 'jpeg' });

const marks: string[] = [];
/** A word that stands nowhere else. */
function marked(what: string): string {
  const mark = `zq${randomUUID().slice(0, 8)}`;
  marks.push(mark);
  return `${what} ${mark}`;
}
const consent = { version: '1', accepted: true };
/** Until nothing waits any more. */
const drain = () =>
  expect
    .poll(async () => {
      await app.runTimer('drainOutbox');
      return (await app.db.query('SELECT FROM outbox_messages')).rows.length;
    })
    .toBe(0);

/** The live counts of the tenant, as a dashboard receives them. @returns every message so far, as text. */
async function followCounts(token: string): Promise<string[]> {
  const reply = await app.request('/api/v1/backoffice/subscribe-analytics', { token });
  const { url, protocol } = (await reply.json()) as { url: string; protocol: string };
  const messages: string[] = [];
  const socket = new WebSocket(url, protocol);
  socket.addEventListener('message', ({ data }) => messages.push(String(data)));
  afterwards(async () => socket.close());
  return messages;
}

/** All that the stream of a session has told. */
async function streamOf({ token }: { token: string }): Promise<string> {
  const path = '/api/v1/backoffice/unique-sessions/connect';
  const reply = await app.request(path, { token, headers: { 'last-event-id': '0' } });
  expect(reply.status).toBe(200);
  return await reply.text();
}

test('no message by any channel, no event, log or telemetry says anything of the person, the illness or the answer', async () => {
  const doctor = await newPhysician(app, {
    capabilities: ['on_call'],
    adminSettings: { max_open_cases: 20 },
  });
  const other = await newPhysician(app, { capabilities: ['case.audit'] });
  const admin = await register(app, { role: 'admin' });
  const patient = await register(app);
  const token = patient.access_token;
  const counts = await followCounts(admin.access_token);
  for (const [owner, name] of [
    [token, 'patients-browser'],
    [doctor.token, 'doctors-browser'],
    [other.token, 'others-browser'],
  ] as const) {
    const json = { platform: 'web', token: providers.subscribe(name), app_version: '1.0' };
    expect((await app.request('/api/v1/mobile/devices', { json, token: owner })).status).toBe(201);
  }
  const phone = { platform: 'android', token: 'patients-phone', app_version: '1.0' };
  expect((await app.request('/api/v1/mobile/devices', { json: phone, token })).status).toBe(201);
  const child = await app.request('/api/v1/mobile/users/offsprings', {
    json: {
      given_name: marked('Noa'),
      family_name: marked('Levi'),
      birth_date: '1992-03-04',
      gender: 'female',
      relation: 'ward',
      external_id: marked('m').replace(' ', '-'),
      guardian_confirmed: true,
    },
    token,
  });
  expect(child.status).toBe(201);
  const { profile } = (await child.json()) as { profile: { uuid: string } };

  async function submit(answers: Record<string, unknown>): Promise<string> {
    const { uuid: image } = await storePhoto(app, token, photo);
    const complaint = { ...(answers['complaint'] as object), description: marked('Itchy') };
    const made = await createCase(app, token, {
      anamnesis: { ...answers, reporter: 'parent_guardian', complaint },
      patient_uuid: profile.uuid,
      images: [{ name: image }],
      consent,
      submit: true,
    });
    expect(made).toMatchObject({ status: 201, patient_status: 'waiting' });
    return made.uuid;
  }
  const uuid = await submit(anamnesis);
  const taken = await takeNext(app, doctor);
  expect(taken.case?.uuid).toBe(uuid);
  const act = async (of: string, body: object, version: number, as = doctor.token) => {
    const path = `/api/v1/backoffice/cases/${of}/status`;
    const reply = await app.request(path, { json: { ...body, version }, token: as });
    expect([reply.status, body]).toEqual([200, body]);
    return ((await reply.json()) as { version: number }).version;
  };
  await act(
    uuid,
    { action: 'hold', pending_status: 'awaiting_patient', message: marked('A better photo of') },
    taken.case?.version ?? 0,
  );
  await drain();
  const asked = await getCase(app, token, uuid);
  const { uuid: sharper } = await storePhoto(
    app,
    token,
    await skinPhoto({ width: 80, height: 48, format: 'jpeg' }),
  );
  const replied = await updateCase(app, token, {
    uuid,
    version: asked.version,
    images: [...asked.images.map(({ name }) => ({ name })), { name: sharper }],
    message: marked('Here it is'),
    submit: true,
  });
  expect(replied.status).toBe(200);
  expect((await takeNext(app, doctor)).case?.uuid).toBe(uuid);
  const answer = () => ({
    diagnoses: [
      {
        disease_id: null,
        code: 'L20.9',
        code_system: 'icd10',
        text: marked('Eczema'),
        certainty: 'probable',
        is_primary: true,
      },
    ],
    patient_message: marked('Use'),
    internal_note: marked('Note'),
    recommendation_text: marked('Rest'),
    treatments: [
      { name: marked('Cream'), route: 'topical', dosage_text: marked('twice'), duration_text: 'a week' },
    ],
  });
  const signed = await annotate(app, doctor, uuid, { ...answer(), sign: true });
  expect(signed.httpStatus).toBe(201);
  // Published at once, told again, amended.
  const published = await app.request('/api/v1/backoffice/cases/notify-patient', {
    method: 'PATCH',
    json: { case_uuids: [uuid] },
    token: admin.access_token,
  });
  expect(await published.json()).toMatchObject({ results: [{ ok: true }] });
  await drain();
  expect(
    (
      await app.request(`/api/v1/backoffice/annotations/${uuid}/notify`, {
        json: {},
        token: admin.access_token,
      })
    ).status,
  ).toBe(202);
  await drain();
  const [{ version } = { version: 0 }] = await tenantRows<{ version: number }>(
    app,
    'SELECT version FROM dermatologist_annotations WHERE uuid = $1',
    [signed.uuid],
  );
  const amended = await saveAnnotation(app, doctor, uuid, version, {
    ...answer(),
    sign: true,
    amend_reason: marked('Mistaken'),
  });
  expect(amended.httpStatus).toBe(200);
  await drain();
  const review = {
    kind: 'audit',
    agreement: 'major',
    comment: marked('Rather'),
    requires_correction: true,
    sign: true,
    diagnoses: undefined,
    recommended_action: undefined,
    patient_message: undefined,
    internal_note: undefined,
    image_quality_ok: undefined,
    ai_agreement: undefined,
  };
  expect(await annotate(app, other, uuid, review)).toMatchObject({ httpStatus: 201 });

  // Staff look for the patient by name, and a client sends what is refused.
  const named = { patient_name: marks[1], scope: 'tenant' };
  const search = '/api/v1/backoffice/cases/search';
  const found = await app.request(search, { json: named, token: admin.access_token });
  expect(((await found.json()) as { items: object[] }).items).toHaveLength(1);
  const refused = { ...named, status: [marked('open')], nonsense: marked('nonsense') };
  expect((await app.request(search, { json: refused, token: admin.access_token })).status).toBe(400);

  // Another is assigned; a third is an emergency, and its patient thinks better of it.
  const second = await submit({
    ...anamnesis,
    complaint: { ...(anamnesis['complaint'] as object), duration: 'one_day' },
  });
  const { version: queued } = await getCase(app, token, second);
  await act(second, { action: 'assign', physician_uuid: other.uuid }, queued, admin.access_token);
  // News of a danger goes out at once, beside what still waits.
  await drain();
  const emergency = await submit(emergencyAnamnesis);
  await drain();
  expect(
    (await actOnCase(app, token, emergency, { action: 'cancel', reason: marked('Better') })).status,
  ).toBe(200);
  await drain();

  const to = (name: string) =>
    providers.messages.filter((each) => each.to === name).map(({ title }) => title);
  // The gateway delivers at its own pace as well.
  await expect.poll(() => to('doctors-browser').length).toBe(3);
  await expect.poll(() => server.mails.length).toBeGreaterThanOrEqual(8);
  for (const device of ['patients-browser', 'patients-phone']) {
    expect(to(device)).toEqual([
      'We need your reply',
      'There is news about your request',
      'There is news about your request',
      'There is news about your request',
    ]);
  }
  expect(to('others-browser')).toEqual(['A case was assigned to you']);
  expect(to('doctors-browser')).toEqual([
    'An answer must be corrected',
    'An urgent case needs a physician',
    'An urgent case was cancelled',
  ]);

  const streams = [await streamOf(doctor), await streamOf(other)];
  expect(streams[0]).toContain('event: audit.correction_required');
  expect(streams[1]).toContain('event: case.assigned');
  await expect.poll(() => counts.filter((text) => text.includes('"group"')).length).toBeGreaterThan(1);
  // The app sends the rest of its telemetry when it stops.
  await app.stop();

  const rows = async (table: string) =>
    (await tenantRows<{ row: string }>(app, `SELECT to_jsonb(t)::text AS row FROM ${table} t`)).map(
      ({ row }) => row,
    );
  const told = [
    ...server.mails.map(({ raw }) => raw),
    ...server.mails.flatMap(({ text, html, subject }) => [text, html, subject]),
    ...providers.messages.map(({ raw }) => raw),
    ...streams,
    ...counts,
  ];
  const written = [
    ...app.output,
    ...insights.items,
    ...(await rows('event_logs')),
    ...(await rows('outbox_messages')),
    ...(await rows('user_notices')),
  ];
  // Each mark was really taken in, but for those of the refused request.
  const tables = [
    'patients',
    'request_records',
    'request_anamneses',
    'case_messages',
    'dermatologist_annotations',
    'audit_annotations',
  ];
  const stored = (await Promise.all(tables.map(rows))).flat().join('\n');
  const absent = marks.filter((mark) => !stored.includes(mark));
  expect(absent).toHaveLength(2);
  expect(marks.length).toBeGreaterThan(20);
  expect(insights.items.some((item) => item.includes('RemoteDependencyData'))).toBe(true);
  expect(written.length).toBeGreaterThan(100);
  const telltale = [...told, ...written].filter((text) => marks.some((mark) => text.includes(mark)));
  expect(telltale).toEqual([]);
  const telling = told.filter((text) =>
    /eczema|L20|itch|photo|dermat(?!agate)|parent_guardian|elbow/i.test(text),
  );
  expect(telling).toEqual([]);
});
