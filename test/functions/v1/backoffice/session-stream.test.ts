import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, inject, test } from 'vitest';
import { query } from '../../../../dev/services/postgres.ts';
import { createAccessTokens } from '../../../../src/lib/auth/access-token.ts';
import {
  type Account,
  claimsOf,
  createTenant,
  from,
  goodPassword,
  logIn,
  me,
  refresh,
  register,
  tenantRows,
} from '../../../support/accounts.ts';
import { anotherInstance } from '../../../support/another-instance.ts';
import { testApp } from '../../../support/app.ts';
import { sampleOf } from '../../../support/metrics.ts';

const app = await testApp({ env: { SSE_HOLD_MS: '600', SSE_POLL_MS: '100' } });
/** Holds requests for longer than any test takes on a busy machine. */
const patient = await anotherInstance(app, { SSE_HOLD_MS: '30000' });
const path = '/api/v1/backoffice/unique-sessions/connect';

interface Event {
  id: number;
  name: string;
  data: Record<string, unknown>;
}

type Asked = Pick<typeof app, 'request'>;
const connect = (token: string, after?: number, to: Asked = app) =>
  to.request(path, { token, headers: after === undefined ? {} : { 'last-event-id': String(after) } });

/** Resolves when the patient instance holds that many requests: each is admitted, and waits. */
async function untilHeld(count: number): Promise<void> {
  while ((await sampleOf(patient, 'dermagate_streams_held')) !== count) await sleep(10);
}

async function read(reply: Response): Promise<{ events: Event[]; retry: number; text: string }> {
  const text = await reply.text();
  expect(reply.status, text).toBe(200);
  const blocks = [...text.matchAll(/^id: (\d+)\nevent: (\S+)\ndata: (.+)\n\n/gm)];
  const events = blocks.map(([, id, name = '', data = '']) => ({
    id: Number(id),
    name,
    data: JSON.parse(data) as Record<string, unknown>,
  }));
  return { events, retry: Number(/^retry: (\d+)\n\n/.exec(text)?.[1]), text };
}

const setUniqueSession = ({ email }: Account) =>
  tenantRows(
    app,
    `UPDATE physicians SET settings = '{"unique_session": true}'
     WHERE user_id = (SELECT id FROM users WHERE email = $1)`,
    [email],
  );

async function oneSessionTenant(): Promise<number> {
  const tenantId = await createTenant(app, 'one-session');
  await tenantRows(
    app,
    `INSERT INTO application_parameters (tenant_id, branch, sub_branch, key, value, visibility)
     VALUES ($1, 'auth', 'rules', 'unique_session', 'true', 'internal')`,
    [tenantId],
    tenantId,
  );
  return tenantId;
}

async function tell(account: Account, kind: string, payload: object, tenantId = 1): Promise<void> {
  await tenantRows(
    app,
    `INSERT INTO user_notices (tenant_id, user_id, kind, payload, expires_at)
     SELECT tenant_id, id, $2, $3, now() + interval '1 day' FROM users WHERE email = $1`,
    [account.email, kind, JSON.stringify(payload)],
    tenantId,
  );
}

test('it begins with hello at once, whose id is the newest notice, and goes on from there', async () => {
  const account = await register(app, { role: 'physician' });
  const nothing = await read(await connect(account.access_token));
  expect(nothing).toMatchObject({
    retry: 500,
    events: [
      { id: 0, name: 'hello', data: { session_id: claimsOf(account.access_token).sid, unique: false } },
    ],
  });
  const [first, second] = [randomUUID(), randomUUID()];
  await tell(account, 'case.assigned', { case_uuid: first });
  const {
    events: [hello],
  } = await read(await connect(account.access_token));
  expect(hello?.id).toBeGreaterThan(0);
  const reply = await connect(account.access_token);
  expect(reply.headers.get('content-type')).toBe('text/event-stream');
  expect(reply.headers.get('cache-control')).toBe('no-store');

  const waiting = connect(account.access_token, hello?.id, patient);
  await untilHeld(1);
  await tell(account, 'audit.correction_required', { case_uuid: second, annotation_uuid: first });
  const { events } = await read(await waiting);
  expect(events).toMatchObject([
    { name: 'audit.correction_required', data: { case_uuid: second, annotation_uuid: first } },
  ]);
  expect(Object.keys(events[0]?.data ?? {}).toSorted()).toEqual(['annotation_uuid', 'at', 'case_uuid']);
  const replayed = await read(await connect(account.access_token, 0));
  expect(replayed.events.map(({ name }) => name)).toEqual(['case.assigned', 'audit.correction_required']);

  const end = await read(await connect(account.access_token, events[0]?.id));
  expect(end.text).toBe('retry: 500\n\n: nothing new\n\n');
  // A client that sends something else begins anew.
  const odd = await app.request(path, {
    token: account.access_token,
    headers: { 'last-event-id': 'x' },
  });
  expect((await read(odd)).events.map(({ name }) => name)).toEqual(['hello']);
});

