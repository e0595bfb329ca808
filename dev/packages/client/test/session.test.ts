import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createDermagate, inMemory, isProblem, type TokenStore } from '../src/index.ts';
import { pair, problem, scriptedGateway, signedInClient } from './scripted-gateway.ts';

const REFRESH = '/api/auth/refresh';
const ME = '/api/auth/me';

const many = <Result>(call: () => Promise<Result>) => Promise.all(Array.from({ length: 20 }, call));

describe('which requests carry a token', () => {
  test('all requests of a signed-in user', async () => {
    const { api, gateway } = signedInClient({ tokens: inMemory(pair(1)) });
    expect((await api.GET(ME)).data).toEqual({ uuid: 'me' });
    expect(gateway.sent.map(({ authorization }) => authorization)).toEqual(['Bearer access-1']);
  });

  test('no request without a signed-in user, and the caller gets a refusal unchanged', async () => {
    const { api, gateway } = signedInClient({ tokens: inMemory() });
    const { error, response } = await api.GET(ME);
    expect([response.status, error?.code]).toEqual([401, 'authentication_required']);
    expect(gateway.sent.map(({ authorization }) => authorization)).toEqual([null]);
  });

  test('a token set by the caller is sent unchanged, and its refusal causes no refresh', async () => {
    const { api, gateway } = signedInClient();
    const { error } = await api.GET(ME, { headers: { authorization: 'Bearer own' } });
    expect(error?.code).toBe('token_expired');
    expect(gateway.sent.map(({ authorization }) => authorization)).toEqual(['Bearer own']);
  });
});

describe('an expired access token', () => {
  test('costs one refresh, however many requests are refused', async () => {
    const { api, gateway, tokens, signedOut } = signedInClient();
    const results = await many(() => api.GET(ME));
    expect(results.map(({ response }) => response.status)).toEqual(Array(20).fill(200));
    expect(gateway.to(REFRESH)).toHaveLength(1);
    expect(tokens.load()).toEqual(pair(1));
    expect(signedOut()).toBe(0);
  });

  test.each(['token_expired', 'token_invalid'])('is noticed by %s', async (code) => {
    const { api, gateway } = signedInClient();
    gateway.replies[ME] = ({ headers }) =>
      headers.get('authorization') === 'Bearer access-1' ? Response.json({}) : problem(401, code);
    expect((await api.GET(ME)).response.status).toBe(200);
  });

  test('is replaced even when it cannot be parsed: it then names no other user', async () => {
    const claims = Buffer.from(JSON.stringify({ sub: 'me' })).toString('base64url');
    const next = { ...pair(1), access_token: `header.${claims}.signature` };
    const { api, gateway } = signedInClient({ tokens: inMemory({ ...pair(0), access_token: 'x.y.z' }) });
    gateway.accepted = next;
    gateway.refreshes = [() => Response.json(next)];
    expect((await api.GET(ME)).response.status).toBe(200);
    expect(gateway.to(REFRESH)).toHaveLength(1);
  });

  test('refused for a request that began before the refresh: no second refresh', async () => {
    const { api, gateway } = signedInClient();
    let refuse = () => {};
    gateway.replies['/api/auth/sessions'] = async ({ headers }) => {
      if (headers.get('authorization') === 'Bearer access-1') return Response.json({ sessions: [] });
      await new Promise<void>((resolve) => (refuse = resolve));
      return problem(401, 'token_expired');
    };
    const slow = api.GET('/api/auth/sessions');
    await api.GET(ME);
    refuse();
    expect((await slow).response.status).toBe(200);
    expect(gateway.to(REFRESH)).toHaveLength(1);
  });

  test('the new pair is stored before it is used', async () => {
    const order: string[] = [];
    const kept = inMemory(pair(0));
    const { api, gateway } = signedInClient({
      tokens: {
        ...kept,
        replace: async (used, next) => {
          await new Promise((resolve) => setTimeout(resolve, 5));
          order.push('stored');
          return kept.replace(used, next);
        },
      },
    });
    gateway.replies[ME] = ({ headers }) => {
      if (headers.get('authorization') === 'Bearer access-0') return problem(401, 'token_expired');
      order.push('used');
      return Response.json({});
    };
    await api.GET(ME);
    expect(order).toEqual(['stored', 'used']);
  });

  test('the refused request is sent once more, not twice', async () => {
    const { api, gateway } = signedInClient();
    gateway.replies[ME] = () => problem(401, 'token_expired');
    const { error } = await api.GET(ME);
    expect(error?.code).toBe('token_expired');
    expect(gateway.to(ME)).toHaveLength(2);
    expect(gateway.to(REFRESH)).toHaveLength(1);
  });

  test('the request sent once more has its JSON body and headers', async () => {
    const { api, gateway } = signedInClient();
    const body = { current_password: 'old', new_password: 'new' };
    await api.POST('/api/auth/change-password', { body, headers: { 'x-request-id': 'mine' } });
    const sent = gateway.to('/api/auth/change-password').map(({ request }) => request);
    expect(sent.map(({ headers }) => headers.get('authorization'))).toEqual([
      'Bearer access-0',
      'Bearer access-1',
    ]);
    expect(sent.map(({ headers }) => headers.get('x-request-id'))).toEqual(['mine', 'mine']);
    expect(await Promise.all(sent.map((request) => request.json()))).toEqual([body, body]);
  });

  test('the request sent once more has its files', async () => {
    const { api, gateway } = signedInClient();
    const photo = new Blob([new Uint8Array(200_000).fill(7)], { type: 'image/jpeg' });
    await api.POST('/api/common/store_images', { body: { images: [photo, photo] } });
    const sent = gateway.to('/api/common/store_images');
    expect(sent).toHaveLength(2);
    const form = await sent[1]?.request.formData();
    const files = form?.getAll('images') as File[];
    expect(files.map(({ size, type }) => [size, type])).toEqual([
      [200_000, 'image/jpeg'],
      [200_000, 'image/jpeg'],
    ]);
  });
});

