import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { logIn, register } from '../../support/accounts.ts';
import { anotherInstance } from '../../support/another-instance.ts';
import { testApp } from '../../support/app.ts';
import { type Behaviour, cut, GOOD_REPLIES, half, hang, json, stall, text } from '../../support/fake-ai.ts';
import {
  type AiAnswer,
  aiRoutes,
  asker,
  callsOf,
  type GatewayAiRoute,
  recordedCalls,
  recordedEvents,
} from './ai-requests.ts';

// An AI service that misbehaves in every way, over real sockets. In each case the caller gets a clear answer by the
// deadline, nothing that the service said, and no all-clear; the call is recorded; everything else is served meanwhile.
// The same faults under POST /api/diagnosis: ../diagnosis/ai-failures.test.ts; of the client alone: test/lib/ai.

const timeoutMs = 1500;
/** What an answer may take beyond the deadline on a machine that does other things. */
const slackMs = 4000;
const app = await testApp({ process: true, env: { AI_TIMEOUT_MS: String(timeoutMs) } });
const ask = await asker(app);
const account = await register(app);

const outcomes = {
  ai_unavailable: { status: 502, outcome: 'unavailable' },
  ai_invalid_reply: { status: 502, outcome: 'invalid_reply' },
  ai_timeout: { status: 504, outcome: 'timeout' },
} as const;
type Code = keyof typeof outcomes;

async function expectRefusal(answer: AiAnswer, route: GatewayAiRoute, code: Code) {
  const { status, outcome } = outcomes[code];
  expect(answer).toMatchObject({ status, body: { code, requestId: answer.id } });
  expect(answer.headers.get('content-type')).toBe('application/problem+json');
  expect(Object.keys(answer.body)).toEqual(['type', 'title', 'status', 'detail', 'code', 'requestId']);
  expect(answer.body.detail).toContain(route);
  // Whether trying again helps.
  const retryAfter = answer.headers.get('retry-after');
  if (code === 'ai_invalid_reply') expect(retryAfter).toBeNull();
  else expect(Number(retryAfter)).toBeGreaterThan(0);
  expect(answer.text).not.toMatch(/marker|127\.0\.0\.1|hasRedFlags|priority|zoster/);
  expect(answer.ms).toBeLessThan(timeoutMs + slackMs);
  expect(await recordedCalls(app, answer.id)).toMatchObject([{ kind: route, outcome, answer: null }]);
  expect(await recordedEvents(app, answer.id)).toMatchObject([
    {
      category: 'ai',
      action: `ai_${route}`,
      outcome: 'failure',
      actor_kind: 'user',
      detail: { outcome, failed_route: route },
    },
  ]);
}

/** GET /healthy and a login, as others do them at the same time. */
async function expectOthersServed(of: Pick<typeof app, 'request'> = app) {
  const [healthy, login] = await Promise.all([of.request('/healthy'), logIn(of, account)]);
  expect([healthy.status, login.status]).toEqual([200, 200]);
}

beforeEach(async () => {
  app.ai.reset();
  // A working call between failures: the service recovers, and no circuit breaker opens.
  expect(await ask('red_flags')).toMatchObject({ status: 200, body: { urgency: 'high' } });
  app.ai.reset();
});

afterAll(() => {
  // Of what the service said nothing is in the log, and a failure now and then broke no circuit.
  expect(app.output.filter((line) => line.includes('marker'))).toEqual([]);
  expect(app.output.filter((line) => line.includes('ai_breaker_opened'))).toEqual([]);
});

/** Bytes instead of an answer. */
const bytes =
  (what: string): Behaviour =>
  (_request, response) =>
    void response.socket?.write(what);

/** A valid answer, a byte at a time, for longer than any caller waits. */
const drip: Behaviour = (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const reply = JSON.stringify(GOOD_REPLIES.red_flags);
  let sent = 0;
  const timer = setInterval(() => {
    if (response.destroyed || sent >= reply.length) clearInterval(timer);
    else response.write(reply[sent++]);
  }, 150);
  response.on('close', () => clearInterval(timer));
};

const stallAfterError: Behaviour = (_request, response) => {
  response.writeHead(500, { 'content-type': 'text/plain' });
  response.write('marker');
};

