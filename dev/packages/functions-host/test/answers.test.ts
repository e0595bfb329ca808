import { once } from 'node:events';
// What a real host answers, case by case (dev/packages/functions-host/README.md lists the cases with these tests' names).
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hostFor, open, parseReplies, receive, request, runHost, sendRaw, sleep } from './running-host.ts';
import type { RunningHost } from './running-host.ts';

let host: RunningHost;
beforeAll(async () => {
  host = await runHost('answers', { env: { 'AzureWebJobs.disabled.Disabled': 'true' } });
});
afterAll(() => host.stop());

async function json(line: string, headers: string[] = [], body = '') {
  const reply = await request(host, line, headers, body);
  expect(reply.status).toBe(200);
  return JSON.parse(reply.text) as {
    method: string;
    url: string;
    headers: Record<string, string>;
    query: Record<string, string>;
    params: Record<string, string>;
    body: string;
    traceParent: string;
  };
}

describe('what no function takes', () => {
  const cases = [
    'GET /nowhere',
    'POST /get-only',
    'HEAD /get-only',
    'OPTIONS /get-only',
    'TRACE /get-only',
    'BREW /get-only',
    'get /get-only',
    'GET /administrator',
    'GET //get-only',
    'GET /get-only//',
    'OPTIONS *',
    'CONNECT app.test:443',
  ];
  test.each(cases)('%s is 404 with Content-Length: 0, no Allow and no CORS headers', async (line) => {
    const { status, headers, text } = await request(host, line, ['Origin: https://portal.test']);
    expect({ status, text }).toEqual({ status: 404, text: '' });
    expect(headers['content-length']).toEqual(['0']);
    expect(headers.server).toEqual(['Kestrel']);
    expect(Object.keys(headers)).not.toContain('allow');
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  test.each(['GET', 'POST', 'DELETE'])('%s / is the home page', async (method) => {
    const { status, headers, text } = await request(host, `${method} /`);
    expect(status).toBe(200);
    expect(headers['content-type']).toEqual(['text/html']);
    expect(text).toContain('up and running');
  });

  test('a function that a setting disables is 404', async () => {
    expect((await request(host, 'GET /disabled')).status).toBe(404);
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

  test('without route and methods, the name is the route and GET and POST are the methods', async () => {
    expect((await request(host, 'GET /defaults')).text).toBe('defaults');
    expect((await request(host, 'POST /defaults')).text).toBe('defaults');
    expect((await request(host, 'PUT /defaults')).status).toBe(404);
  });

  test('methods in lower case count', async () => {
    expect((await request(host, 'GET /lower-case')).text).toBe('got');
  });

  test.each([
    'GET /GET-Only',
    'GET /get-only/',
    'GET /nowhere/../get-only',
    'GET /./get-only',
    'GET http://app.test/get-only',
  ])('%s finds its function', async (line) => {
    expect((await request(host, line)).text).toBe('got');
  });

  test('a route value keeps %2f and invalid escapes, and is decoded otherwise', async () => {
    const seen = await json('GET /show/a%2fb%5cc%ffd%20%C3%A9%25');
    expect(seen.params).toEqual({ part: 'a%2fb\\c%ffd é%' });
    expect(seen.url).toBe('http://app.test/show/a%2fb%5Cc%ffd%20%C3%A9%25');
  });

  test('the url is that of the client: Host header, path and the query as sent', async () => {
    expect((await json('GET /Show/?b=%41&a')).url).toBe('http://app.test/Show/?b=%41&a');
    expect((await json('GET /show?')).url).toBe('http://app.test/show?');
    expect((await json('GET /show??')).url).toBe('http://app.test/show??');
    expect((await json('GET /show')).url).toBe('http://app.test/show');
  });

  test('values of a repeated query key are joined by a comma, whatever the letter case', async () => {
    const { query, params } = await json('GET /show?q=1&q=2&Q=3&x=a+b%2Bc&empty&=n&bad=%zz%ff');
    expect(query).toEqual({ q: '1,2,3', x: 'a b+c', empty: '', '': 'n', bad: '%zz%ff' });
    expect(params).toEqual({});
  });

  test('a query name keeps its spelling; a repeated one that of its second use, as ASP.NET Core stores it', async () => {
    const query = async (text: string) => (await json(`GET /show?${text}`)).query;
    expect(await query('camelCase=1&UPPER=2&lower=3')).toEqual({ camelCase: '1', UPPER: '2', lower: '3' });
    expect(await query('Q=1&q=2')).toEqual({ q: '1,2' });
    expect(await query('q=1&Q=2&q=3')).toEqual({ Q: '1,2,3' });
    const many = Array.from({ length: 10 }, (_, index) => `k${index}=0`).join('&');
    expect(await query(`Q=1&${many}&q=2`)).toMatchObject({ Q: '1,2' });
    // Upper case decides, character by character: the Kelvin sign is no "k", and "ß" no "ss".
    expect(await query('k=1&%E2%84%AA=2&%C3%9F=3&ss=4&%C3%A9=5&%C3%89=6')).toEqual({
      k: '1',
      '\u212a': '2',
      '\u00df': '3',
      ss: '4',
      '\u00c9': '5,6',
    });
  });
});

describe('request headers', () => {
  test('names are in lower case and repeated headers are joined by a comma', async () => {
    const { headers } = await json('GET /show', [
      'X-One: 1',
      'x-one: 2',
      'Cookie: a=1',
      'Cookie: b=2',
      'X-Empty:',
    ]);
    expect(headers).toMatchObject({ 'x-one': '1,2', cookie: 'a=1,b=2', 'x-empty': '', host: 'app.test' });
  });

  test("the peer's ip:port is appended to X-Forwarded-For", async () => {
    const { headers } = await json('GET /show');
    expect(headers['x-forwarded-for']).toMatch(/^127\.0\.0\.1:\d+$/);
    const claimed = await json('GET /show', ['X-Forwarded-For: 203.0.113.9, 10.0.0.1']);
    expect(claimed.headers['x-forwarded-for']).toMatch(/^203\.0\.113\.9, 10\.0\.0\.1, 127\.0\.0\.1:\d+$/);
  });

  test('UTF-8 is read as UTF-8; what fits no HTTP header of the library is 500', async () => {
    expect((await json('GET /show', ['X-Name: Zoë'])).headers['x-name']).toBe('Zoë');
    expect((await request(host, 'GET /show', ['X-Name: 日本'])).status).toBe(500);
  });

  test("the trace goes on in the client's trace, in a span of the host's own", async () => {
    const trace = '0af7651916cd43dd8448eb211c80319c';
    const { traceParent } = await json('GET /show', [`Traceparent: 00-${trace}-b7ad6b7169203331-01`]);
    expect(traceParent).toMatch(new RegExp(`^00-${trace}-[0-9a-f]{16}-01$`));
    expect(traceParent).not.toContain('b7ad6b7169203331');
    expect((await json('GET /show')).traceParent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
  });

  test('x-ms-client-principal without its companions makes request.user throw: 500', async () => {
    expect((await request(host, 'GET /user', ['x-ms-client-principal: e30='])).status).toBe(500);
    expect((await request(host, 'GET /user')).status).toBe(200);
  });
});

describe('what a handler gives', () => {
  test.each([
    'throws',
    'string',
    'status-999',
    'bad-header',
    'latin-header',
    'circular',
    'wrong-length',
    'broken-stream',
  ])('%s becomes an empty 500 without content type', async (name) => {
    const { status, headers, text } = await request(host, `GET /answers/${name}`);
    expect({ status, text }).toEqual({ status: 500, text: '' });
    expect(headers['content-length']).toEqual(['0']);
    expect(headers['content-type']).toBeUndefined();
  });

  test("a throw's message and stack go to the log, never to the client", async () => {
    await request(host, 'GET /answers/throws');
    expect(await host.line(/Executed 'Functions\.throws' \(Failed/)).toContain('as it should');
  });

  test('malformed JSON that the handler does not catch is as a throw', async () => {
    expect((await request(host, 'POST /json', ['Content-Type: application/json'], '{"a":')).status).toBe(500);
  });

  test.each(['undefined', 'null', 'no-content'])('%s becomes 204', async (name) => {
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
    expect(reply.headers.server).toEqual(['Kestrel']);
    expect(reply.headers.date).toHaveLength(1);
  });

  test('304 has neither a body nor a length', async () => {
    const { status, headers } = await request(host, 'GET /answers/not-modified');
    expect(status).toBe(304);
    expect(headers.etag).toEqual(['"1"']);
    expect(headers['content-length']).toBeUndefined();
  });

  test('a stream arrives as a whole, when it has ended', async () => {
    const socket = await open(host);
    const received = receive(socket);
    socket.write('GET /answers/stream HTTP/1.1\r\nHost: app.test\r\nConnection: close\r\n\r\n');
    expect((await received).toString()).toMatch(/\r\n\r\nd\r\none two three\r\n0\r\n\r\n$/);
  });

  test("the handler's own headers are sent, its Server wins", async () => {
    const { headers } = await request(host, 'GET /answers/own-server');
    expect(headers.server).toEqual(['mine']);
    expect(headers['x-two']).toEqual(['words here']);
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
      'a=x%20y%3B%281%29; path=/',
      'b=2; domain=app.test; path=/sub; secure; samesite=strict; httponly',
      'c=3; expires=Wed, 02 Jan 2030 03:04:05 GMT; max-age=60; path=/; samesite=none',
    ]);
  });
});

describe('limits of the web server', () => {
  const close = { connection: ['close'], 'content-length': ['0'], server: ['Kestrel'] };

  test.each([
    [
      '40 kB of headers',
      '431',
      `GET /get-only HTTP/1.1\r\nHost: x\r\n${`X-Pad: ${'p'.repeat(993)}\r\n`.repeat(40)}\r\n`,
    ],
    [
      '33 kB of headers',
      '431',
      `GET /get-only HTTP/1.1\r\nHost: x\r\n${`X-Pad: ${'p'.repeat(993)}\r\n`.repeat(33)}\r\n`,
    ],
    ['101 headers', '431', `GET /get-only HTTP/1.1\r\nHost: x\r\n${'A: b\r\n'.repeat(100)}\r\n`],
    ['a 9 kB URL', '414', `GET /get-only?${'q'.repeat(9000)} HTTP/1.1\r\nHost: x\r\n\r\n`],
    ['a 90 kB URL', '414', `GET /get-only?${'q'.repeat(90_000)} HTTP/1.1\r\nHost: x\r\n\r\n`],
    ['%00 in the path', '400', 'GET /show/a%00b HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['no Host', '400', 'GET /get-only HTTP/1.1\r\n\r\n'],
    ['two Hosts', '400', 'GET /get-only HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n'],
    ['a bad Content-Length', '400', 'POST /show HTTP/1.1\r\nHost: x\r\nContent-Length: ten\r\n\r\n'],
    ['a raw UTF-8 path', '400', 'GET /show/é HTTP/1.1\r\nHost: x\r\n\r\n'],
    [
      'invalid UTF-8 in a header',
      '400',
      Buffer.from('GET /show HTTP/1.1\r\nHost: x\r\nX-A: \xff\r\n\r\n', 'latin1'),
    ],
    ['a NUL in a header', '400', 'GET /show HTTP/1.1\r\nHost: x\r\nX-A: a\0b\r\n\r\n'],
    [
      'a coding other than chunked',
      '400',
      'POST /show HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\n',
    ],
    ['no HTTP at all', '400', 'hello?\r\n\r\n'],
  ])('%s: %s, empty, and the connection ends', async (_, status, bytes) => {
    const [reply] = await sendRaw(host, bytes);
    expect(String(reply!.status)).toBe(status);
    expect(reply!.headers).toMatchObject(close);
  });

  test('100 headers and a URL of 8 kB are taken', async () => {
    const many = `GET /get-only HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${'A: b\r\n'.repeat(98)}\r\n`;
    expect((await sendRaw(host, many))[0]!.status).toBe(200);
    expect((await request(host, `GET /get-only?${'q'.repeat(8000)}`)).status).toBe(200);
  });

  test('an empty Host, or HTTP/1.0 without one: 500', async () => {
    const empty = await sendRaw(host, 'GET /get-only HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n');
    expect(empty[0]!.status).toBe(500);
    expect((await sendRaw(host, 'GET /get-only HTTP/1.0\r\n\r\n'))[0]!.status).toBe(500);
  });

  test('a client of HTTP/1.0 gets the body as it is, until the connection ends', async () => {
    const socket = await open(host);
    const received = receive(socket);
    socket.write('GET /get-only HTTP/1.0\r\nHost: x\r\nConnection: keep-alive\r\n\r\n');
    const bytes = (await received).toString();
    expect(bytes).toMatch(/\r\nConnection: close\r\n/);
    expect(bytes).toMatch(/\r\n\r\ngot$/);
  });

  test('a refused request leaves other connections alone; one connection serves many requests', async () => {
    const replies = await sendRaw(
      host,
      'GET /get-only HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(3),
      'GET /nowhere HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    );
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 404]);
    expect(replies.map(({ headers }) => headers.connection)).toEqual([
      undefined,
      undefined,
      undefined,
      ['close'],
    ]);
  });
});

describe('requests sent ahead', () => {
  test('are answered in their order, and a refusal ends the connection after the earlier ones', async () => {
    const replies = await sendRaw(
      host,
      'GET /slow/200 HTTP/1.1\r\nHost: x\r\n\r\n',
      'GET /get-only HTTP/1.1\r\nHost: x\r\n\r\n',
      'GET /get-only%00 HTTP/1.1\r\nHost: x\r\n\r\n',
    );
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 400]);
  });
});

describe('whatever bytes come', () => {
  test('the host goes on', async () => {
    const line = fc.constantFrom(
      'GET /show HTTP/1.1',
      'POST /echo HTTP/1.1',
      'PUT /show/%',
      'CONNECT x:1 HTTP/1.1',
      'A',
    );
    const header = fc.constantFrom(
      'Host: x',
      'Content-Length: 5',
      'Content-Length: -1',
      'Transfer-Encoding: chunked',
      'Expect: 100-continue',
      'Connection: close',
      'Connection: upgrade',
      'Upgrade: websocket',
      ': empty',
      ' folded',
    );
    const body = fc.constantFrom(
      '',
      'hello',
      '5\r\nhello\r\n0\r\n\r\n',
      'zz\r\n',
      '\0\xff',
      'GET / HTTP/1.1\r\n',
    );
    const bytes = fc.tuple(line, fc.array(header), body).map(([a, b, c]) => [a, ...b, '', c].join('\r\n'));
    await fc.assert(
      fc.asyncProperty(fc.array(bytes, { minLength: 1, maxLength: 3 }), async (pieces) => {
        const socket = await open(host);
        socket.on('error', () => {});
        for (const piece of pieces) socket.write(piece, 'latin1');
        await sleep(2);
        socket.destroy();
      }),
      { numRuns: 300 },
    );
    expect((await request(host, 'GET /get-only')).text).toBe('got');
    expect(host.lines.filter((line) => /Z\] error: (?!Executed)/.test(line))).toEqual([]);
  });
});

describe('a head that comes in pieces', () => {
  /** Stands for the answer to what was sent before: what follows begins a chunk of its own. */
  const answer = null;

  async function statusOf(...pieces: (string | typeof answer)[]): Promise<number | undefined> {
    const socket = await open(host);
    const received = receive(socket);
    for (const [index, piece] of pieces.entries()) {
      if (piece === answer) continue;
      const answered = pieces[index + 1] === answer ? once(socket, 'data') : sleep(20);
      socket.write(piece);
      await answered;
    }
    return parseReplies(await received).at(-1)?.status;
  }
  const start = 'GET /get-only HTTP/1.1\r\nHost: x\r\n';
  const long = (name: string) => `${name}: ${'v'.repeat(12_000)}`;

  test.each<[string, number, (string | typeof answer)[]]>([
    [
      'headers over the limit, each whole',
      431,
      [start, ...['a', 'b', 'c', 'd'].map((name) => `${long(name)}\r\n`)],
    ],
    [
      'one header over the limit',
      431,
      [start, 'a: ', ...Array.from({ length: 5 }, () => 'v'.repeat(12_000))],
    ],
    ['a URL over the limit', 414, ['GET /', ...Array.from({ length: 5 }, () => 'q'.repeat(12_000))]],
    [
      'headers over the limit after a request on the same connection',
      431,
      [`${start}\r\n`, answer, start, 'a: ', ...Array.from({ length: 5 }, () => 'v'.repeat(12_000))],
    ],
    [
      'a URL over the limit after a request with a body',
      414,
      [
        'POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\n',
        'a\r\nb',
        answer,
        'GET /',
        ...Array.from({ length: 5 }, () => 'q'.repeat(12_000)),
      ],
    ],
  ])('%s: %i', async (_, status, pieces) => {
    expect(await statusOf(...pieces)).toBe(status);
  });
});

describe('keys', () => {
  test.each([
    'GET /admin/host/status',
    'GET /admin/functions',
    'POST /admin/functions/getOnly',
    'GET /ADMIN/Host/keys',
    'PUT /admin/vfs/site/x',
    'GET /admin/nothing',
    'GET /runtime/webhooks/blobs',
    'GET /runtime/nothing',
  ])('%s without a key is 401, also without enableAuth', async (line) => {
    const refused = await request(host, line);
    expect(refused.status).toBe(401);
    expect(refused.headers['content-length']).toEqual(['0']);
    expect((await request(host, line, [`X-Functions-Key: ${host.hostKey}x`])).status).toBe(401);
    expect([404, 415]).toContain((await request(host, line, [`X-Functions-Key: ${host.hostKey}`])).status);
  });

  test('without enableAuth, as under func start, no key is asked for', async () => {
    expect((await request(host, 'GET /keyed')).text).toBe('open');
  });

  test('with enableAuth a function key is asked for: 401 without, 200 with', async () => {
    const guarded = await hostFor('answers', { enableAuth: true, hostKey: 'the-key' });
    const refused = await request(guarded, 'GET /keyed');
    expect(refused.status).toBe(401);
    expect(refused.headers['content-length']).toEqual(['0']);
    expect((await request(guarded, 'GET /keyed?code=wrong')).status).toBe(401);
    expect((await request(guarded, 'GET /keyed?code=the-key')).status).toBe(200);
    expect((await request(guarded, 'GET /keyed', ['X-Functions-Key: the-key'])).status).toBe(200);
    expect((await request(guarded, 'GET /get-only')).status).toBe(200);
    expect((await request(guarded, 'POST /admin/functions/getOnly', [], '{}')).status).toBe(401);
  });
});

describe('clients that go away', () => {
  test('the handler runs to its end', async () => {
    const socket = await open(host);
    socket.write('GET /slow/300 HTTP/1.1\r\nHost: x\r\n\r\n');
    await host.line(/slow began/);
    socket.destroy();
    await host.line(/slow ended/);
  });

  test('a client that half-closes is not answered', async () => {
    const socket = await open(host);
    const received = receive(socket);
    socket.end('GET /slow/200 HTTP/1.1\r\nHost: x\r\n\r\n');
    expect((await received).toString()).toBe('');
  });
});

describe('the log', () => {
  test("has the app's information and warnings, not its details", async () => {
    await request(host, 'GET /logs');
    expect(await host.line(/a warning/)).toMatch(/^\[\d{4}-.*Z\] warning: a warning$/);
    expect(await host.line(/an information/)).toMatch(/^\[\d{4}-.*Z\] an information$/);
    await sleep(50);
    expect(host.lines.join('\n')).not.toContain('a detail');
  });
});
