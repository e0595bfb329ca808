// What a real host answers, case by case (dev/packages/functions-host/README.md lists the cases with these tests' names).
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { registerAnswers } from './apps/answers.ts';
import { open, request, runHost, sendRaw, sleep } from './running-host.ts';
import type { RunningHost } from './running-host.ts';

let host: RunningHost;
beforeAll(async () => {
  host = await runHost({ load: registerAnswers });
});
afterAll(() => host.stop());

type Seen = {
  method: string;
  url: string;
  headers: Record<string, string>;
  query: Record<string, string>;
  params: Record<string, string>;
  body: string;
  traceParent: string;
};

async function seen(line: string, headers: string[] = [], body = ''): Promise<Seen> {
  const reply = await request(host, line, headers, body);
  expect(reply.status).toBe(200);
  return JSON.parse(reply.text) as Seen;
}

describe('what no function takes', () => {
  test.each([
    'GET /nowhere',
    'POST /get-only',
    'HEAD /get-only',
    'OPTIONS /get-only',
    'PROPFIND /get-only',
    'GET //get-only',
    'GET /get-only//',
  ])('%s is 404 with Content-Length: 0, no Allow and no CORS headers', async (line) => {
    const { status, headers, text } = await request(host, line, ['Origin: https://portal.test']);
    expect({ status, text }).toEqual({ status: 404, text: '' });
    if (!line.startsWith('HEAD')) expect(headers['content-length']).toEqual(['0']);
    expect(Object.keys(headers)).not.toContain('allow');
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });
});

describe('methods and paths', () => {
  test('HEAD and OPTIONS work where a function lists them, and HEAD carries no body', async () => {
    const head = await request(host, 'HEAD /head-and-options');
    expect(head.status).toBe(200);
    expect(head.headers['x-method']).toEqual(['HEAD']);
    expect(head.body).toHaveLength(0);
    expect(head.headers['content-length']).toBeUndefined();
    const options = await request(host, 'OPTIONS /head-and-options');
    expect(options.headers['x-method']).toEqual(['OPTIONS']);
    expect(options.text).toBe('a body');
  });

  test.each(['GET /GET-Only', 'GET /get-only/', 'GET /nowhere/../get-only', 'GET /nowhere/%2e%2e/get-only'])(
    '%s finds its function',
    async (line) => {
      expect((await request(host, line)).text).toBe('got');
    },
  );

  test('a route value keeps %2f, and is decoded otherwise', async () => {
    const { params, url } = await seen('GET /show/a%2fb%5cc%20%C3%A9%25');
    expect(params).toEqual({ part: 'a%2fb\\c é%' });
    expect(url).toBe('http://app.test/show/a%2fb%5Cc%20%C3%A9%25');
  });

  test('the url is that of the client: Host header, path and the query as sent', async () => {
    expect((await seen('GET /Show/x/?b=%41&a')).url).toBe('http://app.test/Show/x/?b=%41&a');
    expect((await seen('GET /show/x?')).url).toBe('http://app.test/show/x?');
  });

  test('values of a repeated query key are joined by a comma, whatever the letter case', async () => {
    const { query } = await seen('GET /show/x?q=1&q=2&Q=3&camelCase=a+b%2Bc&empty');
    expect(query).toEqual({ q: '1,2,3', camelCase: 'a b+c', empty: '' });
  });
});

