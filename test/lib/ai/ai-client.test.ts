import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import type { AiCall } from '../../../src/lib/ai/ai-call.ts';
import { type AiClientOptions, createAiClient } from '../../../src/lib/ai/ai-client.ts';
import { AiFailure } from '../../../src/lib/ai/ai-failure.ts';
import { deadlineIn } from '../../../src/lib/ai/deadline.ts';
import { createLog } from '../../../src/lib/telemetry/log.ts';
import { afterwards } from '../../support/cleanup.ts';
import {
  after,
  type Behaviour,
  cut,
  type FakeAi,
  fakeAi,
  half,
  hang,
  json,
  stall,
  text,
} from '../../support/fake-ai.ts';

// The client alone, over real sockets, with a breaker that recovers in a moment.

const breakerPauseMs = 300;
const Reply = z.object({ ok: z.literal(true) });
const good = json({ ok: true });

function clientOf(url: string, options: Partial<AiClientOptions> = {}) {
  const lines: string[] = [];
  const log = createLog((_level, line) => void lines.push(line));
  const client = createAiClient({ url, log, breakerPauseMs, ...options });
  afterwards(() => client.close());
  const call = (timeoutMs = 5000, alsoEndedBy?: AbortSignal): AiCall => ({
    requestId: 'request-1',
    traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
    language: 'en',
    deadline: deadlineIn(timeoutMs, alsoEndedBy),
  });
  return {
    client,
    lines,
    ask: (route = 'red_flags', given = call()) => client.post(route, { json: { a: 1 } }, Reply, given),
    call,
    failure: async (route?: string, given?: AiCall) => {
      const outcome = await client.post(route ?? 'red_flags', { json: {} }, Reply, given ?? call()).then(
        () => 'answered',
        (error: unknown) => error,
      );
      if (!(outcome instanceof AiFailure)) throw new Error(`not an AiFailure: ${String(outcome)}`);
      return outcome;
    },
  };
}

async function clientWithAi(options?: Partial<AiClientOptions>) {
  const ai = await fakeAi();
  ai.on('red_flags', good);
  ai.on('image_validity', good);
  return { ai, ...clientOf(ai.url, options) };
}

/** So many failures open a breaker that has seen nothing else. */
async function breakIt(
  { ai, failure, client }: Awaited<ReturnType<typeof clientWithAi>>,
  route: 'red_flags' | 'image_validity' = 'red_flags',
) {
  ai.on(route, text('no', 500));
  for (let count = 0; count < 5; count++) await failure(route);
  expect(client.breakerState(route)).toBe('open');
  ai.calls.length = 0;
}

/** Turns the clock that breakers read, and no timer. */
function breakerClock() {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  return { pass: (ms: number) => void vi.setSystemTime(Date.now() + ms) };
}

