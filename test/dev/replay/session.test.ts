import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createGateway } from '../../../dev/replay/gateway.ts';
import { logIn } from '../../../dev/replay/session.ts';
import { afterwards } from '../../support/cleanup.ts';

const credentials = { email: 'someone@example.org', password: 'a password' };

/** A gateway with tokens that live for `lifeMs` and refresh tokens that work once, as ours do. */
async function shortLivedGateway(lifeMs: number) {
  const seen = { refreshes: 0, refusedRefreshes: 0, expired: 0, answered: 0, maximum: 0 };
  let generation = 0;
  let issuedAt = 0;
  let busy = 0;
  let under = 0;
  const server = createServer((request, response) => void answer(request, response));
  async function answer(request: IncomingMessage, response: ServerResponse) {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString()) as { refresh_token?: string };
    const reply = (status: number, value: object, headers: Record<string, string> = {}) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify(value));
    };
    const issue = () => {
      generation += 1;
      issuedAt = performance.now();
      const tokens = { access_token: `a${generation}`, refresh_token: `r${generation}` };
      reply(200, { ...tokens, token_type: 'bearer', expires_in: lifeMs / 1000 });
    };
    if (request.url === '/api/auth/login') return issue();
    if (request.url === '/api/auth/refresh') {
      await sleep(30);
      seen.refreshes += 1;
      if (body.refresh_token === `r${generation}`) return issue();
      seen.refusedRefreshes += 1;
      return reply(401, { code: 'refresh_token_invalid' });
    }
    if (performance.now() - issuedAt > lifeMs || request.headers.authorization !== `Bearer a${generation}`) {
      seen.expired += 1;
      return reply(401, { code: 'token_expired' });
    }
    if (busy > 0) {
      busy -= 1;
      return reply(503, { code: 'busy' }, { 'retry-after': '1' });
    }
    under += 1;
    seen.maximum = Math.max(seen.maximum, under);
    await sleep(5);
    under -= 1;
    seen.answered += 1;
    reply(200, { ok: true });
  }
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterwards(async () => {
    server.close();
    server.closeAllConnections();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    endTokens: () => void (issuedAt = Number.NEGATIVE_INFINITY),
    beBusy: (times: number) => void (busy = times),
  };
}

test('however many calls want a token, each refresh token is used once and in time', async () => {
  const { url, seen } = await shortLivedGateway(600);
  const gateway = createGateway(url, await logIn(url, credentials));
  const end = performance.now() + 2500;
  const refusals: unknown[] = [];
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      while (performance.now() < end) {
        const reply = await gateway.post('/anything', {});
        if ('refusal' in reply) refusals.push(reply.refusal);
      }
    }),
  );
  expect(refusals).toEqual([]);
  expect(seen.refusedRefreshes).toBe(0);
  expect(seen.refreshes).toBeGreaterThan(3);
  // Once per half life of a token and not once per call.
  expect(seen.refreshes).toBeLessThan(20);
  expect(seen.answered).toBeGreaterThan(100);
});

test('a token that is refused before its time is renewed once for all, and the call sent again', async () => {
  const { url, seen, endTokens } = await shortLivedGateway(3_600_000);
  const gateway = createGateway(url, await logIn(url, credentials));
  endTokens();
  const replies = await Promise.all(Array.from({ length: 16 }, () => gateway.post('/anything', {})));
  expect(replies.filter((reply) => 'refusal' in reply)).toEqual([]);
  expect(seen.expired).toBeGreaterThan(0);
  expect(seen.refreshes).toBe(1);
});

test('a busy gateway is asked again when it wishes, and at last believed', async () => {
  const { url, seen, beBusy } = await shortLivedGateway(3_600_000);
  const gateway = createGateway(url, await logIn(url, credentials));
  beBusy(1);
  const startedAt = performance.now();
  expect(await gateway.post('/anything', {})).toMatchObject({ answer: { ok: true } });
  expect(performance.now() - startedAt).toBeGreaterThan(990);
  expect(gateway.waits()).toBe(1);
  beBusy(Number.POSITIVE_INFINITY);
  expect(await gateway.post('/anything', {})).toMatchObject({ refusal: { status: 503, code: 'busy' } });
  expect(seen.answered).toBe(1);
});

test('no gateway, a refused login and a lost connection say so', async () => {
  const { url } = await shortLivedGateway(3_600_000);
  const refusing = createServer(
    (_request, response) => void response.writeHead(401).end('{"code":"invalid_credentials"}'),
  );
  refusing.listen(0, '127.0.0.1');
  await once(refusing, 'listening');
  const { port } = refusing.address() as AddressInfo;
  await expect(logIn(`http://127.0.0.1:${port}`, credentials)).rejects.toThrow(
    /login as someone@.* refused \(401\)/,
  );
  refusing.close();
  const gateway = createGateway(`http://127.0.0.1:${port}`, await logIn(url, credentials));
  expect(await gateway.post('/anything', {})).toMatchObject({ refusal: { status: 0, code: 'ECONNREFUSED' } });
  const nowhere = logIn(`http://127.0.0.1:${port}`, credentials);
  await expect(nowhere).rejects.toThrow(/No gateway answers at http:\/\/127/);
});
