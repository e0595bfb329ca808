import { HttpRequest, type HttpResponseInit, InvocationContext } from '@azure/functions';
import { DatabaseError } from 'pg';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { AiFailure } from '../../../src/lib/ai/ai-failure.ts';
import type { AppContext } from '../../../src/lib/app/context.ts';
import { openAudit } from '../../../src/domain/platform/events/record-event.ts';
import { type AnyEndpoint, endpoint } from '../../../src/lib/http/endpoint.ts';
import { createMeters } from '../../../src/lib/telemetry/meters.ts';
import { createRequestMetrics } from '../../../src/lib/telemetry/request-metrics.ts';
import { serveNotFound } from '../../../src/lib/http/not-found.ts';
import { type Refusal, serve } from '../../../src/lib/http/serve.ts';
import { accountActor } from '../../support/account-actor.ts';
import { concerning, Problem, type ProblemCode } from '../../../src/contract/problem.ts';

// serve() without a host: what no endpoint of ours does on purpose. What they do: test/functions/.

const caller = accountActor({
  uuid: '0193a8f0-0000-7000-8000-000000000001',
  id: 11,
  tenantId: 22,
  sessionUuid: '0193a8f0-0000-7000-8000-000000000002',
});
const now = new Date('2026-01-02T03:04:05Z');
const context = {
  metrics: createRequestMetrics(createMeters()),
  config: { CORS_ORIGINS: ['https://portal.example.org'], TRUSTED_PROXY_HOPS: 1, LOG_LEVEL: 'debug' },
  clock: { now: () => now },
} as unknown as AppContext;

interface Sent {
  method?: string;
  path?: string;
  headers?: Record<string, string>;
  params?: Record<string, string>;
  body?: string;
}

interface Served {
  response: HttpResponseInit;
  headers: Record<string, string>;
  /** The parsed JSON body. */
  body: Record<string, unknown>;
  lines: Record<string, unknown>[];
  refusals: Refusal[];
}

/** One request to a handler as the host would make it. */
async function invoke(
  handlerOf: (hooks: Parameters<typeof serve>[2]) => ReturnType<typeof serve>,
  { method = 'GET', path = '/api/things', headers = {}, params = {}, body }: Sent = {},
  hooks: Partial<Parameters<typeof serve>[2]> = {},
): Promise<Served> {
  const lines: Record<string, unknown>[] = [];
  const refusals: Refusal[] = [];
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const request = new HttpRequest({
    method,
    url: `http://app.test${path}`,
    headers: { ...length, ...headers },
    params,
    ...(body !== undefined && { body: { string: body } }),
  });
  const invocation = new InvocationContext({
    functionName: 'getThings',
    logHandler: (_level, line) => void lines.push(JSON.parse(String(line)) as Record<string, unknown>),
  });
  const handler = handlerOf({
    authenticate: async () => ({ actor: caller, quotas: [] }),
    admitAnonymous: async ({ ipPrefix }) => ({ kind: 'anonymous', tenantId: 22, ipPrefix }),
    openAudit,
    recordRefusal: async (refusal) => void refusals.push(refusal),
    ...hooks,
  });
  const response = (await handler(request, invocation)) as HttpResponseInit;
  const text = typeof response.body === 'string' && response.body !== '' ? response.body : '{}';
  return {
    response,
    headers: response.headers as Record<string, string>,
    body: JSON.parse(text) as Record<string, unknown>,
    lines,
    refusals,
  };
}

const call = (of: AnyEndpoint, sent?: Sent, hooks?: Partial<Parameters<typeof serve>[2]>) =>
  invoke((all) => serve(of, context, all), sent, hooks);

const things = endpoint({
  name: 'getThings',
  method: 'GET',
  route: 'api/things',
  tag: 'Things',
  summary: 'Things',
  auth: 'public',
  audit: 'none',
  reply: { status: 200, description: '', body: z.object({ name: z.string() }) },
  problems: [],
  async handler() {
    return { name: 'a thing' };
  },
});

