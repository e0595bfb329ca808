// Request bodies: whole, slow, cut, chunked, large.
import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { registerAnswers } from './apps/answers.ts';
import { hostFor, open, parseReplies, receive, request, runHost, sendRaw, sleep } from './running-host.ts';
import type { RunningHost } from './running-host.ts';

// In a process of its own: bodies cross its pipe.
let host: RunningHost;
beforeAll(async () => {
  host = await runHost();
});
afterAll(() => host.stop());

type Digest = { bytes: number; sha256: string };

function digestOf(bytes: Uint8Array): Digest {
  return { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}

const post = (path: string, headers: string) =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n\r\n`;

describe('bodies with a length', () => {
  test('20 MB arrive and return intact', async () => {
    const bytes = randomBytes(20_000_000);
    const echoed = await request(host, 'POST /echo', [], bytes);
    expect(digestOf(echoed.body)).toEqual(digestOf(bytes));
  });

  test('several at once arrive intact, and small requests get through meanwhile', async () => {
    const bytes = randomBytes(5_000_000);
    const uploads = Array.from({ length: 8 }, () => request(host, 'POST /digest', [], bytes));
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
      await sleep(100);
    }
    expect(host.lines.join('\n')).not.toContain('show was called by POST');
    socket.write('ef');
    const [reply] = parseReplies(await received);
    expect(JSON.parse(reply!.text)).toMatchObject({ body: 'abcdef' });
  });

  test('after a cut upload the handler is not called', async () => {
    const called = () => host.lines.filter((line) => line.endsWith('show was called by PUT')).length;
    const socket = await open(host);
    socket.write('PUT /show/x HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nonly this');
    await sleep(100);
    socket.destroy();
    await request(host, 'PUT /show/x', [], 'whole');
    expect(called()).toBe(1);
  });

  test('GET and HEAD with a body reach the handler without it', async () => {
    expect(JSON.parse((await request(host, 'GET /show/x', [], 'ignored')).text)).toMatchObject({ body: '' });
    expect((await request(host, 'HEAD /show/x', [], 'ignored')).status).toBe(200);
  });
});

describe('bodies over the limit', () => {
  test('more than 104,857,600 bytes are 500, and empty', async () => {
    const [reply] = await sendRaw(host, post('/show/x', 'Content-Length: 104857601'), 'the beginning');
    expect(reply).toMatchObject({ status: 500, text: '' });
  });

  test('FUNCTIONS_REQUEST_BODY_SIZE_LIMIT sets another limit, and a client that goes on sending reads the answer', async () => {
    const env = { FUNCTIONS_REQUEST_BODY_SIZE_LIMIT: '1000' };
    const small = await hostFor({ load: registerAnswers, env });
    expect((await request(small, 'POST /digest', [], 'x'.repeat(1000))).status).toBe(200);
    expect((await request(small, 'POST /digest', [], 'x'.repeat(1001))).status).toBe(500);
    const large = await fetch(`${small.url}/digest`, { method: 'POST', body: new Uint8Array(20_000_000) });
    expect(large.status).toBe(500);
  });
});

describe('chunked bodies: the trap', () => {
  const chunked = 'Transfer-Encoding: chunked';

  test.each([chunked, `Content-Length: 5\r\n${chunked}`])(
    'the handler sees an empty body, and the transfer-encoding header: %j',
    async (headers) => {
      const [reply] = await sendRaw(host, post('/show/x', headers), '5\r\nhello\r\n0\r\n\r\n');
      const seen = JSON.parse(reply!.text) as { body: string; headers: Record<string, string> };
      expect(seen.body).toBe('');
      expect(seen.headers['transfer-encoding']).toBe('chunked');
    },
  );

  test('the handler does not wait for the chunks', async () => {
    const socket = await open(host);
    const received = receive(socket);
    socket.write(post('/show/x', chunked).replace('POST', 'PATCH'));
    await host.line(/show was called by PATCH/);
    socket.write('0\r\n\r\n');
    expect(parseReplies(await received)[0]!.status).toBe(200);
  });

  test('the connection serves the next request after the unread chunks', async () => {
    const replies = await sendRaw(
      host,
      'POST /show/x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n',
      'GET /get-only HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    );
    expect(replies.map(({ status, text }) => [status, text.slice(0, 3)])).toEqual([
      [200, '{"m'],
      [200, 'got'],
    ]);
  });
});