async function listening(server: Server): Promise<string> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => void sockets.add(socket.on('error', () => undefined)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterwards(async () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('a call', () => {
  test('carries what the AI service must know, and the path below its address', async () => {
    const ai = await fakeAi();
    const { failure } = clientOf(`${ai.url}/below/`, { key: 'secret key' });
    await failure();
    expect(ai.calls).toHaveLength(1);
    const [{ route, method, headers, body } = {}] = ai.calls as Partial<FakeAi['calls'][number]>[];
    expect([route, method]).toEqual(['below/red_flags', 'POST']);
    expect(headers).toMatchObject({
      authorization: 'Bearer secret key',
      'content-type': 'application/json',
      'content-length': '2',
      accept: 'application/json',
      'accept-language': 'en',
      'x-request-id': 'request-1',
      traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
    });
    expect(Number(headers?.['x-deadline-ms'])).toBeGreaterThan(0);
    expect(Number(headers?.['x-deadline-ms'])).toBeLessThanOrEqual(5000);
    expect(body?.toString()).toBe('{}');
  });

  test('keeps its connection for the next one', async () => {
    const { ai, ask } = await clientWithAi();
    for (let count = 0; count < 20; count++) expect(await ask()).toEqual({ ok: true });
    // Two, because a call may follow its predecessor before that one's connection is put back.
    expect(await ai.connections()).toBeLessThanOrEqual(2);
  });

  test('keeps it after an answer that is an error, too', async () => {
    const { ai, failure } = await clientWithAi();
    ai.on('red_flags', json({ why: 'x'.repeat(1000) }, 422));
    for (let count = 0; count < 20; count++) await failure();
    expect(await ai.connections()).toBeLessThanOrEqual(2);
  });

  test('does not wait for the rest of a reply that is already an error', async () => {
    const { ai, failure } = await clientWithAi();
    ai.on('red_flags', (_request, response) => {
      response.writeHead(422, { 'content-type': 'text/plain' });
      response.write('and then nothing');
    });
    expect(await failure('red_flags', undefined)).toMatchObject({ kind: 'invalid_reply' });
    // Such a connection is not kept for ever.
    await vi.waitFor(async () => expect(await ai.connections()).toBe(0), 30_000);
  });

  test.each<[string, Behaviour, number]>([
    ['503', text('', 503), 2],
    ['502', text('', 502), 2],
    ['504', text('', 504), 2],
    ['a connection that is cut', cut, 2],
    ['half an answer', half({ ok: true }), 2],
    ['500', text('', 500), 1],
    ['429', text('', 429), 1],
    ['422', json({}, 422), 1],
    ['an answer that does not fit', json({ ok: 'yes' }), 1],
    ['HTML', text('<html>'), 1],
  ])('that gets %s is tried so often in all', async (_what, behaviour, tries) => {
    const { ai, failure } = await clientWithAi();
    ai.on('red_flags', behaviour);
    await failure();
    expect(ai.calls).toHaveLength(tries);
  });

  test.each<[string, Behaviour]>([
    ['503', text('', 503)],
    ['a cut connection', cut],
  ])('succeeds when only its first try got %s', async (_what, behaviour) => {
    const { ai, ask } = await clientWithAi();
    ai.on('red_flags', behaviour, good);
    expect(await ask()).toEqual({ ok: true });
    expect(ai.calls).toHaveLength(2);
  });

  test('is not tried again when the deadline comes first', async () => {
    const { ai, failure, call } = await clientWithAi();
    ai.on('red_flags', text('', 503), good);
    // The pause before a second try, 50 ms and a random share of 200, becomes longer than the deadline.
    const random = vi.spyOn(Math, 'random').mockReturnValue(20);
    onTestFinished(() => random.mockRestore());
    expect(await failure('red_flags', call(1000))).toMatchObject({ kind: 'unavailable' });
    expect(ai.calls).toHaveLength(1);
  });

  test.each<[string, Behaviour]>([
    ['hangs', hang],
    ['stalls', stall],
    ['answers too late', after(3000, good)],
  ])('to a service that %s ends with its deadline', async (_what, behaviour) => {
    const { ai, failure, call } = await clientWithAi();
    ai.on('red_flags', behaviour);
    expect(await failure('red_flags', call(300))).toMatchObject({ kind: 'timeout', cancelled: false });
    expect(ai.calls).toHaveLength(1);
    // The service sees that its caller has gone.
    await vi.waitFor(async () => expect(await ai.connections()).toBe(0), 5000);
  });

  test('opens a new connection when the service has closed the idle ones', async () => {
    const { ai, ask } = await clientWithAi();
    // Answers, and then closes without having said so.
    ai.on('red_flags', (request, response) => {
      response.on('finish', () => void setImmediate(() => response.socket?.destroy()));
      return good(request, response);
    });
    const rounds = Array.from({ length: 10 });
    for (const _round of rounds) {
      const answers = await Promise.all([ask(), ask(), ask(), ask()]);
      expect(answers).toHaveLength(4);
    }
  });

  test('to a closed port is unavailable, at once', async () => {
    const server = createServer();
    const url = await listening(server);
    await new Promise((resolve) => server.close(resolve));
    expect(await clientOf(url).failure()).toMatchObject({ kind: 'unavailable', route: 'red_flags' });
  });

  test.each([
    ['greets in another protocol', 'SSH-2.0-OpenSSH_9.9\r\n'],
    ['says two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 3\r\ncontent-length: 5\r\n\r\nabcde'],
    [
      'chunks without size',
      'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n',
    ],
  ])('to something that %s gets an unusable answer', async (_what, bytes) => {
    const url = await listening(createServer((socket) => void socket.on('data', () => socket.write(bytes))));
    expect(await clientOf(url).failure()).toMatchObject({ kind: 'invalid_reply' });
  });

  test('to something that sends headers without end gets an unusable answer', async () => {
    const line = `x-more: ${'x'.repeat(1000)}\r\n`;
    const server = createServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const timer = setInterval(() => socket.write(line), 1);
      socket.on('close', () => clearInterval(timer));
    });
    const { failure, call } = clientOf(await listening(server));
    expect(await failure('red_flags', call(30_000))).toMatchObject({ kind: 'invalid_reply' });
  });
});

