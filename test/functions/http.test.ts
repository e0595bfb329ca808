import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { endpoints } from '../../src/endpoints.ts';
import { problems } from '../../src/contract/problem-list.ts';
import {
  type RawReply,
  request as rawRequest,
  sendRaw,
} from '../../dev/packages/functions-host/test/running-host.ts';
import { freshEmail, goodPassword, register } from '../support/accounts.ts';
import { type RequestOptions, testApp } from '../support/app.ts';
import { multipart } from '../support/multipart.ts';

// What every endpoint gets from the machinery, over real HTTP. POST /api/auth/login stands for a JSON endpoint.

const portal = 'https://portal.example.org';
const app = await testApp({ env: { CORS_ORIGINS: `${portal}, http://localhost:5173` } });
const patient = await register(app);

interface ProblemBody {
  type: string;
  title: string;
  status: number;
  detail?: string;
  code: keyof typeof problems;
  requestId: string;
  errors?: { pointer: string; code: string; message: string }[];
}

/** Login with this body as it stands; a good one answers 401 `invalid_credentials`. */
function logInWith(body: string | Uint8Array, headers: Record<string, string> = {}): Promise<Response> {
  const sent = typeof body === 'string' ? body : Buffer.from(body);
  return app.request('/api/auth/login', {
    method: 'POST',
    body: sent,
    headers: { 'content-type': 'application/json', ...headers },
  });
}

const credentials = () => JSON.stringify({ email: freshEmail('nobody'), password: goodPassword });

async function problemOf(reply: Response): Promise<ProblemBody> {
  expect(reply.headers.get('content-type')).toBe('application/problem+json');
  return (await reply.json()) as ProblemBody;
}

const codeOf = async (reply: Promise<Response>) => (await problemOf(await reply)).code;

const securityHeaders = {
  'strict-transport-security': 'max-age=63072000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
  vary: 'Origin',
};

const expectHeaders = (reply: Response, wanted: Record<string, string | null>) => {
  const found = Object.fromEntries(Object.keys(wanted).map((name) => [name, reply.headers.get(name)]));
  expect(found).toEqual(wanted);
};