test('a client whose id is newer than the database, as after a restore, begins anew and gets what happens from then on', async () => {
  const account = await register(app, { role: 'physician' });
  await tell(account, 'case.assigned', { case_uuid: randomUUID() });
  const { id = 0 } = (await read(await connect(account.access_token))).events[0] ?? {};
  const ahead = await read(await connect(account.access_token, id + 1_000_000));
  expect(ahead).toMatchObject({ retry: 500, events: [{ id, name: 'hello' }] });
  expect((await read(await connect(account.access_token, id))).events).toEqual([]);
  await tell(account, 'case.cancelled', { case_uuid: randomUUID() });
  const { events } = await read(await connect(account.access_token, id));
  expect(events.map(({ name }) => name)).toEqual(['case.cancelled']);
});

test.each(['of the tenant', 'of the physician'])(
  'unique_session %s: the older stream says that it is replaced, and its next request is 401 with the reason',
  async (whose) => {
    const isTenant = whose === 'of the tenant';
    const [tenant, tenantId] = isTenant ? ['one-session', await oneSessionTenant()] : ['default', 1];
    const bystander = await register(app, { role: 'physician', tenant });
    const older = await register(app, { role: 'physician', tenant });
    const open = [older];
    if (!isTenant) {
      open.push((await (await logIn(app, { email: older.email, password: goodPassword })).json()) as Account);
      expect((await me(app, older.access_token)).status).toBe(200);
      await setUniqueSession(older);
    }
    const streams = [bystander, ...open].map(({ access_token: token }) => connect(token, 0, patient));
    await untilHeld(streams.length);
    const login = await app.request('/api/auth/login', {
      json: { email: older.email, password: goodPassword },
      headers: {
        ...from('203.0.113.5'),
        'user-agent': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:146.0) Gecko/20100101 Firefox/146.0',
      },
    });
    const newer = (await login.json()) as Account;
    await tell(bystander, 'case.assigned', { case_uuid: randomUUID() }, tenantId);
    const [ofBystander, ...ofOpen] = await Promise.all(streams.map(async (each) => read(await each)));
    for (const told of ofOpen) {
      expect(told.events).toMatchObject([
        { name: 'session.replaced', data: { at: expect.any(String), device_label: 'Firefox, Windows' } },
      ]);
    }
    expect(ofBystander?.events.map(({ name }) => name)).toEqual(['case.assigned']);
    expect((await read(await connect(newer.access_token))).events[0]?.data).toMatchObject({ unique: true });

    for (const { access_token: token, refresh_token: refreshToken } of open) {
      for (const refused of [
        await me(app, token),
        await connect(token, 0),
        await app.request('/api/diagnosis', { method: 'POST', token, body: new FormData() }),
        await refresh(app, refreshToken),
      ]) {
        expect(refused.status).toBe(401);
        expect(await refused.json()).toMatchObject({ reason: 'session_replaced' });
      }
    }
    expect((await me(app, newer.access_token)).status).toBe(200);
    expect((await refresh(app, newer.refresh_token)).status).toBe(200);
    const [row] = await tenantRows<{ reason: string; by: string }>(
      app,
      'SELECT revoked_reason AS reason, replaced_by AS by FROM sessions WHERE uuid = $1',
      [claimsOf(older.access_token).sid],
      tenantId,
    );
    expect(row).toEqual({ reason: 'replaced', by: claimsOf(newer.access_token).sid });
  },
);

test('a session that ends otherwise says so to its own streams, and its 401 has no reason', async () => {
  const account = await register(app, { role: 'physician' });
  const other = (await (
    await logIn(app, { email: account.email, password: goodPassword })
  ).json()) as Account;
  const streams = [account, other].map(({ access_token: token }) => connect(token, 0, patient));
  await untilHeld(streams.length);
  await app.request('/api/auth/logout', { json: { refresh_token: other.refresh_token } });
  await tell(account, 'case.assigned', { case_uuid: randomUUID() });
  const [own, gone] = await Promise.all(streams.map(async (each) => read(await each)));
  expect(own?.events.map(({ name }) => name)).toEqual(['case.assigned']);
  expect(gone?.events[0]).toMatchObject({ name: 'session.revoked', data: { reason: 'logout' } });
  const refused = await me(app, other.access_token);
  expect(refused.status).toBe(401);
  expect(await refused.json()).not.toHaveProperty('reason');
});

test('a demotion to patient, which ends all sessions, is reported on the open stream', async () => {
  const [admin, account] = [
    await register(app, { role: 'admin' }),
    await register(app, { role: 'physician' }),
  ];
  const { sub } = claimsOf(account.access_token);
  const stream = connect(account.access_token, 0, patient);
  await untilHeld(1);
  const changed = await app.request(`/api/v1/backoffice/users/${sub}`, {
    method: 'PATCH',
    token: admin.access_token,
    json: { version: 1, role: 'patient' },
  });
  expect(changed.status, await changed.text()).toBe(200);
  // Wakes a stream without news, so that it fails at once.
  await tell(account, 'case.assigned', { case_uuid: randomUUID() });
  const { events } = await read(await stream);
  expect(events[0]).toMatchObject({ name: 'session.revoked', data: { reason: 'revoked_by_admin' } });
});