describe('the circuit breaker', () => {
  test.each<[string, Behaviour]>([
    ['500', text('no', 500)],
    ['503', text('no', 503)],
    ['429', text('no', 429)],
    ['cut connections', cut],
    ['half answers', half({ ok: true })],
  ])('opens after five failures by %s, and spares the service', async (_what, behaviour) => {
    const { ai, failure, client } = await clientWithAi({ breakerPauseMs: 60_000 });
    ai.on('red_flags', behaviour);
    for (let count = 0; count < 5; count++) {
      expect(client.breakerState('red_flags')).toBe('closed');
      await failure();
    }
    expect(client.breakerState('red_flags')).toBe('open');
    const asked = ai.calls.length;
    expect(await failure()).toMatchObject({ kind: 'unavailable', retryAfterSeconds: 60 });
    expect(ai.calls).toHaveLength(asked);
  });

  test('opens after five that timed out', async () => {
    const { ai, failure, client, call } = await clientWithAi({ usualTimeMs: 100 });
    ai.on('red_flags', hang);
    await Promise.all(Array.from({ length: 5 }, () => failure('red_flags', call(100))));
    expect(client.breakerState('red_flags')).toBe('open');
  });

  test('stays closed when calls time out that began too near to their deadline', async () => {
    const { ai, ask, failure, client, call } = await clientWithAi();
    ai.on('red_flags', hang);
    const failures = await Promise.all(
      Array.from({ length: 10 }, (_, at) => failure('red_flags', call(1 + at * 20))),
    );
    expect(failures).toMatchObject(Array.from({ length: 10 }, () => ({ kind: 'timeout', cancelled: false })));
    expect(client.breakerState('red_flags')).toBe('closed');
    // Of a service that refuses them they are proof.
    ai.on('red_flags', text('no', 500));
    for (let count = 0; count < 5; count++) await failure('red_flags', call(900));
    expect(client.breakerState('red_flags')).toBe('open');
    ai.on('red_flags', good);
    await expect(ask()).rejects.toThrow('unavailable');
  });

  test('opens when half of the last twenty failed', async () => {
    const { ai, ask, failure, client } = await clientWithAi();
    for (let count = 0; count < 20; count++) await ask();
    ai.on('red_flags', text('no', 500));
    for (let count = 0; count < 9; count++) await failure();
    expect(client.breakerState('red_flags')).toBe('closed');
    await failure();
    await failure();
    expect(client.breakerState('red_flags')).toBe('open');
  });

  test.each<[string, Behaviour]>([
    ['422', json({ detail: 'odd' }, 422)],
    ['400', json({}, 400)],
    ['a reply that does not fit', json({ ok: 'perhaps' })],
    ['HTML', text('<html>')],
  ])('stays closed however often the odd input of one user gets %s', async (_what, behaviour) => {
    const { ai, ask, failure, client } = await clientWithAi();
    ai.on('red_flags', behaviour);
    for (let count = 0; count < 30; count++) await failure();
    expect(client.breakerState('red_flags')).toBe('closed');
    ai.on('red_flags', good);
    expect(await ask()).toEqual({ ok: true });
  });

  test('stays closed when calls are cancelled because another one failed', async () => {
    const { ai, failure, client, call } = await clientWithAi();
    ai.on('red_flags', hang);
    const ended = new AbortController();
    const waiting = Promise.all(
      Array.from({ length: 10 }, () => failure('red_flags', call(5000, ended.signal))),
    );
    await vi.waitFor(() => expect(ai.calls).toHaveLength(10));
    ended.abort();
    expect(await waiting).toMatchObject(Array.from({ length: 10 }, () => ({ cancelled: true })));
    expect(client.breakerState('red_flags')).toBe('closed');
  });

  test('is one of each route: a dead image model does not take the red flags with it', async () => {
    const { ai, ask, failure, client } = await clientWithAi({ breakerPauseMs: 60_000 });
    ai.on('image_validity', text('no', 500));
    for (let count = 0; count < 6; count++) await failure('image_validity');
    expect(client.breakerState('image_validity')).toBe('open');
    expect(await ask('red_flags')).toEqual({ ok: true });
    expect(client.breakerState('red_flags')).toBe('closed');
  });

  test('lets one call through after its pause; the others are answered at once meanwhile', async () => {
    const setup = await clientWithAi();
    const { ai, ask, failure, client } = setup;
    await breakIt(setup);
    const release = Promise.withResolvers<void>();
    ai.on('red_flags', async (request, response) => {
      await release.promise;
      await good(request, response);
    });
    await sleep(breakerPauseMs + 50);
    const probe = ask();
    await vi.waitFor(() => expect(ai.calls).toHaveLength(1));
    expect(client.breakerState('red_flags')).toBe('half_open');
    await Promise.all(Array.from({ length: 5 }, () => failure()));
    expect(ai.calls).toHaveLength(1);
    release.resolve();
    expect(await probe).toEqual({ ok: true });
    expect(client.breakerState('red_flags')).toBe('closed');
    expect(await ask()).toEqual({ ok: true });
  });

  test('stays open when that one fails, and logs only once that it opened', async () => {
    const setup = await clientWithAi();
    const { ai, ask, failure, client, lines } = setup;
    await breakIt(setup);
    for (let probes = 1; probes <= 3; probes++) {
      await sleep(breakerPauseMs + 50);
      await failure();
      expect(ai.calls).toHaveLength(probes);
      expect(client.breakerState('red_flags')).toBe('open');
    }
    ai.on('red_flags', good);
    await sleep(breakerPauseMs + 50);
    await ask();
    const said = (event: string) => lines.filter((line) => line.includes(event));
    expect(said('ai_breaker_opened')).toHaveLength(1);
    expect(said('ai_breaker_closed')).toHaveLength(1);
  });

  test.each<[string, Behaviour, 'closed' | 'open']>([
    ['closes when it succeeds', good, 'closed'],
    ['stays open when it fails', text('no', 500), 'open'],
  ])('waits for that one although its caller cancels it, and %s', async (_what, behaviour, state) => {
    const clock = breakerClock();
    const setup = await clientWithAi();
    const { ai, failure, client, call } = setup;
    await breakIt(setup);
    const release = Promise.withResolvers<void>();
    ai.on('red_flags', async (request, response) => {
      await release.promise;
      await behaviour(request, response);
    });
    clock.pass(breakerPauseMs);
    const ended = new AbortController();
    const probe = failure('red_flags', call(5000, ended.signal));
    await vi.waitFor(() => expect(ai.calls).toHaveLength(1));
    ended.abort();
    expect(await probe).toMatchObject({ kind: 'timeout', cancelled: true });
    expect(client.breakerState('red_flags')).toBe('half_open');
    release.resolve();
    await vi.waitFor(() => expect(client.breakerState('red_flags')).toBe(state));
  });

  test('closes after a probe whose caller had almost no time', async () => {
    const clock = breakerClock();
    const setup = await clientWithAi();
    const { ai, failure, client, call } = setup;
    await breakIt(setup);
    const release = Promise.withResolvers<void>();
    ai.on('red_flags', async (request, response) => {
      await release.promise;
      await good(request, response);
    });
    clock.pass(breakerPauseMs);
    expect(await failure('red_flags', call(5))).toMatchObject({ kind: 'timeout', cancelled: false });
    expect(client.breakerState('red_flags')).toBe('half_open');
    release.resolve();
    await vi.waitFor(() => expect(client.breakerState('red_flags')).toBe('closed'));
  });

  test('stays open when a probe times out whose caller had almost no time', async () => {
    const clock = breakerClock();
    const setup = await clientWithAi({ usualTimeMs: 200 });
    const { ai, failure, client, call } = setup;
    await breakIt(setup);
    ai.on('red_flags', hang);
    clock.pass(breakerPauseMs);
    await failure('red_flags', call(5));
    await vi.waitFor(() => expect(client.breakerState('red_flags')).toBe('open'));
  });

  test('of one route does not keep that of another one open, where questions need both', async () => {
    const clock = breakerClock();
    const setup = await clientWithAi();
    const { ai, ask, client, call } = setup;
    await breakIt(setup, 'red_flags');
    clock.pass(breakerPauseMs / 2);
    await breakIt(setup, 'image_validity');
    ai.on('red_flags', after(5, good));
    ai.on('image_validity', after(5, good));
    const routes = ['red_flags', 'image_validity'];
    const states = () => routes.map((route) => client.breakerState(route));
    /** As `askAi` does: the first failure cancels the other call. */
    async function askBoth() {
      const ended = new AbortController();
      const both = call(5000, ended.signal);
      await Promise.all(routes.map((route) => ask(route, both))).catch(() => ended.abort());
    }
    for (let count = 0; count < 20; count++) {
      await askBoth();
      await vi.waitFor(() => expect(states()).not.toContain('half_open'));
      clock.pass(breakerPauseMs / 5);
    }
    expect(states()).toEqual(['closed', 'closed']);
  });
});

