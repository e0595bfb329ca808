import { expect, test } from 'vitest';
import { createDermagate, inMemory, type TokenPair, type TokenStore } from '../src/index.ts';
import { createAccessTokens } from '../../../../src/lib/auth/access-token.ts';
import { claimsOf } from '../../../../test/support/accounts.ts';
import { anotherInstance } from '../../../../test/support/another-instance.ts';
import { testApp } from '../../../../test/support/app.ts';
import { clientOf, patientOf } from '../../../../test/support/client.ts';
import { skinPhoto } from '../../../../test/support/images.ts';
import { tcpProxy } from '../../../../test/support/tcp-proxy.ts';

// The client against the gateway itself: rotation, reuse, outages and uploads as they are.

const app = await testApp({ env: { TRUSTED_PROXY_HOPS: '2', REFRESH_RACE_SKEW_MS: '0' } });
const database = new URL(app.databaseUrl);
const proxy = await tcpProxy({ host: database.hostname, port: Number(database.port) });
const behindProxy = await anotherInstance(app, {
  DATABASE_URL: Object.assign(new URL(app.databaseUrl), { port: String(proxy.port) }).href,
});

const accessTokens = createAccessTokens({ current: app.env['SECRET_KEY'] as string });

/** The pair as it is an hour later. */
async function expired(pair: TokenPair): Promise<TokenPair> {
  const { sub, sid } = claimsOf(pair.access_token);
  const hourAgo = new Date(Date.now() - 3_600_000);
  const token = accessTokens.sign({ sub, sid, role: 'patient', tenantId: 1 }, hourAgo);
  return { ...pair, access_token: token };
}

/** A patient whose access token has just expired, and what their client sends. */
async function returningPatient(to: { url: string } = app) {
  const tokens = inMemory();
  const { email, password } = await patientOf(app, { tokens });
  const before = await expired(tokens.load() as TokenPair);
  tokens.save(before);
  const sent: string[] = [];
  let signedOut = 0;
  const api = clientOf(to, {
    tokens,
    fetch: (request) => {
      sent.push(`${request.method} ${new URL(request.url).pathname}`);
      return fetch(request);
    },
    onSignedOut: () => void (signedOut += 1),
  });
  const refreshes = () => sent.filter((line) => line === 'POST /api/auth/refresh').length;
  return { api, tokens, before, sent, refreshes, signedOut: () => signedOut, email, password };
}

test('an expired access token costs one refresh for twenty concurrent calls, and all succeed', async () => {
  const { api, tokens, before, refreshes, email } = await returningPatient();
  const results = await Promise.all(Array.from({ length: 20 }, () => api.GET('/api/auth/me')));
  expect(results.map(({ data }) => data?.user.email)).toEqual(Array(20).fill(email));
  expect(refreshes()).toBe(1);
  expect(tokens.load()?.refresh_token).not.toBe(before.refresh_token);
});

test('a refused upload is sent again with its photo', async () => {
  const { api, sent } = await returningPatient();
  const jpeg = new Uint8Array(await skinPhoto({ format: 'jpeg', width: 1600, height: 1200 }));
  const photo = new File([jpeg], 'arm.jpg', { type: 'image/jpeg' });
  const { data, error } = await api.POST('/api/common/store_images', { body: { images: [photo] } });
  expect(error).toBeUndefined();
  expect(data?.images[0]).toMatchObject({ widthPx: 1600, heightPx: 1200 });
  expect(sent).toEqual([
    'POST /api/common/store_images',
    'POST /api/auth/refresh',
    'POST /api/common/store_images',
  ]);
});

test('tabs that share one store make one refresh, and all stay signed in', async () => {
  const { before } = await returningPatient();
  const tokens: TokenStore = {
    ...inMemory(before),
    exclusively: (work) => navigator.locks.request('tabs', work),
  };
  const tabs = Array.from({ length: 4 }, () => createDermagate({ baseUrl: app.url, tokens }));
  // Two uses of one refresh token would end the session here, where no race is forgiven.
  const results = await Promise.all(
    tabs.flatMap((api) => [api.GET('/api/auth/me'), api.GET('/api/auth/sessions')]),
  );
  expect(results.map(({ response }) => response.status)).toEqual(Array(8).fill(200));
});

test('a refresh token used elsewhere signs out: the gateway treats it as stolen', async () => {
  const { api, before, tokens, signedOut } = await returningPatient();
  const thief = createDermagate({ baseUrl: app.url, tokens: inMemory(before) });
  expect((await thief.GET('/api/auth/me')).response.status).toBe(200);
  expect((await api.GET('/api/auth/me')).error?.code).toBe('token_expired');
  expect(tokens.load()).toBeUndefined();
  expect(signedOut()).toBe(1);
  // And the thief is out as well.
  expect((await thief.GET('/api/auth/me')).error?.code).toBe('token_invalid');
});

test('an outage of the database during the refresh signs no user out', async () => {
  const { api, tokens, before, refreshes, signedOut, email } = await returningPatient(behindProxy);
  proxy.reset();
  const { error, response } = await api.GET('/api/auth/me');
  expect([response.status, error?.code]).toEqual([503, 'unavailable']);
  expect(tokens.load()).toEqual(before);
  expect(signedOut()).toBe(0);
  proxy.forward();
  expect((await api.GET('/api/auth/me')).data?.user.email).toBe(email);
  expect(refreshes()).toBeGreaterThan(0);
});

test('an outage that ends while the refresh waits goes unnoticed', async () => {
  const { api, refreshes, email } = await returningPatient(behindProxy);
  proxy.reset();
  const me = api.GET('/api/auth/me');
  while (refreshes() < 2) await new Promise((resolve) => setTimeout(resolve, 20));
  proxy.forward();
  expect((await me).data?.user.email).toBe(email);
});

test('after a logout the session has ended, even for the pair in use', async () => {
  const { api, tokens, before } = await returningPatient();
  await api.GET('/api/auth/me');
  const last = tokens.load() as TokenPair;
  await api.session.logOut();
  const copy = createDermagate({ baseUrl: app.url, tokens: inMemory(last) });
  expect((await copy.GET('/api/auth/me')).error?.code).toBe('token_invalid');
  expect((await api.GET('/api/auth/me')).error?.code).toBe('authentication_required');
  expect(last.refresh_token).not.toBe(before.refresh_token);
});
