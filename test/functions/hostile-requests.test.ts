import fc from 'fast-check';
import { expect, test } from 'vitest';
import { endpoints } from '../../src/endpoints.ts';
import { problemsOf } from '../../src/lib/http/endpoint-problems.ts';
import type { ProblemCode } from '../../src/contract/problem.ts';
import { type RawReply, request as rawRequest } from '../../dev/packages/functions-host/test/running-host.ts';
import { goodPassword, register } from '../support/accounts.ts';
import { testApp } from '../support/app.ts';
import { anamnesis, anamnesisPart, imagePart } from '../support/diagnosis.ts';
import { skinPhoto } from '../support/images.ts';
import { multipart } from '../support/multipart.ts';
import { propertyRuns } from '../support/property-runs.ts';
import { webPubSub } from '../support/web-pubsub.ts';

// For any bytes that arrive: an answer, never a 5xx of ours, and problem+json where the app answered at all.

// Nothing is left unconfigured, which would be a reason to answer 503.
const { connectionString } = await webPubSub();
const app = await testApp({
  env: { CORS_ORIGINS: 'https://portal.example.org', WEBPUBSUB_CONNECTION_STRING: connectionString },
});
const { access_token: token, email } = await register(app, { role: 'admin' });
const photo = await skinPhoto({ width: 32, height: 24, format: 'jpeg' });
const form = multipart([imagePart(photo), anamnesisPart()]);

/** What a client can send in one line. */
const oddText = fc
  .oneof(
    fc.constantFrom(
      '',
      ' ',
      ',',
      ';',
      '"',
      '%00',
      '%',
      '\\',
      '\t',
      'null',
      'undefined',
      'NaN',
      '-1',
      '*',
      '../..',
      '{}',
      '[object Object]',
    ),
    fc.constantFrom(
      "' OR 1=1 --",
      '$(id)',
      '{{7*7}}',
      '<script>',
      '__proto__',
      'constructor',
      'é',
      '\u05e9\u05dc\u05d5\u05dd',
      '😀',
      '\u2028',
    ),
    fc.string({ unit: 'grapheme-ascii', maxLength: 40 }),
    fc.string({ minLength: 500, maxLength: 2000, unit: fc.constantFrom('a', '1', '-', ',', ' ') }),
  )
  .map((text) => text.replaceAll(/[\r\n\0]/g, ''));

/** Beyond Latin-1 the Azure library itself fails, before any code of ours: see the last test. */
const headerText = oddText.filter((text) => Array.from(text).every((each) => each <= '\u00ff'));

const header = fc.oneof(
  fc.tuple(
    fc.constantFrom(
      'Authorization',
      'X-Request-Id',
      'X-Tenant',
      'Accept-Language',
      'Origin',
      'Traceparent',
      'User-Agent',
      'Cookie',
      'Accept',
      'If-None-Match',
      'If-Match',
      'Range',
      'X-Forwarded-For',
      'X-Forwarded-Host',
      'Forwarded',
      'Content-Encoding',
      'Content-Language',
      'Access-Control-Request-Method',
      'Idempotency-Key',
      'X-HTTP-Method-Override',
      'X-Csrf-Token',
      'Content-Type',
    ),
    headerText,
  ),
  fc.constantFrom<[string, string]>(
    ['Authorization', `Bearer ${token}`],
    ['Authorization', `Bearer ${token.slice(0, -2)}`],
    ['X-Forwarded-For', 'fe80::1%eth0, ::ffff:1.2.3.4'],
    ['Traceparent', '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'],
    ['If-None-Match', '*'],
    ['Idempotency-Key', 'abc'],
  ),
);

const types = fc.constantFrom(
  'application/json',
  'application/json',
  'application/json; charset=utf-8',
  form.contentType,
  form.contentType,
  'multipart/form-data',
  'multipart/form-data; boundary=',
  'text/plain',
  'image/jpeg',
  '',
);

const anyJson = fc.oneof(
  fc.json(),
  fc
    .record(
      {
        email: fc.oneof(fc.constant(email), fc.string(), fc.jsonValue()),
        password: fc.oneof(fc.constant(goodPassword), fc.string(), fc.jsonValue()),
        new_password: fc.oneof(fc.string(), fc.jsonValue()),
        current_password: fc.string(),
        role: fc.oneof(fc.constantFrom('patient', 'admin', 'root'), fc.jsonValue()),
        refresh_token: fc.oneof(
          fc.string().map((text) => `dgr_${text}`),
          fc.jsonValue(),
        ),
        token: fc.oneof(
          fc.string().map((text) => `dgp_${text}`),
          fc.jsonValue(),
        ),
        patient: fc.jsonValue(),
        lesion: fc.jsonValue(),
        imageUrl: fc.webUrl(),
      },
      { requiredKeys: [] },
    )
    .map((value) => JSON.stringify(value)),
  fc
    .dictionary(fc.constantFrom(...Object.keys(anamnesis)), fc.jsonValue())
    .map((value) => JSON.stringify({ ...anamnesis, ...value })),
);
const body = fc.oneof<fc.Arbitrary<string | Uint8Array>[]>(
  anyJson,
  fc.uint8Array({ maxLength: 300 }),
  fc.constant(form.body),
  fc
    .tuple(fc.nat(form.body.length), fc.uint8Array({ maxLength: 20 }))
    .map(([at, bytes]) =>
      Buffer.concat([form.body.subarray(0, at), bytes, form.body.subarray(at + bytes.length)]),
    ),
  fc.constant(''),
);