describe('the bound on calls in flight', () => {
  test('refuses one more at once, and only on that route', async () => {
    const { ai, ask, failure, call } = await clientWithAi({ maxInFlight: 3 });
    ai.on('image_validity', hang);
    const ended = new AbortController();
    const hanging = Array.from({ length: 3 }, () => failure('image_validity', call(60_000, ended.signal)));
    await vi.waitFor(() => expect(ai.calls).toHaveLength(3));
    expect(await failure('image_validity')).toMatchObject({ kind: 'busy', retryAfterSeconds: 2 });
    expect(ai.calls).toHaveLength(3);
    expect(await Promise.all([ask(), ask(), ask()])).toHaveLength(3);
    ended.abort();
    await Promise.all(hanging);
    ai.on('image_validity', good);
    expect(await ask('image_validity')).toEqual({ ok: true });
  });

  test('is a bound on connections as well', async () => {
    const { ai, ask } = await clientWithAi({ maxInFlight: 3 });
    ai.on('red_flags', after(20, good));
    for (let round = 0; round < 5; round++) await Promise.all([ask(), ask(), ask()]);
    expect(await ai.connections()).toBeLessThanOrEqual(3);
  });
});

test('text of the service is neither in the failure nor in the log', async () => {
  const { ai, failure, lines } = await clientWithAi();
  const secret = 'marker of a stack trace';
  for (const behaviour of [
    text(secret, 500),
    text(secret),
    json({ ok: secret }),
    json({ [secret]: 1 }, 422),
  ]) {
    ai.on('red_flags', behaviour);
    const { message, cause } = await failure();
    expect(`${message} ${String(cause)}`).not.toContain('marker');
  }
  expect(lines.filter((line) => line.includes('ai_call_failed'))).toHaveLength(4);
  expect(lines.join('\n')).not.toContain('marker');
});