const with_ = (changes: Partial<AnyEndpoint>): AnyEndpoint => ({ ...things, ...changes }) as AnyEndpoint;
const throwing = (thrown: unknown, changes: Partial<AnyEndpoint> = {}) =>
  with_({
    ...changes,
    handler: () => {
      throw thrown;
    },
  });

describe('an unexpected error is a bare internal_error', () => {
  const secret = 'password=hunter2';
  const thrown: [string, unknown][] = [
    ['an error', new Error(secret)],
    ['an error with a code', Object.assign(new TypeError(secret), { code: 'ERR_SOMETHING' })],
    ['text', secret],
    ['nothing', undefined],
    ['an object', { status: 200, body: secret }],
    [
      'a database error',
      Object.assign(new DatabaseError(secret, 1, 'error'), { code: '23514', detail: secret }),
    ],
    ['a number that looks like a status', 404],
  ];

  test.each(thrown)('thrown: %s', async (_what, value) => {
    const { response, body, lines, headers } = await call(throwing(value), {
      headers: { 'x-request-id': 'r1' },
    });
    expect(response.status).toBe(500);
    expect(headers['content-type']).toBe('application/problem+json');
    expect(body).toEqual({
      type: 'urn:dermagate:problem:internal_error',
      title: 'Something went wrong on our side',
      status: 500,
      code: 'internal_error',
      requestId: 'r1',
    });
    expect(JSON.stringify([response, lines])).not.toContain('hunter2');
    expect(lines).toEqual([
      expect.objectContaining({ level: 'error', event: 'unexpected_error', requestId: 'r1' }),
      expect.objectContaining({ level: 'error', event: 'request', status: 500, code: 'internal_error' }),
    ]);
  });

  test('the log shows where an error came from', async () => {
    const { lines } = await call(throwing(new RangeError('x')));
    expect(lines[0]).toMatchObject({ error: 'RangeError', stack: expect.stringContaining('serve.test.ts') });
  });

  test('a rejected promise is no different from a throw', async () => {
    const { response } = await call(with_({ handler: () => Promise.reject(new Error('x')) }));
    expect(response.status).toBe(500);
  });

  test('a caller lookup that fails is no refusal of the caller', async () => {
    const authenticate = () => Promise.reject(new Error('x'));
    const sent = { headers: { authorization: 'Bearer abc' } };
    const { response } = await call(with_({ auth: 'any' }), sent, { authenticate });
    expect(response.status).toBe(500);
  });
});

