// Request bodies: whole, slow, cut, chunked, large.
import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hostFor, open, parseReplies, receive, request, runHost, sendRaw, sleep } from './running-host.ts';
import type { RunningHost } from './running-host.ts';

let host: RunningHost;
beforeAll(async () => {
  host = await runHost('answers');
});
afterAll(() => host.stop());

type Digest = { bytes: number; sha256: string };

function digestOf(bytes: Uint8Array): Digest {
  return { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}

const post = (path: string, headers: string) =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n\r\n`;

describe('bodies with a length', () => {
  test('40 MB arrive and return intact', async () => {
    const bytes = randomBytes(40_000_000);
    expect(JSON.parse((await request(host, 'POST /digest', [], bytes)).text)).toEqual(digestOf(bytes));
    const echoed = await request(host, 'POST /echo', [], bytes);
    expect(digestOf(echoed.body)).toEqual(digestOf(bytes));
  });

  test('fifty of 10 MB at once arrive intact, and small requests get through meanwhile', async () => {
    const bytes = randomBytes(10_000_000);
    const uploads = Array.from({ length: 50 }, () => request(host, 'POST /digest', [], bytes));
    await sleep(20);
    expect((await request(host, 'GET /get-only')).text).toBe('got');
    const digest = digestOf(bytes);
    for (const reply of await Promise.all(uploads)) expect(JSON.parse(reply.text)).toEqual(digest);
  });

  test('the handler starts only when a slow body is whole', async () => {
    const socket = await open(host);
    const received = receive(socket);
    socket.write(post('/show/slow-body', 'Content-Length: 6'));
    for (const piece of ['ab', 'cd']) {
      socket.write(piece);
      await sleep(150);
    }
    expect(host.lines).not.toContain('show was called by POST');
    socket.write('ef');
    const [reply] = parseReplies(await received);
    expect(JSON.parse(reply!.text)).toMatchObject({ body: 'abcdef' });
  });

  test('after a cut upload the handler is not called', async () => {
    const called = () => host.lines.filter((line) => line === 'show was called by PUT').length;
    const socket = await open(host);
    socket.write('PUT /show HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nonly this');
    await sleep(100);
    socket.destroy();
    await request(host, 'PUT /show', [], 'whole');
    expect(called()).toBe(1);
  });

  test('GET and HEAD with a body reach the handler without it', async () => {
    expect(JSON.parse((await request(host, 'GET /show', [], 'ignored')).text)).toMatchObject({ body: '' });
    expect((await request(host, 'HEAD /show', [], 'ignored')).status).toBe(200);
  });

  test('a trickle is ended by the minimum data rate: 240 bytes/s after 5 s', async () => {
    const socket = await open(host);
    const received = receive(socket);
    socket.write(post('/show', 'Content-Length: 100000'));
    const drip = setInterval(() => socket.write('x'), 200);
    const [reply] = parseReplies(await received);
    clearInterval(drip);
    expect(reply!.status).toBe(500);
    expect(reply!.headers.connection).toEqual(['close']);
  });
});

describe('bodies over the limit', () => {
  test('more than 104,857,600 bytes are 500, empty, Connection: close', async () => {
    const [reply] = await sendRaw(host, post('/show', 'Content-Length: 104857601'), 'the beginning');
    expect(reply).toMatchObject({ status: 500, text: '' });
    expect(reply!.headers).toMatchObject({ connection: ['close'], 'content-length': ['0'] });
  });

  test('the limit holds for functions only: elsewhere it is 404', async () => {
    const [reply] = await sendRaw(host, post('/nowhere', 'Content-Length: 104857601'), 'the beginning');
    expect(reply!.status).toBe(404);
  });

  test('FUNCTIONS_REQUEST_BODY_SIZE_LIMIT sets another limit, and a client that goes on sending reads the answer', async () => {
    const small = await hostFor('answers', { env: { FUNCTIONS_REQUEST_BODY_SIZE_LIMIT: '1000' } });
    expect((await request(small, 'POST /digest', [], 'x'.repeat(1000))).status).toBe(200);
    expect((await request(small, 'POST /digest', [], 'x'.repeat(1001))).status).toBe(500);
    expect((await request(small, 'POST /digest', [], 'x'.repeat(20_000_000))).status).toBe(500);
  });
});

describe('chunked bodies: the trap', () => {
  const chunked = 'Transfer-Encoding: chunked';

  test('the handler sees an empty body, and the transfer-encoding header', async () => {
    const [reply] = await sendRaw(host, post('/show', chunked), '5\r\nhello\r\n0\r\n\r\n');
    const seen = JSON.parse(reply!.text) as { body: string; headers: Record<string, string> };
    expect(seen.body).toBe('');
    expect(seen.headers['transfer-encoding']).toBe('chunked');
    expect(seen.headers['content-length']).toBeUndefined();
  });

  test('the handler does not wait for the chunks', async () => {
    const socket = await open(host);
    const received = receive(socket);
    socket.write(post('/show', chunked).replace('POST', 'PATCH'));
    await host.line(/show was called by PATCH/);
    socket.write('0\r\n\r\n');
    expect(parseReplies(await received)[0]!.status).toBe(200);
  });

  test('after a cut upload in chunks the handler runs, with an empty body', async () => {
    const socket = await open(host);
    socket.write('DELETE /show HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nff\r\ncut');
    await host.line(/show was called by DELETE/);
    socket.destroy();
  });

  test('with Content-Length as well, chunked wins and the length becomes x-content-length', async () => {
    const [reply] = await sendRaw(
      host,
      post('/show', `Content-Length: 5\r\n${chunked}`),
      '5\r\nhello\r\n0\r\n\r\n',
    );
    const seen = JSON.parse(reply!.text) as { body: string; headers: Record<string, string> };
    expect(seen.body).toBe('');
    expect(seen.headers).toMatchObject({ 'transfer-encoding': 'chunked', 'x-content-length': '5' });
    expect(seen.headers['content-length']).toBeUndefined();
  });

  test('the connection serves the next request after the unread chunks', async () => {
    const replies = await sendRaw(
      host,
      'POST /show HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n',
      'GET /get-only HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    );
    expect(replies.map(({ status, text }) => [status, text.slice(0, 3)])).toEqual([
      [200, '{"m'],
      [200, 'got'],
    ]);
  });

  test('chunks that never end are given up after the reply', async () => {
    const socket = await open(host);
    const received = receive(socket);
    socket.write('POST /show HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n');
    const drip = setInterval(() => socket.write('1\r\nx\r\n'), 200);
    expect(parseReplies(await received)[0]!.status).toBe(200);
    clearInterval(drip);
  });
});

describe('Expect: 100-continue', () => {
  const head = (path: string) => post(path, 'Content-Length: 4\r\nExpect: 100-continue');

  test('100 is sent when the body is read', async () => {
    const socket = await open(host);
    const received = receive(socket);
    socket.once('data', () => socket.write('body'));
    socket.write(head('/show'));
    const bytes = (await received).toString();
    expect(bytes).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n/);
    expect(bytes).toContain('"body":"body"');
  });

  test('no 100 is sent where no function reads it', async () => {
    const socket = await open(host);
    const received = receive(socket);
    socket.write(head('/nowhere'));
    socket.once('data', () => socket.write('body'));
    expect((await received).toString()).toMatch(/^HTTP\/1\.1 404 /);
  });

  test('another expectation is ignored', async () => {
    expect((await request(host, 'GET /get-only', ['Expect: the-unexpected'])).status).toBe(200);
  });
});
