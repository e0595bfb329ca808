import { expect, test } from 'vitest';
import { claimsOf, freshEmail, register } from '../support/accounts.ts';
import { anotherInstance } from '../support/another-instance.ts';
import { testApp } from '../support/app.ts';
import { storePhoto } from '../support/stored-images.ts';
import { anamnesis, anamnesisPart, imagePart, upload } from '../support/diagnosis.ts';
import { json, text } from '../support/fake-ai.ts';
import { skinPhoto } from '../support/images.ts';
import { insightsSink } from '../support/insights-sink.ts';

// What the log says of requests, and what it never says.

const insights = await insightsSink();
const app = await testApp({
  env: {
    LOG_LEVEL: 'debug',
    CORS_ORIGINS: 'https://portal.example.org',
    APPLICATIONINSIGHTS_CONNECTION_STRING: insights.connectionString,
  },
});
const photo = await skinPhoto({ width: 64, height: 48, format: 'jpeg' });

interface Line {
  event: string;
  function: string;
  status: number;
  ms: number;
  requestId: string;
  user?: string;
  tenant?: number;
  code?: string;
  level: string;
}

/** The app's own lines; the host puts its time, and its level if it is not information, in front. */
function lines(): Line[] {
  return app.output.flatMap((text) => {
    const start = text.indexOf('{"level":');
    return start === -1 ? [] : [JSON.parse(text.slice(start)) as Line];
  });
}

const requestLines = (requestId: string) =>
  lines().filter((line) => line.event === 'request' && line.requestId === requestId);

test('each request leaves one line with function, status, duration and request id', async () => {
  const { access_token: token } = await register(app);
  const cases: [string, string, Parameters<typeof app.request>[1], string, number][] = [
    ['log-1', '/healthy', {}, 'getHealthy', 200],
    ['log-2', '/health', { method: 'HEAD' }, 'getHealth', 200],
    ['log-3', '/api/auth/me', { token }, 'getMe', 200],
    ['log-4', '/api/auth/me', {}, 'getMe', 401],
    ['log-5', '/api/auth/login', { json: {} }, 'logIn', 400],
    ['log-6', '/nowhere', {}, 'zz-not-found', 404],
    ['log-7', '/healthy', { method: 'DELETE' }, 'zz-not-found', 405],
    ['log-8', '/healthy', { method: 'OPTIONS' }, 'zz-not-found', 204],
    [
      'log-9',
      '/api/diagnosis',
      upload([imagePart(photo), anamnesisPart()], { token }),
      'createDiagnosis',
      200,
    ],
  ];
  for (const [id, path, options = {}] of cases) {
    const headers = { ...(options.headers as Record<string, string>), 'x-request-id': id };
    await app.request(path, { ...options, headers });
  }
  for (const [id, , , name, status] of cases) {
    const found = requestLines(id);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({ function: name, status, requestId: id, ms: expect.any(Number) });
  }
  expect(requestLines('log-3')[0]).toMatchObject({ user: claimsOf(token).sub, tenant: 1 });
  expect(requestLines('log-4')[0]).not.toHaveProperty('user');
  expect(requestLines('log-4')[0]).toMatchObject({ code: 'authentication_required' });
  expect(requestLines('log-7')[0]).toMatchObject({ code: 'method_not_allowed' });
  expect(requestLines('log-8')[0]).not.toHaveProperty('code');
});

test('a refused origin is named in one line', async () => {
  const origin = 'https://other.example:8443';
  const headers = { origin, 'x-request-id': 'log-origin' };
  const refused = () =>
    lines().filter(({ event, requestId }) => event === 'origin_refused' && requestId === 'log-origin');
  await app.request('/healthy', { headers });
  expect(refused()).toEqual([expect.objectContaining({ level: 'warn', origin })]);
  await app.request('/healthy', { method: 'OPTIONS', headers });
  expect(refused()).toHaveLength(2);
});

const marker = 'zq17marker';
const address = '203.0.113.177';
/** Of the journey below, after which they may be nowhere. */
const secrets = [marker, address];