describe('request headers', () => {
  test('names are in lower case and repeated headers are joined by a comma', async () => {
    const { headers } = await seen('GET /show/x', [
      'X-One: 1',
      'x-one: 2',
      'Cookie: a=1',
      'Cookie: b=2',
      'X-Empty:',
    ]);
    expect(headers).toMatchObject({ 'x-one': '1,2', cookie: 'a=1,b=2', 'x-empty': '', host: 'app.test' });
  });

  test("the peer's ip:port is appended to X-Forwarded-For", async () => {
    const { headers } = await seen('GET /show/x');
    expect(headers['x-forwarded-for']).toMatch(/^127\.0\.0\.1:\d+$/);
    const claimed = await seen('GET /show/x', ['X-Forwarded-For: 203.0.113.9, 10.0.0.1']);
    expect(claimed.headers['x-forwarded-for']).toMatch(/^203\.0\.113\.9, 10\.0\.0\.1, 127\.0\.0\.1:\d+$/);
  });

  test('UTF-8 is read as UTF-8; what fits no HTTP header of the library is 500', async () => {
    expect((await seen('GET /show/x', ['X-Name: Zoë'])).headers['x-name']).toBe('Zoë');
    expect((await request(host, 'GET /show/x', ['X-Name: 日本'])).status).toBe(500);
  });

  test("the trace goes on in the client's trace, in a span of the host's own", async () => {
    const trace = '0af7651916cd43dd8448eb211c80319c';
    const { traceParent } = await seen('GET /show/x', [`Traceparent: 00-${trace}-b7ad6b7169203331-01`]);
    expect(traceParent).toMatch(new RegExp(`^00-${trace}-[0-9a-f]{16}-01$`));
    expect(traceParent).not.toContain('b7ad6b7169203331');
    expect((await seen('GET /show/x')).traceParent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
  });
});

describe('what a handler gives', () => {
  test.each(['throws', 'string', 'status-999', 'bad-header', 'latin-header', 'circular', 'wrong-length'])(
    '%s becomes an empty 500 without content type',
    async (name) => {
      const { status, headers, text } = await request(host, `GET /answers/${name}`);
      expect({ status, text }).toEqual({ status: 500, text: '' });
      expect(headers['content-length']).toEqual(['0']);
      expect(headers['content-type']).toBeUndefined();
    },
  );

  test("a throw's message and stack go to the log, never to the client", async () => {
    await request(host, 'GET /answers/throws');
    expect(await host.line(/Executed 'Functions\.throws' \(Failed/)).toContain('as it should');
  });

  test.each(['undefined', 'no-content'])('%s becomes 204', async (name) => {
    const { status, headers } = await request(host, `GET /answers/${name}`);
    expect(status).toBe(204);
    expect(headers['content-length']).toBeUndefined();
    expect(headers['transfer-encoding']).toBeUndefined();
  });

  test('{} becomes 200 with Content-Length: 0', async () => {
    const { status, headers } = await request(host, 'GET /answers/empty');
    expect(status).toBe(200);
    expect(headers['content-length']).toEqual(['0']);
  });

  test.each([
    ['text', 'text/plain;charset=UTF-8', 'grüezi'],
    ['object', 'application/json', '{"a":1}'],
    ['buffer', undefined, '\u0001\u0002\u0003'],
  ])('a body (%s) is sent in chunks, never with a length; its type is %s', async (name, type, text) => {
    const reply = await request(host, `GET /answers/${name}`);
    expect(reply.text).toBe(text);
    expect(reply.headers['content-type']?.[0]).toBe(type);
    expect(reply.headers['transfer-encoding']).toEqual(['chunked']);
    expect(reply.headers['content-length']).toBeUndefined();
  });

  test('304 has neither a body nor a length', async () => {
    const { status, headers } = await request(host, 'GET /answers/not-modified');
    expect(status).toBe(304);
    expect(headers.etag).toEqual(['"1"']);
    expect(headers['content-length']).toBeUndefined();
  });

  test('a Content-Length of its own goes out with a reply to HEAD', async () => {
    const { headers, body } = await request(host, 'HEAD /answers/length-for-head');
    expect(headers['content-length']).toEqual(['1234']);
    expect(body).toHaveLength(0);
  });

  test('of two Set-Cookie headers the last one survives', async () => {
    expect((await request(host, 'GET /answers/two-set-cookie')).headers['set-cookie']).toEqual(['b=2']);
  });

  test('cookies have attributes in lower case, path=/ by default, and an encoded value', async () => {
    expect((await request(host, 'GET /answers/cookies')).headers['set-cookie']).toEqual([
      'a=x%20y%3B; path=/',
      'b=2; domain=app.test; path=/sub; secure; samesite=strict; httponly',
      'c=3; expires=Wed, 02 Jan 2030 03:04:05 GMT; max-age=60; path=/; samesite=none',
    ]);
  });
});

describe('limits of the web server', () => {
  const head = (line: string, headers = '') => `${line} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;

  test.each([
    ['45 kB of headers', 431, head('GET /get-only', `X-Pad: ${'p'.repeat(993)}\r\n`.repeat(45))],
    ['a 9 kB URL', 414, head(`GET /get-only?${'q'.repeat(9000)}`, 'Connection: close\r\n')],
    ['%00 in the path', 400, head('GET /show/a%00b', 'Connection: close\r\n')],
    ['invalid UTF-8 in a header', 400, head('GET /show/x', 'Connection: close\r\nX-A: \xff\r\n')],
  ])('%s: %i, and empty', async (_, status, text) => {
    const [reply] = await sendRaw(host, Buffer.from(text, 'latin1'));
    expect(reply).toMatchObject({ status, text: '' });
  });

  test('30 kB of headers and a URL of 8 kB are taken', async () => {
    const pad = Array.from({ length: 30 }, () => `X-Pad: ${'p'.repeat(993)}`);
    expect((await request(host, `GET /get-only?${'q'.repeat(8000)}`, pad)).status).toBe(200);
  });

  test('one connection serves many requests, also those sent ahead, in their order', async () => {
    const replies = await sendRaw(
      host,
      head('GET /slow/100'),
      head('GET /get-only'),
      head('GET /nowhere', 'Connection: close\r\n'),
    );
    expect(replies.map(({ status, text }) => [status, text])).toEqual([
      [200, 'at last'],
      [200, 'got'],
      [404, ''],
    ]);
    expect(replies.map(({ headers }) => headers.connection)).toEqual([undefined, undefined, ['close']]);
  });
});

test('when a client goes away, the handler runs to its end', async () => {
  const socket = await open(host);
  socket.write('GET /slow/300 HTTP/1.1\r\nHost: x\r\n\r\n');
  await host.line(/slow began/);
  socket.destroy();
  await host.line(/slow ended/);
});

test("the log has the app's information and warnings, not its details", async () => {
  await request(host, 'GET /logs');
  expect(await host.line(/a warning/)).toMatch(/^\[\d{4}-.*Z\] warning: a warning$/);
  expect(await host.line(/an information/)).toMatch(/^\[\d{4}-.*Z\] an information$/);
  await sleep(20);
  expect(host.lines.join('\n')).not.toContain('a detail');
});