describe('the reply is parsed', () => {
  test('members that its schema does not name never leave', async () => {
    const row = { name: 'a thing', password_hash: 'v2$…', deep: { secret: 1 } };
    const { body } = await call(with_({ handler: async () => row }));
    expect(body).toEqual({ name: 'a thing' });
  });

  test.each([[{ name: 7 }], [{}], [undefined], [null], ['a thing']])(
    'one that does not fit is an internal_error and leaks nothing: %j',
    async (result) => {
      const { response, body, lines } = await call(with_({ handler: async () => result }));
      expect(response.status).toBe(500);
      expect(body['code']).toBe('internal_error');
      expect(lines[0]).toMatchObject({ event: 'unexpected_error' });
    },
  );

  test('texts name their language; a reply without texts, and a refusal, does not', async () => {
    const sent = { path: '/api/things?lang=he' };
    const texts = with_({ sends: ['Content-Language'] });
    const sends = async (of: AnyEndpoint) => (await call(of, sent)).headers['content-language'];
    expect(await sends(texts)).toBe('he');
    expect(await sends(things)).toBeUndefined();
    expect(await sends(throwing(new Problem('not_found'), { sends: ['Content-Language'] }))).toBeUndefined();
  });

  test('a second status is chosen by what the handler returned', async () => {
    const reply = {
      ...things.reply,
      alternative: { status: 503, description: '', when: ({ name }: { name: string }) => name === 'ill' },
    } as AnyEndpoint['reply'];
    const well = await call(with_({ reply }));
    const ill = await call(with_({ reply, handler: async () => ({ name: 'ill' }) }));
    expect([well.response.status, ill.response.status]).toEqual([200, 503]);
    expect(ill.headers['content-type']).toBe('application/json');
  });

  test('no body, a raw body, and a raw body with a status of its own', async () => {
    const empty = await call(
      with_({ reply: { status: 204, description: '' }, handler: async () => ({ ignored: true }) }),
    );
    expect(empty.response).toMatchObject({ status: 204 });
    expect(empty.response.body).toBeUndefined();
    const raw = { status: 200, raw: 'text/html', description: '' };
    const page = await call(
      with_({ reply: raw, handler: async () => ({ body: '1', headers: { etag: '"x"' } }) }),
    );
    expect(page.response).toMatchObject({ status: 200, body: '1' });
    expect(page.headers).toMatchObject({ 'content-type': 'text/html', etag: '"x"' });
    const unchanged = await call(
      with_({ reply: raw, handler: async () => ({ status: 304, body: '', headers: {} }) }),
    );
    expect(unchanged.response.status).toBe(304);
  });

  test('HEAD is GET without the body', async () => {
    const get = await call(things);
    const head = await call(things, { method: 'HEAD' });
    expect(head.response.body).toBeUndefined();
    expect(head.headers).toEqual({ ...get.headers, 'x-request-id': head.headers['x-request-id'] });
    const refused = await call(throwing(new Problem('not_found')), { method: 'HEAD' });
    expect(refused.response).toMatchObject({ status: 404 });
    expect(refused.response.body).toBeUndefined();
  });
});

describe('known failures have their own replies', () => {
  test.each<[string, unknown, ProblemCode]>([
    ['a problem', new Problem('email_taken'), 'email_taken'],
    ['an AI service that is gone', new AiFailure('unavailable', 'red_flags'), 'ai_unavailable'],
    ['an AI service that talks nonsense', new AiFailure('invalid_reply', 'red_flags'), 'ai_invalid_reply'],
    ['an AI service that is slow', new AiFailure('timeout', 'red_flags'), 'ai_timeout'],
    ['a database that refuses', Object.assign(new Error('x'), { code: 'ECONNREFUSED' }), 'unavailable'],
  ])('%s', async (_what, thrown, code) => {
    const { response, body } = await call(throwing(thrown));
    expect(body['code']).toBe(code);
    expect(response.status).toBe(body['status']);
  });

  test('a database outage names when to retry and nothing about the database', async () => {
    const thrown = Object.assign(new Error('connect ECONNREFUSED 10.1.2.3:5432'), { code: 'ECONNREFUSED' });
    const { headers, body, lines } = await call(throwing(thrown));
    expect(headers['retry-after']).toBe('2');
    expect(JSON.stringify([body, lines])).not.toContain('10.1.2.3');
  });

  test("a problem's own headers are sent", async () => {
    const { headers } = await call(
      throwing(new Problem('rate_limited', { headers: { 'retry-after': '42' } })),
    );
    expect(headers['retry-after']).toBe('42');
  });
});

