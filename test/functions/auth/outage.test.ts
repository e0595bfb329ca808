import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  type Account,
  freshAddress,
  freshEmail,
  from,
  goodPassword,
  logIn,
  me,
  refresh,
  register,
} from '../../support/accounts.ts';
import { anotherInstance } from '../../support/another-instance.ts';
import { type RequestOptions, testApp } from '../../support/app.ts';
import { tcpProxy } from '../../support/tcp-proxy.ts';

const app = await testApp({ env: { TRUSTED_PROXY_HOPS: '2' } });
const database = new URL(app.databaseUrl);
const proxy = await tcpProxy({ host: database.hostname, port: Number(database.port) });
const instance = await anotherInstance(
  app,
  {
    DATABASE_URL: Object.assign(new URL(app.databaseUrl), { port: String(proxy.port) }).href,
  },
  { process: true },
);

const admin = await register(app, { role: 'admin' });
const opaque = (prefix: string) => prefix + 'A'.repeat(43);

/** Every endpoint of authentication, with a request that is right as far as can be told without the database. */
const requests = ({
  access_token: token,
  refresh_token: refreshToken,
}: Account): Record<string, [string, RequestOptions]> => ({
  register: ['register', { json: { email: freshEmail(), password: goodPassword, role: 'patient' } }],
  'register by invitation': [
    'register',
    { json: { invitation_token: opaque('dgi_'), password: goodPassword } },
  ],
  'register with a token': [
    'register',
    { token, json: { email: freshEmail(), password: goodPassword, role: 'patient' } },
  ],
  login: ['login', { json: { email: admin.email, password: goodPassword } }],
  refresh: ['refresh', { json: { refresh_token: refreshToken } }],
  me: ['me', { token }],
  'request-reset': ['request-reset', { json: { email: admin.email } }],
  'reset-password': ['reset-password', { json: { token: opaque('dgp_'), new_password: goodPassword } }],
  'change-password': [
    'change-password',
    { token, json: { current_password: 'x', new_password: goodPassword } },
  ],
  logout: ['logout', { json: { refresh_token: refreshToken } }],
  'logout-all': ['logout-all', { token, method: 'POST' }],
  sessions: ['sessions', { token }],
  'sessions/{id}': [`sessions/${randomUUID()}`, { token, method: 'DELETE' }],
  invitations: ['invitations', { token, json: { email: freshEmail(), role: 'patient' } }],
});

async function expectUnavailable() {
  const sent = Object.entries(requests(admin)).map(async ([name, [path, options]]) => {
    const headers = from(freshAddress());
    return { name, reply: await instance.request(`/api/auth/${path}`, { ...options, headers }) };
  });
  for (const { name, reply } of await Promise.all(sent)) {
    expect(reply.status, name).toBe(503);
    expect(reply.headers.get('retry-after'), name).toMatch(/^\d+$/);
    expect(reply.headers.get('www-authenticate'), name).toBeNull();
    const body = await reply.text();
    expect(JSON.parse(body), name).toMatchObject({ code: 'unavailable', status: 503 });
    expect(body).not.toMatch(/postgres|ECONN|SQL|127\.0\.0\.1/i);
  }
}

async function expectWell() {
  const account = await register(instance);
  expect((await logIn(instance, account)).status).toBe(200);
  expect((await me(instance, account.access_token)).status).toBe(200);
  expect((await refresh(instance, account.refresh_token)).status).toBe(200);
  // The outage has ended no session.
  expect((await me(instance, admin.access_token)).status).toBe(200);
}

test('while the database is away every endpoint is 503 and never 401; when it is back all is well without a restart', async () => {
  await expectWell();
  const pid = instance.host.workerPid();
  proxy.reset();
  await expectUnavailable();
  proxy.forward();
  await expectWell();
  expect(instance.host.workerPid()).toBe(pid);
});

test('while the database is silent every endpoint is 503, too', async () => {
  await expectWell();
  proxy.hang();
  await expectUnavailable();
  proxy.forward();
  await expectWell();
});

test('a token that can be none is refused without the database: 401 or 400, and nothing hangs', async () => {
  proxy.reset();
  const replies = await Promise.all([
    me(instance, 'not.a.token'),
    refresh(instance, 'not a token'),
    instance.request('/api/auth/reset-password', { json: { token: 'none', new_password: goodPassword } }),
  ]);
  proxy.forward();
  expect(replies.map(({ status }) => status)).toEqual([401, 401, 400]);
});