describe('every refusal is problem+json with a stable code', () => {
  const json = (body: object): RequestOptions => ({ json: body });
  const cases: [keyof typeof problems, string, RequestOptions][] = [
    ['malformed_json', '/api/auth/login', { body: '{', headers: { 'content-type': 'application/json' } }],
    ['validation_error', '/api/auth/login', json({})],
    ['authentication_required', '/api/auth/me', {}],
    ['token_invalid', '/api/auth/me', { token: 'abc' }],
    ['invalid_credentials', '/api/auth/login', json({ email: freshEmail(), password: goodPassword })],
    [
      'tenant_not_found',
      '/api/auth/register?tenant=nowhere',
      json({ email: freshEmail(), password: goodPassword, role: 'patient' }),
    ],
    ['not_found', '/api/nothing', {}],
    ['not_found', '/', {}],
    ['not_found', '/api/docs/unknown.js', {}],
    ['method_not_allowed', '/api/auth/me', { method: 'DELETE' }],
    [
      'email_taken',
      '/api/auth/register',
      json({ email: patient.email, password: goodPassword, role: 'patient' }),
    ],
    ['payload_too_large', '/api/auth/login', json({ password: 'x'.repeat(20_000) })],
    ['unsupported_media_type', '/api/auth/login', { body: 'email=x' }],
    [
      'invalid_multipart',
      '/api/diagnosis',
      {
        token: patient.access_token,
        method: 'POST',
        headers: { 'content-type': multipart([]).contentType },
        body: multipart([]).body,
      },
    ],
  ];

  test.each(cases)('%s at %s', async (code, path, options) => {
    const reply = await app.request(path, options);
    const body = await problemOf(reply);
    const { status, title } = problems[code];
    expect(reply.status).toBe(status);
    expect(body).toMatchObject({ type: `urn:dermagate:problem:${code}`, title, status, code });
    expect(body.requestId).toBe(reply.headers.get('x-request-id'));
    const members = ['type', 'title', 'status', 'detail', 'code', 'requestId', 'errors'];
    expect(Object.keys(body).filter((key) => !members.includes(key))).toEqual([]);
    expectHeaders(reply, securityHeaders);
  });

  test('and a success carries the same security headers', async () => {
    for (const path of ['/healthy', '/health', '/api/openapi.json']) {
      const reply = await app.request(path);
      expect(reply.status).toBe(200);
      expect(reply.headers.get('content-type')).toBe('application/json');
      const { 'cache-control': _own, ...wanted } = securityHeaders;
      // The document is compressed for those who ask.
      const isDocument = path === '/api/openapi.json';
      expectHeaders(reply, { ...wanted, ...(isDocument && { vary: 'Origin, Accept-Encoding' }) });
    }
  });

  test('without a token the challenge is bare, with a wrong one it says so (RFC 6750)', async () => {
    const bare = await app.request('/api/auth/me');
    expect(bare.headers.get('www-authenticate')).toBe('Bearer realm="dermagate"');
    const wrong = await app.request('/api/auth/me', { token: 'abc' });
    expect(wrong.headers.get('www-authenticate')).toBe('Bearer realm="dermagate", error="invalid_token"');
  });

  test('every wrong field is named at once, by pointer, and no value is repeated', async () => {
    const reply = await app.request('/api/auth/register', {
      json: { email: 'marker-17', password: 'mark', role: 'marker-king', extra: 'marker-18' },
    });
    const { code, errors = [] } = await problemOf(reply.clone());
    expect(code).toBe('validation_error');
    expect(errors.map((error) => `${error.pointer} ${error.code}`)).toEqual([
      '/email invalid_format',
      '/password password_too_short',
      '/role invalid_value',
      '/extra unknown_field',
    ]);
    for (const { message } of errors) expect(message).toMatch(/^[A-Z].*\.$/);
    expect(await reply.text()).not.toContain('marker-');
  });

  test('missing fields and wrong types are told apart', async () => {
    const { errors = [] } = await problemOf(await app.request('/api/auth/login', { json: { email: 7 } }));
    expect(errors.map((error) => `${error.pointer} ${error.code}`)).toEqual([
      '/email invalid_type',
      '/password required',
    ]);
  });

  test.each(['[]', '"text"', 'null', '7', 'true'])(
    'a body that is no object is refused: %s',
    async (body) => {
      const { code, errors } = await problemOf(await logInWith(body));
      expect(code).toBe('validation_error');
      expect(errors).toMatchObject([{ pointer: '', code: 'invalid_type' }]);
    },
  );
});

