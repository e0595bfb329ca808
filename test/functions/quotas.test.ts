import { expect, test } from 'vitest';
import { sendRaw } from '../../dev/packages/functions-host/test/running-host.ts';
import {
  type Account,
  codeOf,
  freshAddress,
  from,
  register,
  simultaneously,
  statusesOf,
  tenantRows,
} from '../support/accounts.ts';
import { anotherInstance } from '../support/another-instance.ts';
import { testApp } from '../support/app.ts';
import { anamnesis, anamnesisPart, imagePart, upload } from '../support/diagnosis.ts';
import { skinPhoto } from '../support/images.ts';
import { multipart } from '../support/multipart.ts';
import { photoPart } from '../support/stored-images.ts';

// What one user may do in a minute, an hour or a day, and how a client learns of it.

/** The limits that production has: the other tests run without them. */
const standard = {
  LIMIT_QUESTIONS_PER_MINUTE: undefined,
  LIMIT_QUESTIONS_PER_HOUR: undefined,
  LIMIT_AI_CALLS_PER_MINUTE: undefined,
  LIMIT_AI_CALLS_PER_HOUR: undefined,
  LIMIT_UPLOADS_PER_HOUR: undefined,
  LIMIT_UPLOADED_MB_PER_DAY: undefined,
  LIMIT_DOWNLOADS_PER_HOUR: undefined,
};
const origin = 'https://portal.example';
const app = await testApp({
  env: { TRUSTED_PROXY_HOPS: '2', PUBLIC_AI_ROUTES: 'true', CORS_ORIGINS: origin, ...standard },
});
/** Limits that a test reaches quickly, each of which one test is about; its users are new. */
const strict = await anotherInstance(app, {
  LIMIT_AI_CALLS_PER_MINUTE: '1',
  LIMIT_UPLOADS_PER_HOUR: '3',
  LIMIT_UPLOADED_MB_PER_DAY: '2',
  LIMIT_DOWNLOADS_PER_HOUR: '3',
  LIMIT_ANONYMOUS_AI_CALLS_PER_NETWORK: '12',
  LIMIT_REFRESHES_PER_SESSION: '2',
});
const photo = await skinPhoto({ width: 160, height: 120 });

type Gateway = Pick<typeof app, 'request'>;

const ask = ({ access_token: token }: Account, at: Gateway = app) =>
  at.request('/api/ai/next_question', { json: {}, token });
const triage = ({ access_token: token }: Account, at: Gateway = app) =>
  at.request('/api/ai/triage', { json: anamnesis, token });
const diagnose = ({ access_token: token }: Account, at: Gateway = app) =>
  at.request('/api/diagnosis', upload([imagePart(photo), anamnesisPart()], { token }));
const store = ({ access_token: token }: Account, at: Gateway = app, body: Uint8Array = photo) =>
  at.request('/api/common/store_images', upload([photoPart(body)], { token }));

/** Structured fields of RFC 9651: a list of strings with integer and string parameters. */
function parsed(header: string | null): Record<string, Record<string, number | string>> {
  const item = /^"([a-z-]+)"((?:;[a-z]+=(?:\d{1,15}|"[a-z-]+"))+)$/;
  const entries = (header ?? '').split(/, ?/).map((text) => {
    const [, name, parameters] = item.exec(text) ?? [];
    if (name === undefined || parameters === undefined) throw new Error(`no item: ${text}`);
    const pairs = parameters
      .slice(1)
      .split(';')
      .map((pair) => pair.split('=') as [string, string]);
    return [
      name,
      Object.fromEntries(
        pairs.map(([key, value]) => [key, value.startsWith('"') ? value.slice(1, -1) : Number(value)]),
      ),
    ];
  });
  return Object.fromEntries(entries) as Record<string, Record<string, number | string>>;
}