test('nothing that a user sends, receives or is called is in the log or the metrics', async () => {
  const seen: string[] = [];
  const remember = async (reply: Response) => {
    const body = await reply.text();
    seen.push(body);
    return { status: reply.status, body };
  };
  const markedHeaders = {
    'user-agent': `Agent/${marker}`,
    'accept-language': `en, ${marker}`,
    cookie: `session=${marker}`,
    referer: `https://portal.example.org/${marker}`,
    'x-request-id': `not ${marker} valid`,
    traceparent: marker,
    'x-forwarded-for': address,
  };
  const json_ = (path: string, body: unknown, token?: string) =>
    app
      .request(`${path}?note=${marker}`, {
        json: body,
        headers: markedHeaders,
        strayQuery: ['note'],
        ...(token !== undefined && { token }),
      })
      .then(remember);

  const email = freshEmail(marker);
  const password = `${marker} password of mine`;
  const registered = await json_('/api/auth/register', { email, password, role: 'patient' });
  expect(registered.status).toBe(201);
  const tokens = JSON.parse(registered.body) as { access_token: string; refresh_token: string };
  const { access_token: token, refresh_token: refreshToken } = tokens;

  await json_('/api/auth/register', { email, password, role: 'patient' });
  await json_('/api/auth/register', { email: marker, password: marker, role: marker, [marker]: marker });
  await json_('/api/auth/login', { email, password });
  await json_('/api/auth/login', { email, password: `${marker} wrong` });
  await json_('/api/auth/refresh', { refresh_token: `dgr_${marker}` });
  await json_('/api/auth/request-reset', { email: `${marker}@nowhere.example` });
  await app.request('/api/auth/me', { token, headers: markedHeaders }).then(remember);
  await app.request('/api/auth/me', { token: `${token}${marker}` }).then(remember);
  await app.request(`/${marker}/${marker}?${marker}=${marker}`).then(remember);
  await app
    .request('/api/auth/login', { body: `{"${marker}":`, headers: { 'content-type': 'application/json' } })
    .then(remember);

  const answers = { ...anamnesis, complaint: { ...(anamnesis['complaint'] as object), description: marker } };
  const image = imagePart(photo, { filename: `${marker}.jpg`, type: `image/${marker}` });
  const diagnose = (parts: Parameters<typeof upload>[0]) =>
    app
      .request(
        `/api/diagnosis?note=${marker}`,
        upload(parts, { token, headers: markedHeaders, strayQuery: ['note'] }),
      )
      .then(remember);
  app.ai.on(
    'predict_diagnosis',
    json({ predictions: [{ disease: marker, probability: 1, confidence: 'low' }] }),
  );
  expect((await diagnose([image, anamnesisPart(answers)])).status).toBe(200);
  await diagnose([image, anamnesisPart({ ...answers, [marker]: marker })]);
  await diagnose([image, anamnesisPart(marker)]);
  await diagnose([imagePart(Buffer.from(marker)), anamnesisPart(answers)]);
  await diagnose([{ name: marker, body: marker }]);
  app.ai.on('red_flags', json({ [marker]: marker, flags: marker }));
  expect((await diagnose([image, anamnesisPart(answers)])).status).toBe(502);
  app.ai.on('triage', text(marker, 503));
  await json_('/api/ai/triage', answers, token);

  const { uuid: image_ } = await storePhoto(app, token, photo);
  const child = { given_name: marker, family_name: marker, external_id: marker, guardian_confirmed: true };
  const person = { ...child, birth_date: '2019-04-30', gender: 'male', relation: 'child' };
  expect((await json_('/api/v1/mobile/users/offsprings', person, token)).status).toBe(201);
  const case_ = { images: [{ name: image_ }], consent: { version: '1', accepted: true }, submit: true };
  const create = (body: object) => json_('/api/v1/mobile/cases/create', body, token);
  // The AI service still lies about red flags: the case waits for a worker, who is lied to as well.
  const made = await create({ anamnesis: answers, client_case_id: marker, ...case_ });
  expect(made.status).toBe(201);
  const { uuid, version } = JSON.parse(made.body) as { uuid: string; version: number };
  await create({ anamnesis: { ...answers, [marker]: marker }, ...case_ });
  await create({ anamnesis: answers, client_case_id: `${marker}-2`, ...case_, images: [{ name: marker }] });
  await json_('/api/v1/mobile/cases/update', { uuid, version, message: marker }, token);
  await json_(`/api/v1/mobile/cases/${uuid}/status`, { action: 'cancel', version, reason: marker }, token);
  await app.db.query('UPDATE outbox_messages SET locked_until = NULL, available_at = now()');
  for (const timer of ['drainOutbox', 'retryAnalyses', 'retryEligibility', 'remindAndExpire', 'watchQueue']) {
    await app.runTimer(timer);
  }
  const measured = await (await app.request('/metrics')).text();
  expect(measured).toContain('dermagate_ai_call_duration');
  expect(measured).not.toContain(marker);

  // The marker did go in and come out.
  expect(seen.some((body) => body.includes(marker))).toBe(true);
  secrets.push(token, token.split('.')[2] ?? '', refreshToken, photo.toString('base64').slice(100, 140));
  expect(secrets).not.toContain('');
  expect(leaksIn(app.output)).toEqual([]);
  expect(lines().filter(({ event }) => event === 'unexpected_error')).toEqual([]);
});

const leaksIn = (texts: readonly string[]) =>
  texts.filter((text) => secrets.some((secret) => text.includes(secret)));

test('below LOG_LEVEL nothing is written', async () => {
  const quiet = await anotherInstance(app, { LOG_LEVEL: 'error' });
  await quiet.request('/healthy', { headers: { 'x-request-id': 'quiet-1' } });
  await quiet.request('/nowhere', { headers: { 'x-request-id': 'quiet-2' } });
  expect(quiet.output.filter((line) => line.includes('quiet-'))).toEqual([]);
});

test('nor is it in the spans and metrics that are exported', async () => {
  // With the last test that needs the app: it exports what it has when it stops.
  await app.stop();
  const dependencies = insights.items.filter((item) => item.includes('RemoteDependencyData'));
  for (const route of ['predict_diagnosis', 'red_flags', 'triage', 'image_validity']) {
    expect(dependencies.some((item) => item.includes(`AI ${route}`))).toBe(true);
  }
  expect(dependencies.some((item) => item.includes('"success":false'))).toBe(true);
  expect(insights.items.some((item) => item.includes('MetricData'))).toBe(true);
  expect(secrets.length).toBeGreaterThan(2);
  expect(leaksIn(insights.items)).toEqual([]);
});