const target = fc
  .tuple(
    fc.constantFrom(...endpoints),
    oddText,
    fc.array(fc.tuple(fc.constantFrom('lang', 'tenant', 'code', 'x', '__proto__', ''), oddText), {
      maxLength: 3,
    }),
  )
  .map(([{ route }, value, query]) => {
    const path = route.replaceAll(/\{[^}]+\}/g, () => encodeURIComponent(value.toWellFormed()) || 'x');
    const pairs = query.map(
      ([name, text]) => `${name}=${encodeURIComponent(text.toWellFormed()).replaceAll('%25', '%')}`,
    );
    return `/${path}${pairs.length > 0 ? `?${pairs.join('&')}` : ''}`;
  });

const methods = fc.constantFrom('GET', 'POST', 'POST', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS');

function expectAnAnswer(reply: RawReply) {
  expect([reply.status, reply.status < 500 ? '' : reply.text]).toEqual([reply.status, '']);
  // Without a request id it was the host that answered: a bad request line, a header that is too large.
  if (reply.headers['x-request-id'] === undefined) {
    expect([400, 404, 414, 431]).toContain(reply.status);
    return;
  }
  if (reply.status < 400 || reply.text === '') return;
  expect(reply.headers['content-type']).toEqual(['application/problem+json']);
  const problem = problemOf(reply);
  expect(problem.status).toBe(reply.status);
  expect(reply.headers['x-request-id']).toEqual([problem.requestId]);
}

const problemOf = ({ text }: RawReply) =>
  JSON.parse(text) as { status: number; code: ProblemCode; requestId: string };

test('any request gets an answer that is no 5xx', async () => {
  const request = fc.record({
    method: methods,
    target,
    type: types,
    headers: fc.array(header, { maxLength: 5 }),
    body,
  });
  await fc.assert(
    fc.asyncProperty(request, async ({ method, target, type, headers, body }) => {
      const lines = [
        ...(type === '' ? [] : [`Content-Type: ${type}`]),
        ...headers.map(([name, text]) => `${name}: ${text}`),
      ];
      expectAnAnswer(await rawRequest(app.host, `${method} ${target}`, lines, body));
    }),
    { numRuns: propertyRuns(200) },
  );
});

test('any authenticated body at every endpoint gets an answer that its contract names', async () => {
  const posts = endpoints.filter(({ method }) => method !== 'GET' && method !== 'DELETE');
  const request = fc.record({ endpoint: fc.constantFrom(...posts), body });
  await fc.assert(
    fc.asyncProperty(request, async ({ endpoint, body }) => {
      const { method, route, multipart: parts } = endpoint;
      const type = parts === undefined ? 'application/json' : form.contentType;
      // Ending one's own session would end the test.
      const authorization = /logout|refresh|password/.test(route) ? [] : [`Authorization: Bearer ${token}`];
      const path = route.replaceAll(/\{[^}]+\}/g, 'x');
      const lines = [`Content-Type: ${type}`, ...authorization];
      const reply = await rawRequest(app.host, `${method} /${path}`, lines, body);
      expectAnAnswer(reply);
      if (reply.status >= 400) expect(problemsOf(endpoint)).toContain(problemOf(reply).code);
    }),
    { numRuns: propertyRuns(200) },
  );
});

test('and the app is as well as before, with nothing unexpected in its log', async () => {
  expect((await app.request('/health')).status).toBe(200);
  const faults = app.output.filter((line) => /unexpected_error|audit_failed|Failed, Id=/.test(line));
  expect(faults.map((line) => line.slice(0, 300))).toEqual([]);
});

test('a header beyond Latin-1, which the Azure library cannot read, is refused and does no harm', async () => {
  const reply = await rawRequest(app.host, 'GET /healthy', ['X-Note: \u05e9\u05dc\u05d5\u05dd']);
  expect(reply.status).toBeGreaterThanOrEqual(400);
  expect(reply.text).toBe('');
  expect((await app.request('/healthy')).status).toBe(200);
});
