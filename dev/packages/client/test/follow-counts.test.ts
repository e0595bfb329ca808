import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, expectTypeOf, test } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import type { AnalyticsMessage } from '../../../../src/domain/delivery/analytics/publication.ts';
import { inMemory } from '../src/index.ts';
import { type LiveCounts, staffCalls } from '../src/staff.ts';
import { pair, pairOf, problem, signedInClient } from './scripted-gateway.ts';

const PATH = '/api/v1/backoffice/subscribe-analytics';

let sockets: WebSocketServer;
/** What happens on each connection, in turn; the last one for all that follow. */
let connections: ((socket: WebSocket) => void)[];

beforeEach(async () => {
  connections = [];
  sockets = new WebSocketServer({ port: 0, host: '127.0.0.1', handleProtocols: ([first]) => first ?? false });
  sockets.on('connection', (socket) =>
    (connections.length > 1 ? connections.shift() : connections[0])?.(socket),
  );
  await once(sockets, 'listening');
});
afterEach(() => {
  for (const socket of sockets.clients) socket.terminate();
  sockets.close();
});

const send = (socket: WebSocket, seq: number, type = 'delta') => {
  socket.send(JSON.stringify({ type: 'system', event: 'connected' }));
  socket.send(JSON.stringify({ type: 'message', from: 'group', dataType: 'json', data: { seq, type } }));
};

/** A physician who follows the counts, and the gateway that invites to them; `refusals` come before each invitation. */
function following(...refusals: (() => Response)[]) {
  const { api, gateway, tokens } = signedInClient({ tokens: inMemory(pair(1)), retry: false });
  const { port } = sockets.address() as AddressInfo;
  gateway.replies[PATH] = () =>
    refusals.shift()?.() ??
    Response.json({
      url: `ws://127.0.0.1:${port}/client/hubs/live`,
      protocol: 'json.webpubsub.azure.v1',
      expires_at: new Date(Date.now() + 3_600_000).toISOString(),
    });
  const end = new AbortController();
  const counts = staffCalls(api).queue.followCounts({ signal: end.signal });
  return { counts, end, tokens, negotiations: () => gateway.to(PATH).length };
}

/** `seq` of the next counts. */
const next = async (counts: AsyncGenerator<LiveCounts, void, void>) => {
  const { value, done } = await counts.next();
  return done === true ? 'end' : value?.seq;
};

test('counts come as they change, until the signal aborts, which closes the connection', async () => {
  const closed = Promise.withResolvers<unknown>();
  connections = [
    (socket) => {
      send(socket, 4);
      send(socket, 5);
      socket.on('close', closed.resolve);
    },
  ];
  const { counts, end } = following();
  expect([await next(counts), await next(counts)]).toEqual([4, 5]);
  const last = next(counts);
  end.abort();
  expect(await last).toBe('end');
  await closed.promise;
});

test('once another user has signed in, no further connection is asked for', async () => {
  connections = [(socket) => socket.close()];
  const { counts, tokens, negotiations } = following();
  const last = next(counts);
  await expect.poll(negotiations).toBe(1);
  await tokens.save(pairOf('ben'));
  expect(await last).toBe('end');
  expect(negotiations()).toBe(1);
});

test('a connection that is open then is closed with its next counts, which are left out', async () => {
  const closed = Promise.withResolvers<unknown>();
  let socket: WebSocket | undefined;
  connections = [
    (opened) => {
      send(opened, 4);
      opened.on('close', closed.resolve);
      socket = opened;
    },
  ];
  const { counts, tokens, negotiations } = following();
  expect(await next(counts)).toBe(4);
  const last = next(counts);
  await tokens.save(pairOf('ben'));
  if (socket !== undefined) send(socket, 5);
  expect(await last).toBe('end');
  await closed.promise;
  expect(negotiations()).toBe(1);
});

test('leaving the loop closes the connection', async () => {
  const closed = Promise.withResolvers<unknown>();
  connections = [
    (socket) => {
      send(socket, 4);
      socket.on('close', closed.resolve);
    },
  ];
  for await (const { seq } of following().counts) {
    expect(seq).toBe(4);
    break;
  }
  await closed.promise;
});

test('a connection that ends is replaced, with a new invitation; an earlier state is left out', async () => {
  connections = [
    (socket) => {
      send(socket, 7);
      setTimeout(() => socket.close(), 50);
    },
    (socket) => [6, 8].forEach((seq) => send(socket, seq)),
  ];
  const { counts, negotiations } = following();
  expect([await next(counts), await next(counts)]).toEqual([7, 8]);
  expect(negotiations()).toBe(2);
});

test('the snapshot of a new connection counts although its seq is lower, as after a restore of the database', async () => {
  connections = [
    (socket) => {
      send(socket, 70);
      setTimeout(() => socket.close(), 50);
    },
    (socket) => {
      send(socket, 6, 'snapshot');
      send(socket, 8);
      send(socket, 7, 'snapshot');
      send(socket, 9);
    },
  ];
  const { counts } = following();
  expect([await next(counts), await next(counts), await next(counts), await next(counts)]).toEqual([
    70, 6, 8, 9,
  ]);
});

test('what passes is waited out', async () => {
  connections = [(socket) => send(socket, 1)];
  const { counts, negotiations } = following(
    () => problem(503, 'unavailable'),
    () => {
      throw new TypeError('fetch failed');
    },
  );
  expect(await next(counts)).toBe(1);
  expect(negotiations()).toBe(3);
});

test.each([
  [403, 'capability_required'],
  [503, 'live_unavailable'],
])('it rejects for what no wait can change: %i %s', async (status, code) => {
  const { counts } = following(() => problem(status, code));
  await expect(counts.next()).rejects.toMatchObject({ code, status });
});

test('it ends with the session', async () => {
  const { counts } = following(() => problem(401, 'authentication_required'));
  expect(await next(counts)).toBe('end');
});

test('counts have the type that the gateway publishes', () => {
  expectTypeOf<AnalyticsMessage>().toExtend<LiveCounts>();
});