describe('the caller is checked before anything else', () => {
  const sent = (authorization?: string): Sent => ({
    method: 'POST',
    body: '{ this is no JSON',
    headers: { 'content-type': 'application/json', ...(authorization !== undefined && { authorization }) },
  });
  const body = z.strictObject({});

  test('no body is parsed for a caller who may not come in', async () => {
    const unknown = await call(with_({ auth: 'any', body }), sent());
    expect(unknown.body['code']).toBe('authentication_required');
    const wrongRole = await call(with_({ auth: 'admin-level', body }), sent('Bearer abc'));
    expect(wrongRole.body['code']).toBe('forbidden');
    const known = await call(with_({ auth: 'any', body }), sent('Bearer abc'));
    expect(known.body['code']).toBe('malformed_json');
  });

  test.each([
    ['', 'Bearer realm="dermagate"'],
    ['Basic dXNlcjpwYXNz', 'Bearer realm="dermagate"'],
    ['Bearer', 'Bearer realm="dermagate"'],
    ['Bearer ', 'Bearer realm="dermagate"'],
    ['Bearer a, Bearer b', 'Bearer realm="dermagate"'],
    ['Bearer a b', 'Bearer realm="dermagate"'],
    ['abc', 'Bearer realm="dermagate"'],
  ])('"Authorization: %s" is no token', async (authorization, challenge) => {
    for (const auth of ['any', 'optional', 'any-unless-public-ai'] as const) {
      const { response, headers, body } = await call(with_({ auth }), { headers: { authorization } });
      expect(response.status).toBe(401);
      expect(body['code']).toBe('authentication_required');
      expect(headers['www-authenticate']).toBe(challenge);
    }
  });

  test.each(['bearer abc', 'BEARER abc', 'Bearer   abc ', 'Bearer abc'])(
    '"%s" is one',
    async (authorization) => {
      const tokens: string[] = [];
      const authenticate = async (token: string) => {
        tokens.push(token);
        return { actor: caller, quotas: [] };
      };
      const { response } = await call(
        with_({ auth: 'any' }),
        { headers: { authorization } },
        { authenticate },
      );
      expect(response.status).toBe(200);
      expect(tokens).toEqual(['abc']);
    },
  );

  test('a public endpoint ignores a token, an optional one insists that it is valid', async () => {
    const authenticate = () => Promise.reject(new Problem('token_expired'));
    const headers = { authorization: 'Bearer abc' };
    const open = await call(with_({ auth: 'public' }), { headers }, { authenticate });
    const optional = await call(with_({ auth: 'optional' }), { headers }, { authenticate });
    const without = await call(with_({ auth: 'optional' }), {}, { authenticate });
    expect([open, optional, without].map(({ response }) => response.status)).toEqual([200, 401, 200]);
  });

  test.each([
    ['any', ['patient', 'physician', 'admin']],
    ['optional', ['patient', 'physician', 'admin']],
    ['any-unless-public-ai', ['patient', 'physician', 'admin']],
    ['physician-level', ['physician', 'admin']],
    ['admin-level', ['admin']],
  ] as const)('%s lets in %j', async (auth, welcome) => {
    for (const role of ['patient', 'physician', 'admin'] as const) {
      const sent = { headers: { authorization: 'Bearer abc' } };
      const { response, body } = await call(with_({ auth }), sent, {
        authenticate: async () => ({ actor: { ...caller, role }, quotas: [] }),
      });
      const isWelcome = (welcome as readonly string[]).includes(role);
      expect(response.status).toBe(isWelcome ? 200 : 403);
      if (!isWelcome) expect(body['code']).toBe('forbidden');
    }
  });
});

describe('the log has one line for a request', () => {
  test('with function, status, duration, user, tenant and request id', async () => {
    const headers = { authorization: 'Bearer abc', 'x-request-id': 'r1' };
    const { lines } = await call(with_({ auth: 'any' }), { headers, path: '/api/things?token=secret' });
    expect(lines).toEqual([
      {
        level: 'info',
        event: 'request',
        requestId: 'r1',
        function: 'getThings',
        status: 200,
        ms: expect.any(Number),
        user: caller.uuid,
        tenant: caller.tenantId,
      },
    ]);
  });

  test('also when nothing is there, or nothing answers that method', async () => {
    const routes = [{ method: 'GET', route: 'api/things' }];
    const missing = await invoke(() => serveNotFound(routes, context), { path: '/nowhere?token=secret' });
    const method = await invoke(() => serveNotFound(routes, context), { method: 'DELETE' });
    const preflight = await invoke(() => serveNotFound(routes, context), { method: 'OPTIONS' });
    const statuses = [missing, method, preflight].map(({ lines }) => lines.map(({ status }) => status));
    expect(statuses).toEqual([[404], [405], [204]]);
    expect(JSON.stringify(missing.lines)).not.toContain('secret');
  });
});

