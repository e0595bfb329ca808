import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { openGateway } from './gateway.ts';
import { pair, problem, scriptedGateway } from '../../packages/client/test/scripted-gateway.ts';

/** Waits pass at once. */
const pause = vi.fn(async (_ms: number) => undefined);
afterEach(() => {
  pause.mockClear();
  vi.unstubAllGlobals();
});

const LOGIN = '/api/auth/login';
const TRIAGE = '/api/ai/triage';
const credentials = { email: 'someone@example.org', password: 'a password' };

/** Logged in at a gateway that answers `login`, and `triage` to what `ask` asks. */
async function opened(triage?: () => Response, login = () => Response.json(pair(1))) {
  const script = scriptedGateway();
  script.replies[LOGIN] = login;
  if (triage !== undefined) script.replies[TRIAGE] = triage;
  vi.stubGlobal('fetch', script.fetch);
  const gateway = await openGateway('https://gateway.example', credentials, pause);
  return { script, gateway, ask: () => gateway.ask((api) => api.POST(TRIAGE, { body: {} })) };
}

const busy = (status: number) => problem(status, 'try_later', { 'retry-after': '3' });

test.each([503, 429])('a gateway that is busy with %i is asked again when it wishes', async (status) => {
  const replies = [busy(status), Response.json({ priority: 'routine' })];
  const { gateway, ask } = await opened(() => replies.shift() as Response);
  expect(await ask()).toEqual({ ms: expect.any(Number), answer: { priority: 'routine' } });
  expect(pause.mock.calls).toEqual([[3000]]);
  expect(gateway.waits()).toBe(1);
});

test('a gateway that stays busy is believed after six tries', async () => {
  const { script, gateway, ask } = await opened(() => busy(503));
  expect(await ask()).toEqual({
    ms: expect.any(Number),
    refusal: { status: 503, code: 'try_later', errors: [] },
  });
  expect(script.to(TRIAGE)).toHaveLength(6);
  expect(gateway.waits()).toBe(5);
});

test.each([
  ['422', problem(422, 'anamnesis_invalid'), 'anamnesis_invalid'],
  ['503 that names no time', problem(503, 'unavailable'), 'unavailable'],
  ['the page of a proxy', new Response('<h1>Bad gateway</h1>', { status: 502 }), 'not a problem document'],
])('a refusal is not waited out: %s', async (_, reply, code) => {
  const { gateway, ask } = await opened(() => reply);
  expect((await ask()).refusal).toEqual({ status: reply.status, code, errors: [] });
  expect(gateway.waits()).toBe(0);
});

test('a token that expires on the way costs no answer', async () => {
  const { script, ask } = await opened(undefined, () => Response.json(pair(0)));
  const replies = await Promise.all(Array.from({ length: 16 }, ask));
  expect(replies.filter(({ refusal }) => refusal !== undefined)).toEqual([]);
  expect(script.to('/api/auth/refresh')).toHaveLength(1);
});

test('a session that has ended ends the replay, instead of having every further row refused', async () => {
  const { script, ask } = await opened(undefined, () => Response.json(pair(0)));
  script.refreshes.push(() => problem(401, 'refresh_token_invalid'));
  await expect(ask()).rejects.toThrow('The session has ended: 401 token_expired');
});

test('a refused login is reported', async () => {
  await expect(opened(undefined, () => problem(401, 'invalid_credentials'))).rejects.toThrow(
    'The gateway refused the login as someone@example.org: 401 invalid_credentials',
  );
});

test('a lost reply counts with its network error, and a missing gateway is reported', async () => {
  const server = createServer((_, response) => response.end(JSON.stringify(pair(1))));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const gateway = await openGateway(url, credentials);
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
  expect(await gateway.ask((api) => api.POST(TRIAGE, { body: {} }))).toEqual({
    ms: 0,
    refusal: { status: 0, code: 'ECONNREFUSED', errors: [] },
  });
  await expect(openGateway(url, credentials)).rejects.toThrow(`No gateway answers at ${url}.`);
});

test('a mistake of ours is no lost reply', async () => {
  const { gateway } = await opened();
  const mistake = gateway.ask(() => Promise.reject(new TypeError('undefined is not a function')));
  await expect(mistake).rejects.toThrow('undefined is not a function');
});