describe('nothing is refreshed because of', () => {
  test.each([
    ['a wrong password', () => problem(401, 'invalid_credentials')],
    ['a 403', () => problem(403, 'forbidden')],
    ['the 401 of a proxy', () => new Response('<h1>Who are you?</h1>', { status: 401 })],
    ['an outage', () => problem(503, 'unavailable')],
  ])('%s', async (_, reply) => {
    const { api, gateway, tokens, signedOut } = signedInClient();
    gateway.replies[ME] = reply;
    await api.GET(ME);
    expect(gateway.to(REFRESH)).toHaveLength(0);
    expect(tokens.load()).toEqual(pair(0));
    expect(signedOut()).toBe(0);
  });

  test('a network failure, which the caller gets', async () => {
    const { api, gateway } = signedInClient();
    gateway.replies[ME] = () => Promise.reject(new TypeError('fetch failed'));
    await expect(api.GET(ME)).rejects.toThrow('fetch failed');
    expect(gateway.to(REFRESH)).toHaveLength(0);
  });
});

describe('a refresh that fails for the moment', () => {
  beforeEach(() => {
    vi.useFakeTimers({
      toFake: ['setTimeout', 'clearTimeout', 'Date'],
      now: new Date('2030-01-01T00:00:00Z'),
    });
  });
  afterEach(() => void vi.useRealTimers());

  const turn = () => new Promise((resolve) => setImmediate(resolve));

  /** Lets the waits of `work` pass at once. */
  async function withoutWaiting<Result>(work: Promise<Result>): Promise<Result> {
    const end = work.then(
      () => true,
      () => true,
    );
    while (!(await Promise.race([end, turn().then(() => false)]))) await vi.advanceTimersToNextTimerAsync();
    return await work;
  }

  /** Seconds from the first attempt to each. */
  function secondsOfAttempts(gateway: ReturnType<typeof scriptedGateway>): number[] {
    const times = gateway.to(REFRESH).map(({ at }) => at);
    return times.map((at) => (at - (times[0] ?? 0)) / 1000);
  }

  const noAnswer = () => Promise.reject(new TypeError('fetch failed'));
  const failures: [string, () => Response | Promise<Response>][] = [
    ['no answer', noAnswer],
    ['429', () => problem(429, 'rate_limited')],
    ['500', () => problem(500, 'internal_error')],
    ['503', () => problem(503, 'unavailable')],
    [
      "a proxy's 502 without a body",
      () => new Response(null, { status: 502, headers: { 'content-length': '0' } }),
    ],
    [
      'the page of a captive portal',
      () => new Response('<h1>Pay</h1>', { headers: { 'content-type': 'text/html' } }),
    ],
    ['JSON that is no pair', () => Response.json({ access_token: 'access-9' })],
  ];

  test.each(failures)(
    'by %s is tried again after 1, 2 and 4 seconds with the same token',
    async (_, failure) => {
      const { api, gateway, tokens, signedOut } = signedInClient();
      gateway.refreshes = [failure, failure, failure];
      const results = await withoutWaiting(many(() => api.GET(ME)));
      expect(results.map(({ response }) => response.status)).toEqual(Array(20).fill(200));
      expect(secondsOfAttempts(gateway)).toEqual([0, 1, 3, 7]);
      for (const { request } of gateway.to(REFRESH).slice(0, 3)) {
        expect(await request.json()).toEqual({ refresh_token: 'refresh-0' });
      }
      expect(tokens.load()).toEqual(pair(1));
      expect(signedOut()).toBe(0);
    },
  );

  test('without a reply is repeated twice within the 30 seconds in which the gateway replays a used token', async () => {
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
      const silence = new AbortController();
      setTimeout(() => silence.abort(new Error('timed out')), milliseconds);
      return silence.signal;
    });
    const { api, gateway } = signedInClient();
    const silent = () =>
      new Promise<Response>((_, reject) => {
        const signal = gateway.to(REFRESH).at(-1)?.request.signal as AbortSignal;
        if (signal.aborted) reject(signal.reason as Error);
        else signal.addEventListener('abort', () => reject(signal.reason as Error));
      });
    gateway.refreshes = [silent, silent];
    expect((await withoutWaiting(api.GET(ME))).response.status).toBe(200);
    expect(secondsOfAttempts(gateway)).toEqual([0, 11, 23]);
    timeout.mockRestore();
  });

  test('waits for Retry-After, in seconds or as a date', async () => {
    const { api, gateway } = signedInClient();
    gateway.refreshes = [
      () => problem(503, 'unavailable', { 'retry-after': '7' }),
      () => problem(503, 'unavailable', { 'retry-after': 'Tue, 01 Jan 2030 00:00:12 GMT' }),
      () => problem(503, 'unavailable', { 'retry-after': 'soon' }),
    ];
    expect((await withoutWaiting(api.GET(ME))).response.status).toBe(200);
    expect(secondsOfAttempts(gateway)).toEqual([0, 7, 12, 16]);
  });

  test('on every attempt gives every caller the failure and keeps the tokens; the next request refreshes again', async () => {
    const { api, gateway, tokens, signedOut } = signedInClient();
    gateway.refreshes = Array(4).fill(() => problem(503, 'unavailable', { 'retry-after': '2' }));
    const results = await withoutWaiting(many(() => api.GET(ME)));
    for (const { error, response } of results) {
      expect([response.status, error?.code]).toEqual([503, 'unavailable']);
      expect(response.headers.get('retry-after')).toBe('2');
    }
    expect(secondsOfAttempts(gateway)).toEqual([0, 2, 4, 6]);
    expect(tokens.load()).toEqual(pair(0));
    expect(signedOut()).toBe(0);
    expect((await api.GET(ME)).response.status).toBe(200);
  });

  test('with the page of a proxy gives the caller that page', async () => {
    const { api, gateway } = signedInClient();
    gateway.refreshes = Array(4).fill(() => new Response('<h1>Bad gateway</h1>', { status: 502 }));
    const { error, response } = await withoutWaiting(api.GET(ME));
    expect([response.status, error, isProblem(error)]).toEqual([502, '<h1>Bad gateway</h1>', false]);
  });

  test('without a network rejects and keeps the tokens', async () => {
    const { api, gateway, tokens } = signedInClient();
    gateway.refreshes = Array(4).fill(noAnswer);
    await expect(withoutWaiting(api.GET(ME))).rejects.toThrow('fetch failed');
    expect(tokens.load()).toEqual(pair(0));
  });

  test('with a Retry-After beyond a user’s patience is returned immediately', async () => {
    const { api, gateway, tokens } = signedInClient();
    gateway.refreshes = [() => problem(429, 'rate_limited', { 'retry-after': '600' })];
    const { error, response } = await api.GET(ME);
    expect([response.status, error?.code]).toEqual([429, 'rate_limited']);
    expect(response.headers.get('retry-after')).toBe('600');
    expect(tokens.load()).toEqual(pair(0));
  });

  test('is abandoned by a caller who aborts, not by the others', async () => {
    const { api, gateway, tokens } = signedInClient();
    gateway.refreshes = [noAnswer];
    const controller = new AbortController();
    const impatient = api.GET(ME, { signal: controller.signal });
    const patient = api.GET(ME);
    while (vi.getTimerCount() === 0) await turn();
    controller.abort(new Error('enough'));
    await expect(impatient).rejects.toThrow('enough');
    expect((await withoutWaiting(patient)).response.status).toBe(200);
    expect(tokens.load()).toEqual(pair(1));
  });

  test('continues when all callers have aborted: the gateway may have used up the token', async () => {
    const { api, gateway, tokens } = signedInClient();
    gateway.refreshes = [noAnswer];
    const controller = new AbortController();
    const result = api.GET(ME, { signal: controller.signal });
    while (vi.getTimerCount() === 0) await turn();
    controller.abort(new Error('enough'));
    await expect(result).rejects.toThrow('enough');
    await vi.advanceTimersToNextTimerAsync();
    while ((await tokens.load())?.access_token === 'access-0') await turn();
    expect(tokens.load()).toEqual(pair(1));
    expect(gateway.to(ME)).toHaveLength(1);
  });
});