describe('refusals of an audited endpoint are recorded', () => {
  const audit = { category: 'auth', success: 'did_it', refusal: 'did_not' } as const;
  const refuse = (code: ProblemCode, changes: Partial<AnyEndpoint> = {}) =>
    call(throwing(new Problem(code), { audit, ...changes }), { headers: { authorization: 'Bearer abc' } });

  test('with who, what and why', async () => {
    const { refusals } = await refuse('email_taken', { auth: 'any' });
    expect(refusals).toEqual([
      expect.objectContaining({
        audit,
        actor: caller,
        about: {},
        problem: expect.objectContaining({ code: 'email_taken' }),
        request: expect.objectContaining({ receivedAt: now }),
      }),
    ]);
  });

  test.each([
    ['a problem', new Problem('invalid_credentials', { about: { tenantId: 5, userId: 6, reason: 'x' } })],
    ['an error of another kind', new AiFailure('timeout', 'triage')],
  ])('%s carries the known facts about an anonymous caller', async (_what, thrown) => {
    const handler = () => concerning({ tenantId: 5, userId: 6, reason: 'x' }, () => Promise.reject(thrown));
    const { refusals, lines } = await call(with_({ audit, handler }));
    const about = { tenantId: 5, userId: 6, reason: 'x' };
    expect(refusals).toEqual(thrown instanceof Problem ? [expect.objectContaining({ about })] : []);
    expect(lines).toContainEqual(expect.objectContaining({ event: 'request', tenant: 5 }));
  });

  test('caller facts of the error take precedence over those of the enclosing block', async () => {
    const thrown = new Problem('invalid_credentials', { about: { userId: 7 } });
    const handler = () => concerning({ tenantId: 5, userId: 6 }, () => Promise.reject(thrown));
    const { refusals } = await call(with_({ audit, handler }));
    expect(refusals).toEqual([expect.objectContaining({ about: { tenantId: 5, userId: 7 } })]);
  });

  test.each(['validation_error', 'malformed_json', 'payload_too_large', 'unavailable', 'busy'] as const)(
    'but no %s: it says nothing about security',
    async (code) => {
      expect((await refuse(code)).refusals).toEqual([]);
    },
  );

  test('a refused role is recorded, whatever the endpoint declares', async () => {
    const { refusals } = await refuse('forbidden', { audit: 'none' });
    expect(refusals).toMatchObject([{ audit: { category: 'auth', refusal: 'authz_fail' } }]);
  });

  test('a failed call of the AI service is not recorded twice: who made it has recorded it', async () => {
    for (const code of ['ai_unavailable', 'ai_invalid_reply', 'ai_timeout'] as const) {
      expect((await refuse(code)).refusals).toEqual([]);
    }
  });

  test('a refusal stands when it cannot be recorded', async () => {
    const recordRefusal = () => Promise.reject(new Error('no database'));
    const { response, lines } = await call(
      throwing(new Problem('email_taken'), { audit }),
      {},
      { recordRefusal },
    );
    expect(response.status).toBe(409);
    expect(lines).toContainEqual(
      expect.objectContaining({ level: 'error', event: 'audit_failed', action: 'did_not' }),
    );
  });
});

describe('path parameters', () => {
  test('that name nothing are 404, like an unknown one', async () => {
    const params = z.object({ id: z.uuid() });
    const { response, body } = await call(with_({ params }), { params: { id: 'x' } });
    expect(response.status).toBe(404);
    expect(body['code']).toBe('not_found');
    expect(body).not.toHaveProperty('errors');
  });

  test('reach the handler only when the endpoint declares them', async () => {
    let seen: unknown;
    const handler = async ({ params }: { params: unknown }) => {
      seen = params;
      return { name: 'x' };
    };
    await call(with_({ handler }), { params: { id: 'x' } });
    expect(seen).toBeUndefined();
    await call(with_({ params: z.object({ id: z.string() }), handler }), { params: { id: 'x', other: 'y' } });
    expect(seen).toEqual({ id: 'x' });
  });
});