test('every reply says what the quotas are and what is left, and a browser may read it', async () => {
  const user = await register(app);
  const first = await app.request('/api/ai/triage', {
    json: anamnesis,
    token: user.access_token,
    headers: { origin },
  });
  expect(first.status).toBe(200);
  expect(parsed(first.headers.get('ratelimit-policy'))).toEqual({
    'ai-minute': { q: 10, w: 60 },
    'ai-hour': { q: 60, w: 3600 },
  });
  const left = parsed(first.headers.get('ratelimit'));
  expect(left).toMatchObject({ 'ai-minute': { r: 9 }, 'ai-hour': { r: 59 } });
  expect(left['ai-minute']?.['t']).toBeLessThanOrEqual(60);
  expect(left['ai-hour']?.['t']).toBeGreaterThan(3500);
  const exposed = first.headers.get('access-control-expose-headers')?.split(', ') ?? [];
  expect(exposed).toEqual(expect.arrayContaining(['ratelimit', 'ratelimit-policy']));
  // A refusal of another kind counts, and says so as well.
  const wrong = await app.request('/api/ai/triage', { json: { nonsense: 1 }, token: user.access_token });
  expect(wrong.status).toBe(422);
  expect(parsed(wrong.headers.get('ratelimit'))).toMatchObject({ 'ai-minute': { r: 8 } });
});

test('ten AI calls a minute, diagnoses among them; the eleventh is 429 with a true Retry-After', async () => {
  const user = await register(app);
  const statuses = [];
  for (let call = 0; call < 10; call += 1) statuses.push((await (call % 2 ? diagnose : triage)(user)).status);
  expect(new Set(statuses)).toEqual(new Set([200]));
  const refused = await diagnose(user);
  expect(refused.status).toBe(429);
  expect(await refused.clone().json()).toMatchObject({ detail: expect.stringContaining('ai-minute') });
  expect(await codeOf(refused)).toBe('rate_limited');
  const left = parsed(refused.headers.get('ratelimit'));
  expect(left).toMatchObject({ 'ai-minute': { r: 0 }, 'ai-hour': { r: 50 } });
  const retryAfter = Number(refused.headers.get('retry-after'));
  expect(retryAfter).toBe(left['ai-minute']?.['t']);
  expect(retryAfter).toBeGreaterThan(0);
  expect(retryAfter).toBeLessThanOrEqual(60);
  // Questions are counted by themselves, and others are not affected, whatever network they come from.
  expect((await ask(user)).status).toBe(200);
  expect((await triage(await register(app))).status).toBe(200);
  // With the hour used up as well, the wait is until its end.
  await app.db.query('UPDATE throttle_counters SET attempts = 60 WHERE attempts = 10');
  const ofTheHour = await triage(user);
  expect(ofTheHour.status).toBe(429);
  expect(await ofTheHour.json()).toMatchObject({ detail: expect.stringContaining('ai-minute, ai-hour') });
  expect(Number(ofTheHour.headers.get('retry-after'))).toBeGreaterThan(3500);
  await app.db.query('UPDATE throttle_counters SET attempts = 10 WHERE attempts = 60');
  await app.db.query(
    `UPDATE throttle_counters SET window_ends_at = now() - interval '1 ms' WHERE attempts = 10`,
  );
  expect((await triage(user)).status).toBe(200);
});

test('a used-up quota refuses before the body is read and reaches no AI service', async () => {
  const user = await register(strict);
  expect((await triage(user, strict)).status).toBe(200);
  const before = app.ai.calls.length;
  const refused = await strict.request('/api/ai/triage', {
    method: 'POST',
    body: '{ not even JSON',
    token: user.access_token,
    headers: { 'content-type': 'application/json' },
  });
  expect(refused.status).toBe(429);
  expect(app.ai.calls.length).toBe(before);
});

