import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { DermagateError, inMemory, type Language, type TokenStore } from '../src/index.ts';
import { pair, pairOf, problem, signedInClient } from './scripted-gateway.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const PROFILES = '/api/v1/mobile/users/profiles';
const CASES = '/api/v1/mobile/cases/create';

/** A client whose access token is valid, and which gets these replies in turn. */
function answered(path: string, ...replies: (() => Response | Promise<Response>)[]) {
  const client = signedInClient({ tokens: inMemory(pair(1)) });
  client.gateway.replies[path] = async () => {
    const reply = replies.shift() ?? (() => Response.json({ uuid: 'case' }));
    return await reply();
  };
  return client;
}

/** What the call ends in, while all waits pass. */
async function outcome(call: Promise<unknown>): Promise<unknown> {
  const settled = call.catch((error: unknown) => error);
  for (let n = 0; n < 200; n++) await vi.advanceTimersByTimeAsync(500);
  return await settled;
}

const broken = () => Promise.reject(new TypeError('fetch failed'));
const busy = (status: number, seconds: string) => () => problem(status, 'busy', { 'retry-after': seconds });

describe('an error has', () => {
  test('all that the problem says', async () => {
    const errors = [{ pointer: '/anamnesis', code: 'required', message: 'x' }];
    const body = {
      type: 'urn:dermagate:problem:case_state_conflict',
      title: 'Not in this state',
      detail: 'The case is queued.',
      status: 409,
      code: 'case_state_conflict',
      requestId: 'r-7',
      errors,
      allowed_actions: ['cancel'],
    };
    const headers = { 'content-type': 'application/problem+json', ratelimit: '"x";r=3' };
    const { api } = answered(CASES, () => Response.json(body, { status: 409, headers }));
    const error = await outcome(api.cases.create({ anamnesis: {} }));
    expect(error).toBeInstanceOf(DermagateError);
    expect(error).toMatchObject({
      name: 'DermagateError',
      message: 'The case is queued.',
      code: 'case_state_conflict',
      status: 409,
      title: 'Not in this state',
      detail: 'The case is queued.',
      errors,
      requestId: 'r-7',
      retryAfter: undefined,
      problem: body,
    });
    expect((error as DermagateError).headers.get('ratelimit')).toBe('"x";r=3');
  });

  test.each([
    ['40', 40],
    ['Wed, 21 Oct 2015 07:28:00 GMT', 0],
  ])('the seconds of Retry-After: %s', async (value, retryAfter) => {
    const { api } = answered(PROFILES, busy(429, value), busy(429, value), busy(429, value));
    expect(await outcome(api.profiles.list())).toMatchObject({ code: 'busy', retryAfter });
  });

  test.each([
    [
      'a proxy',
      () => new Response('<h1>Bad gateway</h1>', { status: 502, headers: { 'x-request-id': 'p' } }),
      502,
    ],
    ['a captive portal', () => new Response('<h1>Welcome</h1>'), undefined],
    ['a proxy that is empty', () => new Response('', { status: 200 }), 200],
  ])('unexpected_reply for the page of %s', async (_, reply, status) => {
    const { api } = answered(PROFILES, reply);
    expect(await outcome(api.profiles.list())).toMatchObject({ code: 'unexpected_reply', status });
  });

  test('no_reply when none arrives', async () => {
    const { api } = answered(CASES, broken);
    expect(await outcome(api.cases.create({ anamnesis: {} }))).toMatchObject({
      code: 'no_reply',
      status: undefined,
      errors: [],
      cause: expect.any(TypeError),
    });
  });
});