test('a request aborted before it began is never sent', async () => {
  const { api, gateway } = signedInClient();
  await expect(api.GET(ME, { signal: AbortSignal.abort() })).rejects.toThrow('aborted');
  expect(gateway.sent).toHaveLength(0);
});

test('another refusal of the refresh is returned and keeps the tokens', async () => {
  const { api, gateway, tokens, signedOut } = signedInClient();
  gateway.refreshes = [() => problem(415, 'unsupported_media_type')];
  expect((await api.GET(ME)).error?.code).toBe('unsupported_media_type');
  expect(gateway.to(REFRESH)).toHaveLength(1);
  expect(tokens.load()).toEqual(pair(0));
  expect(signedOut()).toBe(0);
});

test('a refused refresh token signs out exactly once', async () => {
  const { api, gateway, tokens, signedOut } = signedInClient();
  gateway.refreshes = [() => problem(401, 'refresh_token_invalid')];
  const results = await many(() => api.GET(ME));
  expect(results.map(({ error }) => error?.code)).toEqual(Array(20).fill('token_expired'));
  expect(tokens.load()).toBeUndefined();
  expect(signedOut()).toBe(1);
  expect((await api.GET(ME)).error?.code).toBe('authentication_required');
  expect(gateway.to(REFRESH)).toHaveLength(1);
});

