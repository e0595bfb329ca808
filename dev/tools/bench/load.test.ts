import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { type HttpLoad, startLoadGenerator } from './load.ts';

const generator = startLoadGenerator();
afterAll(() => generator.stop());

type Listener = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

async function server(listener: Listener): Promise<string> {
  const listening = createServer((request, response) => void listener(request, response));
  listening.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  onTestFinished(() => {
    listening.closeAllConnections();
    listening.close();
  });
  return `http://127.0.0.1:${(listening.address() as AddressInfo).port}`;
}

const get = (origin: string): HttpLoad => ({ kind: 'http', origin, method: 'GET', path: '/', status: 200 });

test('exactly the ordered number of requests is in flight, never more', async () => {
  let inFlight = 0;
  const seen: number[] = [];
  let answered = 0;
  const origin = await server(async (_request, response) => {
    seen.push(++inFlight);
    await sleep(5);
    inFlight--;
    answered++;
    response.end('ok');
  });
  const round = await generator.run({ load: get(origin), concurrency: 3, durationMs: 200 });
  expect(Math.max(...seen)).toBe(3);
  // The first request of each connection is not counted.
  expect(round.latenciesMs.length).toBe(answered - 3);
  expect(round.elapsedMs).toBeGreaterThanOrEqual(200);
});

test('a latency reaches to the end of the body', async () => {
  const origin = await server(async (_request, response) => {
    response.write('first half');
    await sleep(40);
    response.end('second half');
  });
  const round = await generator.run({ load: get(origin), concurrency: 1, durationMs: 200 });
  expect(Math.min(...round.latenciesMs)).toBeGreaterThan(35);
});

test('an answer with another status fails the round instead of counting as a fast one', async () => {
  let count = 0;
  const origin = await server((_request, response) => {
    response.statusCode = ++count > 10 ? 503 : 200;
    response.end('too busy');
  });
  const round = generator.run({ load: get(origin), concurrency: 2, durationMs: 5000 });
  await expect(round).rejects.toThrow('GET / answered 503: too busy');
  const next = await generator.run({
    load: get(await server((_, response) => void response.end())),
    concurrency: 1,
    durationMs: 20,
  });
  expect(next.latenciesMs.length).toBeGreaterThan(0);
});

test('the body of a POST arrives whole each time', async () => {
  const body = new Uint8Array(200_000).fill(7);
  const sizes = new Set<number>();
  const origin = await server(async (request, response) => {
    let size = 0;
    for await (const chunk of request) size += (chunk as Buffer).length;
    sizes.add(size);
    response.end();
  });
  await generator.run({ load: { ...get(origin), method: 'POST', body }, concurrency: 2, durationMs: 50 });
  expect([...sizes]).toEqual([200_000]);
});