describe('red flags from a service that', () => {
  test.each<[string, Behaviour, Code, number]>([
    ['resets the connection', cut, 'ai_unavailable', 2],
    ['closes it without a word', (_request, response) => void response.socket?.end(), 'ai_unavailable', 2],
    ['takes the request and hangs', hang, 'ai_timeout', 1],
    ['sends headers and stalls', stall, 'ai_timeout', 1],
    ['sends half of its headers and stalls', bytes('HTTP/1.1 200 OK\r\ncontent-type: app'), 'ai_timeout', 1],
    ['sends half a JSON', half(GOOD_REPLIES.red_flags), 'ai_unavailable', 2],
    ['drips', drip, 'ai_timeout', 1],
    ['sends HTML with 200', text('<h1>marker</h1>'), 'ai_invalid_reply', 1],
    ['sends JSON of another shape', json({ marker: true, flags: 'marker' }), 'ai_invalid_reply', 1],
    ['speaks another protocol', bytes('220 marker ESMTP\r\n'), 'ai_invalid_reply', 1],
    ['answers 500', text('marker', 500), 'ai_unavailable', 1],
    ['answers 500 and stalls', stallAfterError, 'ai_unavailable', 1],
    ['answers 503', json({ stack: 'marker' }, 503), 'ai_unavailable', 2],
    ['answers 429', json({ marker: 1 }, 429, { 'retry-after': '3600' }), 'ai_unavailable', 1],
    ['answers 401, because the key is wrong', json({ marker: 1 }, 401), 'ai_invalid_reply', 1],
    ['answers 422, because it knows other fields', json({ marker: 1 }, 422), 'ai_invalid_reply', 1],
    [
      'redirects',
      (_request, response) => {
        response.writeHead(307, { location: `${app.ai.url}/triage` }).end();
      },
      'ai_invalid_reply',
      1,
    ],
  ])('%s', async (_what, behaviour, code, tries) => {
    app.ai.on('red_flags', behaviour);
    const answering = ask('red_flags');
    await vi.waitFor(() => expect(app.ai.calls.length).toBeGreaterThan(0), 30_000);
    await expectOthersServed();
    await expectRefusal(await answering, 'red_flags', code);
    expect(callsOf(app, 'red_flags')).toHaveLength(tries);
  });

  test('hangs does not delay other routes', async () => {
    // An instance of its own: so many failures break its circuit. A busy machine serves the others within its deadline.
    const instance = await anotherInstance(app, { AI_TIMEOUT_MS: '10000' });
    app.ai.on('red_flags', hang);
    const order: string[] = [];
    const hanging = Array.from({ length: 20 }, async () => {
      const answer = await ask('red_flags', { of: instance });
      order.push('red flags');
      return answer.status;
    });
    await vi.waitFor(() => expect(callsOf(app, 'red_flags')).toHaveLength(20), 30_000);
    await expectOthersServed(instance).then(() => order.push('others'));
    expect(await ask('next_question', { of: instance })).toMatchObject({ status: 200 });
    order.push('next question');
    expect(await Promise.all(hanging)).toEqual(Array.from({ length: 20 }, () => 504));
    expect(order.slice(0, 2)).toEqual(['others', 'next question']);
  });
});

describe('a failure names the route that failed: 504 when it was late, otherwise 502', () => {
  test.each(aiRoutes)('%s', async (route) => {
    app.ai.on(route, hang);
    await expectRefusal(await ask(route), route, 'ai_timeout');
    app.ai.on(route, json(GOOD_REPLIES[route]));
    expect((await ask(route)).status).toBe(200);
    app.ai.on(route, text('marker', 500));
    await expectRefusal(await ask(route), route, 'ai_unavailable');
    app.ai.on(route, json({ marker: 1 }));
    await expectRefusal(await ask(route), route, 'ai_invalid_reply');
    app.ai.on(route, json(GOOD_REPLIES[route]));
    expect((await ask(route)).status).toBe(200);
  });
});

