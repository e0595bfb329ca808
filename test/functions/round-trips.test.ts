import { expect, test } from 'vitest';
import { me, register, tenantRows } from '../support/accounts.ts';
import { anotherInstance } from '../support/another-instance.ts';
import { testApp } from '../support/app.ts';
import { tcpProxy } from '../support/tcp-proxy.ts';
import { aiRoutes, bodyOf } from './ai/ai-requests.ts';

// How often a request waits for PostgreSQL. A clinic's database is a millisecond away, and each wait is an interruption of the
// event loop as well.

const app = await testApp();
const server = new URL(app.databaseUrl);
const line = await tcpProxy({ host: server.hostname, port: Number(server.port) });
const instance = await anotherInstance(app, {
  DATABASE_URL: Object.assign(new URL(app.databaseUrl), { host: `127.0.0.1:${line.port}` }).href,
  REQUIRE_VERIFIED_EMAIL: 'true',
});
const account = await register(app);
await tenantRows(app, 'UPDATE users SET is_verified = true');

/** Of the second of two requests: the first one opens the connection. */
async function roundTripsOf(ask: () => Promise<Response>): Promise<number> {
  await ask();
  const before = line.roundTrips();
  expect((await ask()).status).toBe(200);
  return line.roundTrips() - before;
}

test('the account of the caller comes with the session, in one', async () => {
  expect(await roundTripsOf(() => me(instance, account.access_token))).toBe(1);
});

test.each(aiRoutes)('%s takes two: session with quota, record', async (route) => {
  const ask = () =>
    instance.request(`/api/ai/${route}`, { json: bodyOf(route), token: account.access_token });
  expect(await roundTripsOf(ask)).toBe(2);
});

test('a refresh takes one, which finds, exchanges and records', async () => {
  let token = account.refresh_token;
  const ask = async () => {
    const reply = await instance.request('/api/auth/refresh', { json: { refresh_token: token } });
    token = ((await reply.clone().json()) as { refresh_token: string }).refresh_token;
    return reply;
  };
  expect(await roundTripsOf(ask)).toBe(1);
});

test('a transaction of one statement takes three: begin and tenant, statement, commit', async () => {
  const ask = () => instance.request('/api/auth/sessions', { token: account.access_token });
  expect(await roundTripsOf(ask)).toBe(1 + 3);
});