describe('another tab', () => {
  test('that refreshes at the same time takes turns: one refresh for both', async () => {
    const tokens: TokenStore = {
      ...inMemory(pair(0)),
      exclusively: (work) => navigator.locks.request('tabs', work),
    };
    const gateway = scriptedGateway();
    const tab = () => createDermagate({ baseUrl: 'https://gateway.example', fetch: gateway.fetch, tokens });
    const tabs = [tab(), tab(), tab()];
    const results = await Promise.all(tabs.flatMap((api) => [api.GET(ME), api.GET(ME)]));
    expect(results.map(({ response }) => response.status)).toEqual(Array(6).fill(200));
    expect(gateway.to(REFRESH)).toHaveLength(1);
  });

  test('that won the race provides the pair to continue with: no user is signed out', async () => {
    const { api, gateway, tokens, signedOut } = signedInClient();
    gateway.refreshes = [
      async () => {
        await tokens.save(pair(1));
        return problem(401, 'refresh_token_invalid');
      },
    ];
    expect((await api.GET(ME)).response.status).toBe(200);
    expect(tokens.load()).toEqual(pair(1));
    expect(signedOut()).toBe(0);
  });

  test('that logged out has ended the session here too, without onSignedOut', async () => {
    const { api, gateway, tokens, signedOut } = signedInClient();
    gateway.replies[ME] = async () => {
      await tokens.clear();
      return problem(401, 'token_invalid');
    };
    expect((await api.GET(ME)).error?.code).toBe('token_invalid');
    expect(gateway.to(REFRESH)).toHaveLength(0);
    expect(signedOut()).toBe(0);
  });
});