test('calls at the same time on two instances are counted together, and none passes the limit', async () => {
  const second = await anotherInstance(app);
  const user = await register(app);
  const replies = await simultaneously(25, (index) => triage(user, index % 2 ? app : second));
  expect(statusesOf(replies)).toEqual([...Array<number>(10).fill(200), ...Array<number>(15).fill(429)]);
  const remaining = replies
    .filter(({ status }) => status === 200)
    .map((reply) => Number(parsed(reply.headers.get('ratelimit'))['ai-minute']?.['r']))
    .toSorted((a, b) => a - b);
  expect(remaining).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

test('sixty questions a minute', async () => {
  const user = await register(app);
  // The AI service takes 48 at once.
  const replies = [
    ...(await simultaneously(40, () => ask(user))),
    ...(await simultaneously(21, () => ask(user))),
  ];
  expect(statusesOf(replies)).toEqual([...Array<number>(60).fill(200), 429]);
  expect(parsed(replies[0]?.headers.get('ratelimit-policy') ?? null)).toEqual({
    'questions-minute': { q: 60, w: 60 },
    'questions-hour': { q: 600, w: 3600 },
  });
});

test('uploads are counted by the hour and by their bytes; a refused one takes nothing', async () => {
  const user = await register(strict);
  const first = await store(user, strict);
  expect(first.status).toBe(201);
  expect(parsed(first.headers.get('ratelimit-policy'))).toEqual({
    'uploads-hour': { q: 3, w: 3600 },
    'upload-bytes-day': { q: 2_000_000, qu: 'content-bytes', w: 86_400 },
  });
  const left = parsed(first.headers.get('ratelimit'))['upload-bytes-day']?.['r'] as number;
  expect(2_000_000 - left).toBeGreaterThan(photo.length);
  expect(2_000_000 - left).toBeLessThan(photo.length + 2000);
  const large = await store(user, strict, new Uint8Array(2_000_000));
  expect(large.status).toBe(429);
  expect(Number(large.headers.get('retry-after'))).toBeGreaterThan(86_000);
  expect(parsed(large.headers.get('ratelimit'))).toMatchObject({
    'uploads-hour': { r: 2 },
    'upload-bytes-day': { r: left },
  });
  for (const status of [201, 201, 429]) expect((await store(user, strict)).status).toBe(status);
});

test('zeros before the length of an upload do not make it free', async () => {
  const { access_token: token } = await register(app);
  const { body, contentType } = multipart([photoPart(photo)]);
  const leftAfter = async (length: string) => {
    const head = ['POST /api/common/store_images HTTP/1.1', 'Host: app.test', 'Connection: close'];
    const own = [
      `Authorization: Bearer ${token}`,
      `Content-Type: ${contentType}`,
      `Content-Length: ${length}`,
    ];
    const [reply] = await sendRaw(app.host, [...head, ...own, '', ''].join('\r\n'), body);
    expect(reply?.status).toBe(201);
    const state = parsed(reply?.headers['ratelimit']?.[0] ?? null)['upload-bytes-day'];
    return state?.['r'] as number;
  };
  const length = String(body.byteLength);
  const [plain, padded] = [await leftAfter(length), await leftAfter(length.padStart(17, '0'))];
  expect(plain - padded).toBe(500_000_000 - plain);
});

test('downloads are counted, thumbnails and 304 among them', async () => {
  const user = await register(strict);
  const { images } = (await (await store(user, strict)).json()) as { images: { url: string }[] };
  const url = images[0]?.url as string;
  const read = (query = '', headers = {}) =>
    strict.request(`${url}${query}`, { token: user.access_token, headers });
  const first = await read();
  expect(parsed(first.headers.get('ratelimit-policy'))).toEqual({ 'downloads-hour': { q: 3, w: 3600 } });
  expect((await read('?variant=thumbnail')).status).toBe(200);
  expect((await read('', { 'if-none-match': first.headers.get('etag') ?? '' })).status).toBe(304);
  expect((await read()).status).toBe(429);
});

test('callers without a token have the limit of their network and no quota', async () => {
  const address = freshAddress();
  const call = () => strict.request('/api/ai/next_question', { json: {}, headers: from(address) });
  const replies = await simultaneously(13, call);
  expect(statusesOf(replies)).toEqual([...Array<number>(12).fill(200), 429]);
  for (const reply of replies) expect(reply.headers.get('ratelimit')).toBeNull();
});

test('a session is refreshed 120 times an hour at most, and the token is good afterwards', async () => {
  const user = await register(strict);
  const refresh = async (token: string) =>
    await strict.request('/api/auth/refresh', { json: { refresh_token: token } });
  let { refresh_token: token } = user;
  for (let round = 0; round < 2; round += 1) {
    ({ refresh_token: token } = (await (await refresh(token)).json()) as { refresh_token: string });
  }
  const refused = await refresh(token);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3500);
  const ended = await tenantRows(
    app,
    `UPDATE sessions SET renewals_until = now() - interval '1 ms' WHERE renewals = 2 RETURNING uuid`,
  );
  expect(ended).toHaveLength(1);
  expect((await refresh(token)).status).toBe(200);
});