describe('request ids', () => {
  test.each(['abc', 'A.b_c-1', 'x'.repeat(64)])('a good one comes back: %s', async (id) => {
    const reply = await app.request('/healthy', { headers: { 'x-request-id': id } });
    expect(reply.headers.get('x-request-id')).toBe(id);
  });

  test.each(['', 'a b', 'x'.repeat(65), 'a,b', '<b>'])('a bad one is replaced: %j', async (id) => {
    const reply = await app.request('/nowhere', { headers: { 'x-request-id': id } });
    expect(reply.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect((await problemOf(reply)).requestId).toBe(reply.headers.get('x-request-id'));
  });

  test('without one, each request gets its own', async () => {
    const [first, second] = await Promise.all([app.request('/healthy'), app.request('/healthy')]);
    expect(first?.headers.get('x-request-id')).not.toBe(second?.headers.get('x-request-id'));
  });
});

describe('CORS', () => {
  const exposed =
    'etag, location, retry-after, ratelimit, ratelimit-policy, www-authenticate, x-request-id, idempotency-replayed, content-disposition, content-range, accept-ranges';

  test.each(['/healthy', '/api/auth/me', '/nowhere'])(
    'a listed origin may read %s, errors too',
    async (path) => {
      const reply = await app.request(path, { headers: { origin: portal } });
      expectHeaders(reply, {
        'access-control-allow-origin': portal,
        'access-control-allow-credentials': 'true',
        'access-control-expose-headers': exposed,
        vary: 'Origin',
      });
    },
  );

  test.each(['https://evil.example', 'null', `${portal}.evil.example`])(
    'another may not: %s',
    async (origin) => {
      for (const path of ['/healthy', '/api/auth/me', '/nowhere']) {
        const reply = await app.request(path, { headers: { origin } });
        expect([...reply.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
        expect(reply.headers.get('vary')).toBe('Origin');
      }
    },
  );

  const preflight = (path: string, origin: string) =>
    app.request(path, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization, content-type',
      },
    });

  test('a preflight for an address of ours names its methods and the headers that may be sent', async () => {
    const reply = await preflight('/api/auth/login', portal);
    expect(reply.status).toBe(204);
    expect(await reply.text()).toBe('');
    expectHeaders(reply, {
      'access-control-allow-origin': portal,
      'access-control-allow-credentials': 'true',
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers':
        'authorization, content-type, accept-language, x-tenant, x-request-id, idempotency-key, if-match, ' +
        'if-none-match, if-range, last-event-id, range, x-csrf-token',
      'access-control-max-age': '7200',
      vary: 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers',
    });
  });

  test('a page may send every header that an endpoint reads, and read every one that it sends', async () => {
    // Those that browsers allow anyway: https://fetch.spec.whatwg.org/#cors-safelisted-response-header-name
    const safelisted = ['cache-control', 'content-language'];
    const headers = (await preflight('/api/auth/login', portal)).headers;
    const allowed = headers.get('access-control-allow-headers')?.split(', ') ?? [];
    const reads = endpoints.flatMap((endpoint) => endpoint.reads ?? []);
    // The others are members of the query.
    const read = new Set(reads.filter((fact) => fact !== 'lang' && fact !== 'tenant'));
    expect(read.has('if-range')).toBe(true);
    expect([...read].filter((name) => !allowed.includes(name))).toEqual([]);
    const sent = new Set(endpoints.flatMap(({ sends = [] }) => sends.map((name) => name.toLowerCase())));
    expect(sent.has('accept-ranges')).toBe(true);
    const readable = [...exposed.split(', '), ...safelisted];
    expect([...sent, 'content-range'].filter((name) => !readable.includes(name))).toEqual([]);
  });

  test('a preflight needs no token', async () => {
    expect((await preflight('/api/auth/me', portal)).status).toBe(204);
  });

  test('a preflight of another origin is granted nothing', async () => {
    const reply = await preflight('/api/auth/login', 'https://evil.example');
    expect([...reply.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  test('in development a front end on this machine may call from any port', async () => {
    const origin = 'http://127.0.0.1:4321';
    expect(
      (await app.request('/healthy', { headers: { origin } })).headers.get('access-control-allow-origin'),
    ).toBe(origin);
    expect((await preflight('/api/auth/login', origin)).headers.get('access-control-allow-methods')).toBe(
      'POST',
    );
  });

  test('a preflight for an unknown address is 404', async () => {
    const reply = await preflight('/api/nothing', portal);
    expect((await problemOf(reply)).code).toBe('not_found');
  });
});

describe('methods', () => {
  const gets = endpoints.filter(({ method }) => method === 'GET');

  test.each(gets.map(({ route }) => `/${route}`))('HEAD %s is GET without the body', async (route) => {
    const path = route.replace('{file}', 'start.js').replaceAll(/\{[^}]+\}/g, crypto.randomUUID());
    const [get, head] = await Promise.all(
      ['GET', 'HEAD'].map((method) =>
        app.request(path, { method, token: patient.access_token, headers: { 'x-request-id': 'same' } }),
      ),
    );
    expect(head?.status).toBe(get?.status);
    expect(await head?.text()).toBe('');
    // Besides the date and what is left of a quota, headers that say how the body is sent, and for how long the connection
    // stays.
    const comparable = (reply?: Response) =>
      [...(reply?.headers ?? [])].filter(
        ([name]) =>
          !['date', 'ratelimit', 'transfer-encoding', 'content-length', 'connection'].includes(name),
      );
    expect(comparable(head)).toEqual(comparable(get));
  });

  test.each([
    ['DELETE', '/healthy', 'GET, HEAD, OPTIONS'],
    ['GET', '/api/auth/login', 'OPTIONS, POST'],
    ['HEAD', '/api/auth/login', 'OPTIONS, POST'],
    ['PUT', '/api/diagnosis', 'OPTIONS, POST'],
    ['PATCH', '/API/Auth/ME/', 'GET, HEAD, OPTIONS'],
    ['POST', '/api/docs/start.js', 'GET, HEAD, OPTIONS'],
    ['GET', '/api/v1/backoffice/cases/search', 'OPTIONS, POST'],
    ['PATCH', '/api/v1/backoffice/users/search', 'OPTIONS, POST'],
    ['HEAD', '/api/v1/mobile/cases/create', 'OPTIONS, POST'],
    ['PUT', '/api/v1/mobile/cases/update', 'OPTIONS, POST'],
    ['GET', '/api/v1/images/upload', 'OPTIONS, POST'],
    ['DELETE', '/api/v1/mobile/images/upload', 'OPTIONS, POST'],
  ])('%s %s is 405 and says what is allowed', async (method, path, allow) => {
    const reply = await app.request(path, { method });
    expect(reply.status).toBe(405);
    expect(reply.headers.get('allow')).toBe(allow);
    if (method === 'HEAD') expect(await reply.text()).toBe('');
    else
      expect(await problemOf(reply)).toMatchObject({
        code: 'method_not_allowed',
        detail: `Use one of: ${allow}.`,
      });
  });

  test('OPTIONS says the same without an origin', async () => {
    const reply = await app.request('/api/auth/me', { method: 'OPTIONS' });
    expect(reply.status).toBe(204);
    expect(reply.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
  });

  test('a method that no function has is 404 of the host, and the app lives on', async () => {
    const reply = await rawRequest(app.host, 'PROPFIND /healthy');
    expect(reply.status).toBe(404);
  });

  test('a body on a GET is ignored', async () => {
    const reply = await rawRequest(app.host, 'GET /healthy', ['Content-Type: application/json'], '{"a":1}');
    expect(reply.status).toBe(200);
  });

  test('letters in any case and one slash at the end lead to the same place', async () => {
    expect((await app.request('/HEALTHY/')).status).toBe(200);
    expect((await rawRequest(app.host, 'GET //healthy')).status).toBe(404);
  });
});

describe('JSON bodies', () => {
  const padded = (bytes: number) => credentials().padEnd(bytes, ' ');

  test('16 KiB are accepted, one byte more is 413', async () => {
    expect(await codeOf(logInWith(padded(16_384)))).toBe('invalid_credentials');
    const { code, detail } = await problemOf(await logInWith(padded(16_385)));
    expect(code).toBe('payload_too_large');
    expect(detail).toContain('16384');
  });

  test.each([
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON;Charset="UTF8"',
    'application/json; profile=x; charset=UTF-8',
  ])('%s is accepted', async (contentType) => {
    expect(await codeOf(logInWith(credentials(), { 'content-type': contentType }))).toBe(
      'invalid_credentials',
    );
  });

  test.each([
    'text/plain',
    'text/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json; charset=iso-8859-1',
    'application/json; charset=utf-16',
    'application/jsonx',
    'application/merge-patch+json',
    'application/json, text/plain',
    'nonsense',
  ])('%s is 415', async (contentType) => {
    expect(await codeOf(logInWith(credentials(), { 'content-type': contentType }))).toBe(
      'unsupported_media_type',
    );
  });

  test('a content type full of blanks is 415 at once, not after minutes of looking for a charset in them', async () => {
    const header = `application/json; charset=${' '.repeat(8000)}x"y`;
    expect(await codeOf(logInWith(credentials(), { 'content-type': header }))).toBe('unsupported_media_type');
  });

  test('no content type at all is 415', async () => {
    const reply = await rawRequest(app.host, 'POST /api/auth/login', [], credentials());
    expect(reply.status).toBe(415);
    expect(jsonOf(reply)['detail']).toContain('application/json');
  });

  test.each(['gzip', 'br', 'deflate', 'identity, gzip'])('Content-Encoding: %s is 415', async (encoding) => {
    expect(await codeOf(logInWith(credentials(), { 'content-encoding': encoding }))).toBe(
      'unsupported_media_type',
    );
  });

  test('Content-Encoding: identity is no encoding', async () => {
    expect(await codeOf(logInWith(credentials(), { 'content-encoding': 'identity' }))).toBe(
      'invalid_credentials',
    );
  });

  test.each<[string, string | Uint8Array]>([
    ['nothing', ''],
    ['white space', '   '],
    ['text', 'email=a'],
    ['a key twice', '{"email":"a@example.org","password":"x","email":"b@example.org"}'],
    [
      'a key twice, once escaped',
      String.raw`{"email":"a@example.org","password":"x","\u0065mail":"b@example.org"}`,
    ],
    ['a key twice further down', '{"email":{"a":{"b":1,"b":2}}}'],
    ['depth 33', `${'['.repeat(33)}${']'.repeat(33)}`],
    ['a raw NUL', '{"email":"a\0"}'],
    ['an escaped NUL', String.raw`{"email":"a\u0000"}`],
    ['half of a surrogate pair', String.raw`{"email":"\ud83d@example.org"}`],
    ['a byte-order mark', '\uFEFF{}'],
    ['no UTF-8', Uint8Array.of(0x7b, 0x22, 0xe9, 0x22, 0x3a, 0x31, 0x7d)],
    ['UTF-16', Buffer.from('{}', 'utf16le')],
  ])('malformed: %s', async (_what, body) => {
    const reply = await logInWith(body);
    expect(reply.status).toBe(400);
    expect((await problemOf(reply)).code).toBe('malformed_json');
  });

  test('depth 32 is no matter of form', async () => {
    expect(await codeOf(logInWith(`${'['.repeat(32)}${']'.repeat(32)}`))).toBe('validation_error');
  });

  test('a member named __proto__ is unknown like any other', async () => {
    const body = '{"email":"a@example.org","password":"x","__proto__":{"role":"admin"}}';
    const { code, errors } = await problemOf(await logInWith(body));
    expect(code).toBe('validation_error');
    expect(errors).toMatchObject([{ pointer: '/__proto__', code: 'unknown_field' }]);
  });

  /** The first member of a body that is one of several, so that its other members are looked at. */
  function firstChoice(body: unknown): string {
    if (!(body instanceof z.ZodDiscriminatedUnion)) return '';
    const { discriminator, options } = body.def as unknown as {
      discriminator: string;
      options: z.ZodObject[];
    };
    const [value] = options[0]?.shape[discriminator]?._zod.values ?? [];
    expect(value).toBeTypeOf('string');
    return `"${discriminator}":${JSON.stringify(value)},`;
  }

  test.each(
    endpoints.flatMap(({ body, method, route }) =>
      body === undefined ? [] : [[method, route, firstChoice(body)]],
    ),
  )('%s /%s refuses __proto__ at the top, as it does inside', async (method = '', route = '', choice) => {
    const { access_token: token } = await register(app, { role: 'admin' });
    const headers = { 'content-type': 'application/json' };
    const body = `{${choice}"__proto__":{"role":"admin"}}`;
    // Ids of records that may exist: a malformed one is refused before the body is read.
    const path = route.replaceAll('{id}', '1').replaceAll(/\{\w+\}/g, randomUUID());
    const reply = await app.request(`/${path}`, { method, body, headers, token });
    expect([400, 422]).toContain(reply.status);
    const { errors } = await problemOf(reply);
    expect(errors).toContainEqual(expect.objectContaining({ pointer: '/__proto__', code: 'unknown_field' }));
  });
});

describe('the connection survives a refusal', () => {
  const head = (path: string, ...headers: string[]) =>
    [`POST ${path} HTTP/1.1`, 'Host: app.test', ...headers, '', ''].join('\r\n');
  const next = 'GET /healthy HTTP/1.1\r\nHost: app.test\r\nConnection: close\r\n\r\n';
  const json = 'Content-Type: application/json';

  test('a chunked body is 411 with a word on what to do', async () => {
    const chunked = `${head('/api/auth/login', json, 'Transfer-Encoding: chunked')}2\r\n{}\r\n0\r\n\r\n`;
    const [refused, following] = await sendRaw(app.host, chunked, next);
    expect(refused?.status).toBe(411);
    expect(jsonOf(refused)).toMatchObject({ code: 'length_required', status: 411 });
    expect(jsonOf(refused)['detail']).toMatch(/Content-Length/);
    expect(following?.status).toBe(200);
  });

  test('so is a chunked upload, and one that claims a length besides', async () => {
    const { contentType } = multipart([]);
    const upload = head(
      '/api/diagnosis',
      `Content-Type: ${contentType}`,
      `Authorization: Bearer ${patient.access_token}`,
      'Content-Length: 3',
      'Transfer-Encoding: chunked',
    );
    const [refused, following] = await sendRaw(app.host, `${upload}3\r\nabc\r\n0\r\n\r\n`, next);
    expect([refused?.status, following?.status]).toEqual([411, 200]);
  });

  test('a body that is too large, of the wrong type or malformed is read to its end', async () => {
    const send = (type: string, body: string) =>
      head('/api/auth/login', `Content-Type: ${type}`, `Content-Length: ${body.length}`) + body;
    const replies = await sendRaw(
      app.host,
      send('application/json', 'x'.repeat(300_000)),
      send('text/plain', 'abc'),
      send('application/json', '{'),
      next,
    );
    expect(replies.map(({ status }) => status)).toEqual([413, 415, 400, 200]);
  });

  test('no body at all', async () => {
    const [refused, following] = await sendRaw(
      app.host,
      head('/api/auth/login', json, 'Content-Length: 0'),
      next,
    );
    expect(jsonOf(refused)['code']).toBe('malformed_json');
    expect(following?.status).toBe(200);
  });
});

test('the OpenAPI document that is served is the one that is checked in', async () => {
  const file = join(import.meta.dirname, '..', '..', 'docs', 'openapi.json');
  const served: unknown = await (await app.request('/api/openapi.json')).json();
  expect(served).toEqual(JSON.parse(readFileSync(file, 'utf8')));
});

describe('odd addresses', () => {
  test.each(['%00', 'a%00b', '%F0%9F', "'; DROP TABLE tenants; --", 'a'.repeat(3000), ' ', ''])(
    'a tenant that can be none does not exist: %s',
    async (slug) => {
      const reply = await app.request(`/api/auth/register?tenant=${slug}`, {
        json: { email: freshEmail(), password: goodPassword, role: 'patient' },
      });
      expect(reply.status).toBe(404);
      expect((await problemOf(reply)).code).toBe('tenant_not_found');
    },
  );

  test('the query wins over the header that names the tenant', async () => {
    const json = () => ({ email: freshEmail(), password: goodPassword, role: 'patient' });
    const headers = { 'x-tenant': 'nowhere' };
    expect((await app.request('/api/auth/register', { json: json(), headers })).status).toBe(404);
    expect((await app.request('/api/auth/register?tenant=default', { json: json(), headers })).status).toBe(
      201,
    );
  });
});

function jsonOf(reply: RawReply | undefined): Record<string, unknown> {
  return JSON.parse(reply?.text ?? '{}') as Record<string, unknown>;
}