test('a service that closes idle connections without notice loses no reply', async () => {
  app.ai.on('red_flags', (request, response) => {
    response.on('finish', () => void setImmediate(() => response.socket?.destroy()));
    return json(GOOD_REPLIES.red_flags)(request, response);
  });
  const statuses: number[] = [];
  for (let round = 0; round < 15; round++) {
    const answers = await Promise.all([ask('red_flags'), ask('red_flags'), ask('red_flags')]);
    statuses.push(...answers.map(({ status }) => status));
  }
  expect(new Set(statuses)).toEqual(new Set([200]));
});

describe('a reply of 1 GB', () => {
  const gigabyte = 1024 ** 3;
  const chunk = Buffer.alloc(64 * 1024, 'x');

  /** Sends as fast as the reader takes it, and counts. */
  function flood(status: number, headers: Record<string, string | number>) {
    const sent = { bytes: 0 };
    const behaviour: Behaviour = (_request, response) => {
      response.writeHead(status, headers);
      const more = () => {
        while (sent.bytes < 8 * gigabyte && !response.destroyed) {
          sent.bytes += chunk.byteLength;
          if (!response.write(chunk)) return void response.once('drain', more);
        }
      };
      more();
    };
    return { sent, behaviour };
  }

  const rssMegabytes = async () => {
    const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(app.host.workerPid())]);
    return Number(stdout) / 1024;
  };

  test.skipIf(process.platform === 'win32').each<[string, number, Record<string, string | number>]>([
    ['as JSON', 200, { 'content-type': 'application/json' }],
    ['announced', 200, { 'content-type': 'application/json', 'content-length': gigabyte }],
    ['as an error', 500, { 'content-type': 'text/plain' }],
    ['as HTML', 200, { 'content-type': 'text/html' }],
  ])(
    '%s is cut off at a megabyte: the memory of the worker stays bounded',
    async (_what, status, headers) => {
      const { sent, behaviour } = flood(status, headers);
      app.ai.on('red_flags', behaviour);
      const before = await rssMegabytes();
      // Fewer than open the breaker together with the calls that worked.
      const answers = await Promise.all(Array.from({ length: 3 }, () => ask('red_flags')));
      const after = await rssMegabytes();
      for (const answer of answers) {
        await expectRefusal(answer, 'red_flags', status === 500 ? 'ai_unavailable' : 'ai_invalid_reply');
      }
      expect(after - before).toBeLessThan(150);
      // What lay in buffers between the two when the connections were closed.
      expect(sent.bytes).toBeLessThan(100 * 1024 * 1024);
      // Three working calls for the three failures.
      app.ai.on('red_flags', json(GOOD_REPLIES.red_flags));
      for (let count = 0; count < 2; count++) expect((await ask('red_flags')).status).toBe(200);
      await expectOthersServed();
    },
  );
});

describe('at the socket', () => {
  async function rawService(onConnection?: (socket: Socket) => void) {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket.on('error', () => undefined));
      onConnection?.(socket);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const close = async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    };
    return { url: `http://127.0.0.1:${port}`, sockets, close };
  }

  test('a service that refuses connections is reported at once', async () => {
    const { url, close } = await rawService();
    await close();
    const instance = await anotherInstance(app, { AI_SERVICE_URL: url });
    const [answer] = await Promise.all([ask('red_flags', { of: instance }), expectOthersServed(instance)]);
    await expectRefusal(answer, 'red_flags', 'ai_unavailable');
  });

  test('a service that accepts but neither reads nor writes is reported by the deadline', async () => {
    const { url, sockets, close } = await rawService((socket) => socket.pause());
    const instance = await anotherInstance(app, { AI_SERVICE_URL: url });
    const answering = ask('red_flags', { of: instance });
    // The triage is asked beside.
    await vi.waitFor(() => expect(sockets.size).toBe(2), 30_000);
    await expectOthersServed(instance);
    await expectRefusal(await answering, 'red_flags', 'ai_timeout');
    await close();
  });

  test('a service that resets every connection is reported at once', async () => {
    const { url, sockets, close } = await rawService((socket) => socket.resetAndDestroy());
    const instance = await anotherInstance(app, { AI_SERVICE_URL: url });
    await expectRefusal(await ask('red_flags', { of: instance }), 'red_flags', 'ai_unavailable');
    expect(sockets.size).toBeGreaterThanOrEqual(2);
    await close();
  });
});