test('a fourth stream of a session is refused with the time to wait; those beyond the share of the instance are answered at once', async () => {
  const [one, two, three] = await Promise.all([1, 2, 3].map(() => register(app, { role: 'physician' })));
  if (one === undefined || two === undefined || three === undefined) throw new Error('three accounts');
  const open = ({ access_token: token }: Account, count: number) =>
    Array.from({ length: count }, () => connect(token, 0, patient));
  const ofOne = open(one, 4);
  const fourth = await Promise.race(ofOne);
  expect(fourth.status).toBe(429);
  expect(await fourth.json()).toMatchObject({ code: 'stream_limit' });
  expect(Number(fourth.headers.get('retry-after'))).toBeGreaterThan(0);
  // Four requests are held at most, and three are.
  const ofOthers = [...open(two, 1), ...open(three, 1)];
  expect(await read(await Promise.race(ofOthers))).toMatchObject({ retry: 5000, events: [] });
  expect((await me(patient, one.access_token)).status).toBe(200);
  for (const account of [one, two, three]) await tell(account, 'case.assigned', { case_uuid: randomUUID() });
  const held = (await Promise.all([...ofOne, ...ofOthers])).filter(({ bodyUsed }) => !bodyUsed);
  const answers = await Promise.all(held.map(read));
  expect(answers.map(({ retry, events }) => [retry, events.length])).toEqual(
    Array.from(held, () => [500, 1]),
  );
  expect(held).toHaveLength(4);
});

/** As deployed, in `npm run soak`: 2 s, and requests are held for 25 s. */
const pollMs = Number(process.env['STREAM_POLL_MS'] ?? 400);
const holdMs = pollMs === 2000 ? 25_000 : 700;
/** Requests of each client, one after the other. */
const rounds = 4;

test('a hundred clients cost one query for each poll of an instance, whoever is held', async () => {
  const [name] = new URL(app.databaseUrl).pathname.split('/').slice(1);
  await query(inject('services').superuserUrl, `ALTER DATABASE ${name} SET track_functions = 'all'`);
  const instance = await anotherInstance(app, { SSE_POLL_MS: `${pollMs}`, SSE_HOLD_MS: `${holdMs}` });
  const accessTokens = createAccessTokens({ current: app.env['SECRET_KEY'] ?? '' });
  const sessions = await tenantRows<{ sub: string; sid: string }>(
    app,
    `WITH people AS (
       INSERT INTO users (uuid, tenant_id, email, password_hash, role)
       SELECT gen_random_uuid(), 1, 'staff-' || n || '@example.org', '!', 'physician' FROM generate_series(1, 50) AS n
       RETURNING id, uuid),
     opened AS (
       INSERT INTO sessions (uuid, tenant_id, user_id, auth_time, last_used_at, idle_expires_at, absolute_expires_at)
       SELECT gen_random_uuid(), 1, id, now(), now(), now() + interval '1 day', now() + interval '1 day'
       FROM people, generate_series(1, 2) RETURNING uuid, user_id)
     SELECT people.uuid AS sub, opened.uuid AS sid FROM opened JOIN people ON people.id = user_id`,
  );
  expect(sessions).toHaveLength(100);
  const startedAt = performance.now();
  const answers: { retry: number; at: number }[] = [];
  await Promise.all(
    sessions.map(async ({ sub, sid }) => {
      const token = accessTokens.sign({ sub, sid, role: 'physician', tenantId: 1 }, new Date());
      for (let round = 0; round < rounds; round++) {
        const { retry } = await read(await connect(token, 0, instance));
        answers.push({ retry, at: performance.now() - startedAt });
        await sleep(pollMs);
      }
    }),
  );
  const elapsed = performance.now() - startedAt;
  const isHeld = ({ retry }: { retry: number }) => retry === 500;
  const atOnce = answers.filter((answer) => !isHeld(answer));
  expect(atOnce.length).toBeGreaterThan((sessions.length * rounds) / 2);
  expect(answers.filter(isHeld).length).toBeGreaterThan(3);
  // Its connections report what they have counted when they end.
  await instance.stop();
  const { rows } = await app.db.query<{ calls: number }>(
    `SELECT calls::int FROM pg_stat_user_functions WHERE funcname = 'find_user_notices'`,
  );
  const calls = rows[0]?.calls ?? 0;
  expect(calls).toBeGreaterThan(3);
  // While users are new, those who come within an eighth of the time share a query.
  const newUntil = atOnce[95]?.at ?? elapsed;
  const planned = newUntil / (pollMs / 8) + (elapsed - newUntil) / pollMs;
  // Four times as many, because a busy machine answers clients late for what the instance did in time. With a query for
  // each request there would be as many as answers: hundreds.
  expect(calls).toBeLessThanOrEqual(4 * planned + 2);
  const seconds = (ms: number) => (ms / 1000).toFixed(1);
  console.info(
    `${answers.length} requests of 100 clients in ${seconds(elapsed)} s (all known after ${seconds(newUntil)} s), ` +
      `${answers.filter(isHeld).length} of them held: ${calls} queries, one each ${seconds(elapsed / calls)} s`,
  );
});
