import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { endpoints } from '../../../src/endpoints.ts';
import { freshAddress, freshEmail, from, register } from '../../support/accounts.ts';
import { anotherInstance } from '../../support/another-instance.ts';
import { testApp } from '../../support/app.ts';

// Behind Front Door the client is named by a header that anyone could write who reaches the app past Front Door.

const id = 'a7c1f0de-4b06-4bf1-b40e-4638452104da';
const app = await testApp({ env: { TRUSTED_PROXY_HOPS: '2', FRONT_DOOR_ID: id.toUpperCase() } });

/** As Front Door passes a request on; with undefined as a caller who knows the app's own address. */
const send = (path: string, fdid: string | undefined, init: RequestInit = {}) =>
  fetch(new URL(path, app.url), {
    ...init,
    headers: {
      ...(init.headers as Record<string, string>),
      ...(fdid !== undefined && { 'x-azure-fdid': fdid }),
    },
  });

const logIn = (email: string, password: string, client: string, fdid: string | undefined) =>
  send('/api/auth/login', fdid, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...from(client) },
    body: JSON.stringify({ email, password }),
  });

test.each([
  ['none', undefined],
  ['an empty one', ''],
  ['that of another Front Door', '11111111-4b06-4bf1-b40e-4638452104da'],
  ['a part of it', id.slice(0, -1)],
  ['more than it', `${id}0`],
  ['two, the right one first', `${id}, ${id}`],
  ['the right one among others', `x,${id}`],
  ['in quotes', `"${id}"`],
])('with %s in X-Azure-FDID nothing is served', async (_, fdid) => {
  for (const path of ['/healthy', '/health', '/api/docs', '/api/auth/me', '/nowhere']) {
    const reply = await send(path, fdid);
    expect([path, reply.status]).toEqual([path, 404]);
    expect(await reply.json()).toMatchObject({
      code: 'not_found',
      detail: 'The service answers at its public address only, behind Front Door.',
    });
    expect(reply.headers.get('x-request-id')).not.toBeNull();
    expect(reply.headers.get('cache-control')).toBe('no-store');
  }
});

test('no endpoint is served past Front Door, and no preflight', async () => {
  for (const { method, route } of endpoints) {
    const path = `/${route.replaceAll(/\{[^}]*\}/g, 'x')}`;
    const body = method === 'GET' || method === 'DELETE' ? {} : { body: '{}' };
    for (const [verb, init] of [
      [method, body],
      ['OPTIONS', {}],
    ] as const) {
      const reply = await send(path, undefined, { method: verb, ...init });
      const { detail } = (await reply.json()) as { detail?: string };
      expect([verb, path, reply.status, detail]).toEqual([
        verb,
        path,
        404,
        'The service answers at its public address only, behind Front Door.',
      ]);
    }
  }
});

test.each([id, id.toUpperCase()])('with the configured id, in any case, everything is: %s', async (fdid) => {
  expect((await send('/healthy', fdid)).status).toBe(200);
  expect((await send('/api/auth/me', fdid)).status).toBe(401);
  expect((await send('/nowhere', fdid)).status).toBe(404);
});

test('a caller past Front Door cannot fill the counters of the address that it claims', async () => {
  const email = freshEmail();
  const victim = freshAddress();
  await register({ request: (path, options) => app.request(path, withId(options)) }, { email });
  const past = await Promise.all(
    Array.from({ length: 15 }, () => logIn(email, randomBytes(9).toString('hex'), victim, undefined)),
  );
  expect(new Set(past.map(({ status }) => status))).toEqual(new Set([404]));
  expect((await logIn(email, 'not the password', victim, id)).status).toBe(401);
});

test('the log reports that Front Door was bypassed, and contains nothing that the caller sent', async () => {
  app.output.length = 0;
  await send('/api/auth/me?marker=1', 'marker-id', { headers: from('203.0.113.99') });
  const lines = app.output.filter((line) => line.includes('"event":"front_door_bypassed"'));
  expect(lines).toHaveLength(1);
  expect(app.output.join('\n')).not.toMatch(/marker|203\.0\.113\.99/);
});

test('without a configured id the header means nothing', async () => {
  const direct = await anotherInstance(app, { FRONT_DOOR_ID: undefined });
  expect((await fetch(new URL('/healthy', direct.url))).status).toBe(200);
});

test('production does not start when others could name the client’s address', async () => {
  const production = {
    AZURE_FUNCTIONS_ENVIRONMENT: 'Production',
    BCRYPT_COST: '10',
    SELF_REGISTRATION_ROLES: 'patient',
  };
  await expect(anotherInstance(app, { ...production, FRONT_DOOR_ID: '' })).rejects.toThrow(/FRONT_DOOR_ID/);
  const started = await anotherInstance(app, production);
  expect((await fetch(new URL('/healthy', started.url))).status).toBe(404);
  expect((await fetch(new URL('/healthy', started.url), { headers: { 'x-azure-fdid': id } })).status).toBe(
    200,
  );
});

function withId(options: Parameters<typeof app.request>[1]): Parameters<typeof app.request>[1] {
  return { ...options, headers: { ...(options?.headers as Record<string, string>), 'x-azure-fdid': id } };
}