describe('what is safe to repeat', () => {
  const key = { idempotencyKey: 'the-only-case' };

  test('is repeated until a reply arrives: reads, and writes with a key', async () => {
    const reads = answered(PROFILES, broken, busy(503, '3'), () => Response.json({ profiles: [] }));
    expect(await outcome(reads.api.profiles.list())).toEqual({ profiles: [] });
    expect(reads.gateway.to(PROFILES)).toHaveLength(3);

    const progress = () => problem(409, 'idempotency_in_progress');
    const writes = answered(CASES, broken, progress);
    expect(await outcome(writes.api.cases.create({ anamnesis: {} }, key))).toEqual({ uuid: 'case' });
    const keys = writes.gateway.to(CASES).map(({ request }) => request.headers.get('idempotency-key'));
    expect(keys).toEqual([key.idempotencyKey, key.idempotencyKey, key.idempotencyKey]);
  });

  test.each([
    ['a write without a key', {}, broken, 'no_reply'],
    ['a reply that asks for a long wait', key, busy(503, '11'), 'busy'],
    ['a reply that names no time', key, () => problem(503, 'unavailable'), 'unavailable'],
    ['a refusal', key, () => problem(422, 'case_incomplete'), 'case_incomplete'],
    ['what the call does not want repeated', { ...key, retry: false as const }, broken, 'no_reply'],
  ])('%s is not repeated', async (_, options, reply, code) => {
    const { api, gateway } = answered(CASES, reply);
    expect(await outcome(api.cases.create({ anamnesis: {} }, options))).toMatchObject({ code });
    expect(gateway.to(CASES)).toHaveLength(1);
  });

  test('is sent as often as the call says', async () => {
    const replies = Array.from({ length: 9 }, () => broken);
    const { api, gateway } = answered(PROFILES, ...replies);
    expect(await outcome(api.profiles.list())).toMatchObject({ code: 'no_reply' });
    expect(gateway.to(PROFILES)).toHaveLength(3);
    await outcome(api.profiles.list({ retry: { attempts: 5 } }));
    expect(gateway.to(PROFILES)).toHaveLength(3 + 5);
  });

  test.each([
    ['another user signs in', (tokens: TokenStore) => tokens.save(pairOf('ben'))],
    ['its user signs out', (tokens: TokenStore) => tokens.clear()],
  ])('is not repeated once %s', async (_, change) => {
    for (const reply of [broken, busy(503, '5')]) {
      const tokens = inMemory(pairOf('ann'));
      const { api, gateway } = signedInClient({ tokens });
      gateway.replies[CASES] = reply;
      const created = outcome(api.cases.create({ anamnesis: {} }, key));
      await vi.advanceTimersByTimeAsync(10);
      await change(tokens);
      expect(await created).toMatchObject({ code: reply === broken ? 'no_reply' : 'busy' });
      const sent = gateway.to(CASES).map(({ authorization }) => authorization);
      expect(sent).toEqual([`Bearer ${pairOf('ann').access_token}`]);
    }
  });

  test('is repeated with the new tokens of the same user', async () => {
    const tokens = inMemory(pairOf('ann'));
    const { api, gateway } = signedInClient({ tokens });
    gateway.replies[CASES] = ({ headers }) =>
      headers.get('authorization')?.endsWith('.2') === true ? Response.json({ uuid: 'case' }) : broken();
    const created = outcome(api.cases.create({ anamnesis: {} }, key));
    await vi.advanceTimersByTimeAsync(10);
    tokens.save(pairOf('ann', 2));
    expect(await created).toEqual({ uuid: 'case' });
  });

  test('is repeated after a longer wait where the call says so', async () => {
    const { api, gateway } = answered(PROFILES, busy(429, '20'), () => Response.json({ profiles: [] }));
    const list = api.profiles.list({ retry: { longestWait: 30 } });
    expect(await outcome(list)).toEqual({ profiles: [] });
    expect(gateway.to(PROFILES)).toHaveLength(2);
  });
});

const never = ({ signal }: Request) =>
  new Promise<Response>((_, reject) => {
    signal.throwIfAborted();
    signal.addEventListener('abort', () => reject(signal.reason as Error));
  });

test('a call that takes too long is a timeout, and is not repeated', async () => {
  const { api, gateway } = signedInClient({ tokens: inMemory(pair(1)), timeout: 2000 });
  gateway.replies[PROFILES] = never;
  expect(await outcome(api.profiles.list())).toMatchObject({ code: 'timeout', status: undefined });
  expect(gateway.to(PROFILES)).toHaveLength(1);
});

test('an abort by the caller rejects with its reason, during any wait of the call', async () => {
  const { api, gateway } = signedInClient({ tokens: inMemory(pair(1)) });
  const left = new Error('left');
  gateway.replies[PROFILES] = never;
  const whileSent = new AbortController();
  const sent = api.profiles.list({ signal: whileSent.signal });
  await vi.advanceTimersByTimeAsync(10);
  whileSent.abort(left);
  await expect(sent).rejects.toBe(left);

  gateway.replies[PROFILES] = busy(503, '9');
  const whileWaiting = new AbortController();
  const waiting = api.profiles.list({ signal: whileWaiting.signal });
  waiting.catch(() => {});
  await vi.advanceTimersByTimeAsync(1000);
  whileWaiting.abort(left);
  await expect(waiting).rejects.toBe(left);

  const before = gateway.sent.length;
  await expect(api.profiles.list({ signal: AbortSignal.abort(left) })).rejects.toBe(left);
  expect(gateway.sent).toHaveLength(before);
});

test('texts come in the language of the client at that time, or of the call', async () => {
  let language: Language | undefined;
  const { api, gateway } = signedInClient({ tokens: inMemory(pair(1)), language: () => language });
  await api.cases.list();
  language = 'ar';
  await api.cases.list();
  await api.cases.list({}, { lang: 'he' });
  expect(gateway.sent.map(({ request }) => new URL(request.url).searchParams.get('lang'))).toEqual([
    null,
    'ar',
    'he',
  ]);
});

test('without XMLHttpRequest the end of an upload is its progress', async () => {
  const { api } = answered('/api/common/store_images', () => Response.json({ images: [] }, { status: 201 }));
  const seen: number[] = [];
  await api.images.upload([new Blob(['x'])], { onProgress: (fraction) => seen.push(fraction) });
  expect(seen).toEqual([1]);
});
