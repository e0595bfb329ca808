// The web server's clocks, with short limits.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createKestrel, DEFAULT_LIMITS } from '../kestrel.ts';
import type { Limits } from '../kestrel.ts';
import { open, parseReplies, receive } from './running-host.ts';

async function serverWith(limits: Partial<Limits>, respond = async () => ({ status: 204 })) {
  const reported: unknown[] = [];
  const { server, stop } = createKestrel({ ...DEFAULT_LIMITS, ...limits }, respond, (error) =>
    reported.push(error),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => stop(0));
  return { port: (server.address() as AddressInfo).port, reported };
}

test("the defaults are Kestrel's: 100 MiB, 30 s for the headers, 130 s between requests", () => {
  expect(DEFAULT_LIMITS).toEqual({
    maxBodyBytes: 104_857_600,
    headersTimeoutMs: 30_000,
    keepAliveTimeoutMs: 130_000,
  });
});

test('headers that do not come to an end in time are 408, and the connection ends', async () => {
  const server = await serverWith({ headersTimeoutMs: 500 });
  const socket = await open(server);
  const received = receive(socket);
  socket.write('GET / HTTP/1.1\r\nHost: x\r\nX-Half: ');
  const [reply] = parseReplies(await received);
  expect(reply!.status).toBe(408);
  expect(reply!.headers).toMatchObject({ connection: ['close'], 'content-length': ['0'] });
});

test('a connection without a further request ends', async () => {
  const server = await serverWith({ keepAliveTimeoutMs: 300 });
  const socket = await open(server);
  const received = receive(socket);
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  expect(parseReplies(await received).map(({ status }) => status)).toEqual([204]);
});

test('an error of the host itself is reported, and 500 for the client', async () => {
  const server = await serverWith({}, () => Promise.reject(new Error('a bug')));
  const socket = await open(server);
  const received = receive(socket);
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  expect(parseReplies(await received)[0]!.status).toBe(500);
  expect(server.reported).toMatchObject([{ message: 'a bug' }]);
});
