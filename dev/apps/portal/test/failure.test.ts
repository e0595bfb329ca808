import { expect, test } from 'vitest';
import { attempt } from '../src/gateway/attempt.ts';
import { failureOf, failureOfNoReply } from '../src/gateway/failure.ts';

const reply = (status: number, headers: Record<string, string> = {}) =>
  new Response(null, { status, headers });
const problem = (code: string, status: number, more: object = {}) => ({
  type: `urn:dermagate:problem:${code}`,
  title: '',
  status,
  code,
  requestId: 'r-1',
  ...more,
});

test('refused fields are found by their pointers', () => {
  const errors = [{ pointer: '/password', code: 'password_too_short', message: 'x' }];
  expect(failureOf(problem('validation_error', 400, { errors }), reply(400))).toEqual({
    code: 'validation_error',
    fields: { '/password': 'password_too_short' },
    requestId: 'r-1',
  });
});

test('Retry-After is read in both of its forms', () => {
  const { retryAfter } = failureOf(problem('rate_limited', 429), reply(429, { 'retry-after': '40' }));
  expect(retryAfter).toBe(40);
  const past = reply(503, { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' });
  expect(failureOf(problem('busy', 503), past).retryAfter).toBe(0);
});

test('the reply of a proxy and codes newer than the portal have a text too', () => {
  expect(failureOf('<html>Bad gateway</html>', reply(502)).code).toBe('internal_error');
  expect(failureOf(problem('brand_new', 418), reply(418)).code).toBe('unexpected');
});

test('a refused token ends the session, a wrong password does not', () => {
  expect(failureOf(problem('invalid_credentials', 401), reply(401)).signedOut).toBeUndefined();
  expect(failureOf(problem('token_expired', 401), reply(401)).signedOut).toBe(true);
});

test('no network and a timeout have different texts', () => {
  expect(failureOfNoReply(new TypeError('fetch failed')).code).toBe('offline');
  expect(failureOfNoReply(new DOMException('', 'TimeoutError')).code).toBe('no_answer');
});

test('an attempt ends in an outcome, unless its caller aborts it', async () => {
  expect(await attempt(async () => ({ data: 7, response: reply(200) }))).toEqual({ ok: true, value: 7 });
  expect(await attempt(() => Promise.reject(new TypeError('fetch failed')))).toMatchObject({ ok: false });
  const left = AbortSignal.abort();
  await expect(attempt((signal) => Promise.reject(signal.reason as Error), left)).rejects.toThrow();
});