describe('a new pair that cannot be stored, as the disk is full,', () => {
  /** Refuses the next `failures` replacements. */
  function fullStore(failures: number) {
    const store = inMemory(pair(0));
    const tokens: TokenStore = {
      ...store,
      replace: (used, next) => {
        if (next !== undefined && failures-- > 0) throw new DOMException('full', 'QuotaExceededError');
        return store.replace(used, next);
      },
    };
    return { store, ...signedInClient({ tokens }) };
  }

  test('is used all the same, and refreshed from the next time', async () => {
    const { api, gateway, store, signedOut } = fullStore(Infinity);
    const results = await many(() => api.GET(ME));
    expect(results.map(({ response }) => response.status)).toEqual(Array(20).fill(200));
    expect((await api.GET(ME)).response.status).toBe(200);
    expect(gateway.to(REFRESH)).toHaveLength(1);
    gateway.accepted = pair(2);
    expect((await api.GET(ME)).response.status).toBe(200);
    expect(gateway.to(REFRESH)).toHaveLength(2);
    expect([store.load(), signedOut()]).toEqual([pair(0), 0]);
  });

  test('is stored as soon as there is space', async () => {
    const { api, store } = fullStore(2);
    await api.GET(ME);
    await api.GET(ME);
    expect(store.load()).toEqual(pair(0));
    await api.GET(ME);
    expect(store.load()).toEqual(pair(1));
  });

  test('ends with a logout, with its own refresh token', async () => {
    const { api, gateway, store } = fullStore(Infinity);
    gateway.replies['/api/auth/logout'] = () => new Response(null, { status: 204 });
    await api.GET(ME);
    await api.session.logOut();
    expect(await gateway.to('/api/auth/logout')[0]?.request.json()).toEqual({ refresh_token: 'refresh-1' });
    expect([store.load(), await api.session.isSignedIn()]).toEqual([undefined, false]);
  });

  test('is dropped after a login in another tab', async () => {
    const { api, gateway, store } = fullStore(1);
    await api.GET(ME);
    store.save(pair(7));
    gateway.accepted = pair(7);
    await api.GET(ME);
    expect(gateway.sent.at(-1)?.authorization).toBe('Bearer access-7');
    expect(store.load()).toEqual(pair(7));
  });

  test('is removed when the gateway refuses it', async () => {
    const { api, gateway, store, signedOut } = fullStore(Infinity);
    await api.GET(ME);
    gateway.accepted = pair(9);
    expect((await api.GET(ME)).error?.code).toBe('token_expired');
    expect([store.load(), signedOut()]).toEqual([undefined, 1]);
    expect((await api.GET(ME)).error?.code).toBe('authentication_required');
  });
});

describe('during a refresh', () => {
  test('a logout stays a logout', async () => {
    const { api, gateway, tokens, signedOut } = signedInClient();
    gateway.replies['/api/auth/logout'] = () => new Response(null, { status: 204 });
    gateway.refreshes = [
      async () => {
        await api.session.logOut();
        return Response.json(pair(1));
      },
    ];
    expect((await api.GET(ME)).error?.code).toBe('token_expired');
    expect(tokens.load()).toBeUndefined();
    expect(signedOut()).toBe(0);
  });

  test('a new login is not overwritten', async () => {
    const { api, gateway, tokens } = signedInClient();
    gateway.accepted = pair(7);
    gateway.replies['/api/auth/login'] = () => Response.json(pair(7));
    gateway.refreshes = [
      async () => {
        await api.session.logIn({ email: 'a@example.org', password: 'b' });
        return Response.json(pair(1));
      },
    ];
    expect((await api.GET(ME)).response.status).toBe(200);
    expect(tokens.load()).toEqual(pair(7));
  });

  test('a login at the very moment at which the new pair is stored is not overwritten either', async () => {
    const kept = inMemory(pair(0));
    const { api, gateway } = signedInClient({
      tokens: {
        ...kept,
        async replace(used, next) {
          await api.session.logIn({ email: 'a@example.org', password: 'b' });
          return kept.replace(used, next);
        },
      },
    });
    gateway.accepted = pair(7);
    gateway.replies['/api/auth/login'] = () => Response.json(pair(7));
    expect((await api.GET(ME)).response.status).toBe(200);
    expect(kept.load()).toEqual(pair(7));
  });

  test.each([
    ['another account', 'b', 401, 0],
    ['the same user', 'a', 200, 1],
  ])(
    'a request is not sent again for %s who has signed in meanwhile (%s: %i)',
    async (_, sub, status, sent) => {
      const tokenOf = (subject: string, version: number) => {
        const claims = Buffer.from(JSON.stringify({ sub: subject, name: 'Ünø', version })).toString(
          'base64url',
        );
        return { ...pair(version), access_token: `header.${claims}.signature` };
      };
      const [theirs, mine] = [tokenOf(sub, 7), tokenOf('a', 0)];
      const { api, gateway, tokens } = signedInClient({ tokens: inMemory(mine) });
      gateway.accepted = theirs;
      gateway.replies['/api/auth/login'] = () => Response.json(theirs);
      gateway.refreshes = [
        async () => {
          await api.session.logIn({ email: 'b@example.org', password: 'b' });
          return Response.json(pair(1));
        },
      ];
      expect((await api.GET(ME)).response.status).toBe(status);
      expect(
        gateway.to(ME).filter(({ authorization }) => authorization?.includes(theirs.access_token)),
      ).toHaveLength(sent);
      expect(tokens.load()).toEqual(theirs);
    },
  );
});
