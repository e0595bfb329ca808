import { createDermagate, inMemory } from 'dermagate-client';
import { expect, test } from 'vitest';
import { attempt } from '../src/gateway/attempt.ts';
import type { Failure } from '../src/gateway/failure.ts';

const problem = (code: string, status: number, more: object = {}) => ({
  type: `urn:dermagate:problem:${code}`,
  title: '',
  status,
  code,
  requestId: 'r-1',
  ...more,
});
const reply = (body: object, status: number, headers: Record<string, string> = {}) =>
  Response.json(body, { status, headers });

/** The failure of a call that a gateway answers like this. */
async function failureOf(answer: () => Response | Promise<Response>): Promise<Failure | undefined> {
  const api = createDermagate({
    baseUrl: 'https://gateway.example',
    tokens: inMemory(),
    fetch: async () => await answer(),
    retry: false,
  });
  const outcome = await attempt(() => api.session.me());
  return outcome.ok ? undefined : outcome.failure;
}

test('refused fields are found by their pointers', async () => {
  const errors = [{ pointer: '/password', code: 'password_too_short', message: 'x' }];
  expect(await failureOf(() => reply(problem('validation_error', 400, { errors }), 400))).toEqual({
    code: 'validation_error',
    reason: 'validation_error',
    fields: { '/password': 'password_too_short' },
    requestId: 'r-1',
  });
});

test('Retry-After is read in both of its forms', async () => {
  const limited = await failureOf(() => reply(problem('rate_limited', 429), 429, { 'retry-after': '40' }));
  expect(limited?.retryAfter).toBe(40);
  const past = { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' };
  expect((await failureOf(() => reply(problem('busy', 503), 503, past)))?.retryAfter).toBe(0);
});

test('the reply of a proxy and codes newer than the portal have a text too', async () => {
  const proxy = () => new Response('<html>Bad gateway</html>', { status: 502 });
  expect((await failureOf(proxy))?.code).toBe('internal_error');
  expect((await failureOf(() => new Response('<html>Sign in to this network</html>')))?.code).toBe(
    'unexpected',
  );
  expect((await failureOf(() => reply(problem('brand_new', 418), 418)))?.code).toBe('unexpected');
});

test('a refused token ends the session, a wrong password and the page of a proxy do not', async () => {
  const wrong = await failureOf(() => reply(problem('invalid_credentials', 401), 401));
  expect(wrong).toMatchObject({ code: 'invalid_credentials' });
  expect(wrong?.signedOut).toBeUndefined();
  const proxy = await failureOf(() => new Response('<h1>Sign in to this network</h1>', { status: 401 }));
  expect(proxy).toMatchObject({ code: 'unexpected' });
  expect(proxy?.signedOut).toBeUndefined();
  expect((await failureOf(() => reply(problem('token_expired', 401), 401)))?.signedOut).toBe(true);
});

test('no network and a timeout have different texts', async () => {
  expect((await failureOf(() => Promise.reject(new TypeError('fetch failed'))))?.code).toBe('offline');
  const late = () => Promise.reject(new DOMException('', 'TimeoutError'));
  expect((await failureOf(late))?.code).toBe('no_answer');
});

test('an attempt ends in an outcome, unless its caller aborts it', async () => {
  expect(await attempt(async () => 7)).toEqual({ ok: true, value: 7 });
  const left = AbortSignal.abort(new Error('left'));
  const api = createDermagate({ baseUrl: 'https://gateway.example', tokens: inMemory() });
  await expect(attempt((signal) => api.session.me({ signal }), left)).rejects.toThrow('left');
});
