import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DermagateError, inMemory, type TokenStore } from '../src/index.ts';
import { type SessionEvent, staffCalls } from '../src/staff.ts';
import { pairOf, problem, signedInClient } from './scripted-gateway.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const path = '/api/v1/backoffice/unique-sessions/connect';
const event = (id: number, name = 'case.assigned', data: object = { case_uuid: `case ${id}`, at: '' }) =>
  `id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
const streamOf = (text: string) => new Response(text, { headers: { 'content-type': 'text/event-stream' } });
const stream = (...blocks: string[]) =>
  streamOf(`retry: 500\n\n${blocks.length === 0 ? ': nothing new\n\n' : blocks.join('')}`);

/** Follows a gateway that answers with these replies in turn, until it has no more. */
async function followed(...replies: (() => Response)[]) {
  const { api, gateway } = signedInClient();
  const end = new AbortController();
  gateway.replies[path] = () => {
    const reply = replies.shift();
    if (reply !== undefined) return reply();
    end.abort();
    return stream();
  };
  const seen: SessionEvent[] = [];
  const following = (async () => {
    for await (const each of staffCalls(api).followSession({ signal: end.signal })) seen.push(each);
  })();
  const outcome = following.then(
    () => undefined,
    (error: unknown) => error,
  );
  for (let n = 0; n < 400; n++) await vi.advanceTimersByTimeAsync(100);
  const sent = gateway.to(path);
  return {
    ids: seen.map(({ id }) => id),
    names: seen.map(({ name }) => name),
    error: await outcome,
    asked: sent.map(({ request }) => request.headers.get('last-event-id')),
    waits: sent.slice(1).map(({ at }, n) => at - (sent[n]?.at ?? 0)),
  };
}

test('it asks again with the last id that it has seen; what comes twice is told once', async () => {
  const { ids, names, asked } = await followed(
    () => stream(event(4, 'hello', {})),
    () => stream(event(5), event(6)),
    () => stream(),
    () => stream(event(6), event(7)),
    () => streamOf(`retry: 500\r\n\r\n${event(8).replaceAll('\n', '\r\n')}`),
  );
  expect(ids).toEqual([4, 5, 6, 7, 8]);
  expect(names[0]).toBe('hello');
  expect(asked).toEqual([null, '4', '6', '6', '7', '8']);
});

test('it waits as long as it is asked to, and longer each time without a usable answer', async () => {
  const { waits, ids } = await followed(
    () => stream(event(1, 'hello', {})),
    () => streamOf('retry: 5000\n\n: nothing new\n\n'),
    () => problem(429, 'stream_limit', { 'retry-after': '7' }),
    () => problem(503, 'unavailable'),
    () => {
      throw new TypeError('fetch failed');
    },
    () => stream(event(2)),
  );
  const expected = [500, 5000, 7000, 2000, 4000, 500];
  expect(waits).toHaveLength(expected.length);
  waits.forEach((ms, n) => expect(Math.abs(ms / (expected[n] ?? 0) - 1)).toBeLessThan(0.13));
  expect(ids).toEqual([1, 2]);
});

test('it waits until the moment that a proxy names, and longer after each page of one', async () => {
  const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toUTCString();
  const page = (status: number) => () =>
    new Response('<h1>Welcome</h1>', { status, headers: { 'content-type': 'text/html' } });
  vi.setSystemTime(new Date('2026-11-27T04:00:00Z'));
  const { waits, ids, error } = await followed(
    () => new Response('', { status: 503, headers: { 'retry-after': inSeconds(12) } }),
    page(200),
    page(401),
    page(404),
    () => stream(event(1, 'hello', {})),
  );
  const expected = [12_000, 2000, 4000, 8000, 500];
  expect(error).toBeUndefined();
  expect(waits).toHaveLength(expected.length);
  waits.forEach((ms, n) => expect(Math.abs(ms / (expected[n] ?? 0) - 1)).toBeLessThan(0.13));
  expect(ids).toEqual([1]);
});

/** What is seen of a reply that is still awaited when another user signs in, or when the user signs out. */
async function seenAfter(change: (tokens: TokenStore) => void | Promise<void>, ...events: string[]) {
  const tokens = inMemory(pairOf('ann'));
  const { api, gateway } = signedInClient({ tokens });
  gateway.replies[path] = async () => {
    await change(tokens);
    return stream(...events);
  };
  const seen: SessionEvent[] = [];
  const following = (async () => {
    for await (const each of staffCalls(api).followSession()) seen.push(each);
  })();
  for (let n = 0; n < 20; n++) await vi.advanceTimersByTimeAsync(100);
  await following;
  return { names: seen.map(({ name }) => name), asked: gateway.to(path).length };
}

test('it ends when another user signs in, who sees nothing of it', async () => {
  const seen = await seenAfter((tokens) => tokens.save(pairOf('ben')), event(4));
  expect(seen).toEqual({ names: [], asked: 1 });
});

test('after a sign-out it says how the session has ended, and asks no more', async () => {
  const revoked = event(4, 'session.revoked', { at: '', reason: 'logout' });
  const signOut = (tokens: TokenStore) => tokens.clear();
  expect(await seenAfter(signOut, revoked)).toEqual({ names: ['session.revoked'], asked: 1 });
  expect(await seenAfter(signOut, event(4))).toEqual({ names: ['case.assigned'], asked: 1 });
});

test('it ends with the session, after its last event', async () => {
  const replaced = await followed(() =>
    stream(event(3, 'session.replaced', { at: '', device_label: null }), event(4)),
  );
  expect(replaced).toMatchObject({ names: ['session.replaced'], asked: [null], error: undefined });
  const refused = await followed(() => problem(401, 'authentication_required'));
  expect(refused).toMatchObject({ names: [], asked: [null], error: undefined });
});

test('it rejects for what no wait can change', async () => {
  const { error, asked } = await followed(() => problem(403, 'forbidden'));
  expect(error).toBeInstanceOf(DermagateError);
  expect(error).toMatchObject({ code: 'forbidden', status: 403 });
  expect(asked).toEqual([null]);
});
