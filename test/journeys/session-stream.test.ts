import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createDermagate, inMemory } from '../../dev/packages/client/src/index.ts';
import { type SessionEvent, staffCalls } from '../../dev/packages/client/src/staff.ts';
import { addNotices } from '../../src/domain/announce/live/notice.queries.ts';
import { connectDatabase } from '../../src/lib/db/connect.ts';
import { inTenant } from '../../src/lib/db/tenant.ts';
import { type Account, claimsOf, logIn, register, tenantRows } from '../support/accounts.ts';
import { anotherInstance } from '../support/another-instance.ts';
import { testApp } from '../support/app.ts';
import { afterwards } from '../support/cleanup.ts';

// Three physicians follow their sessions with the client for TypeScript over two instances that share a database; their requests
// go to either by chance, and connections break. Notices are written meanwhile, at random times and in transactions that
// overlap; now and then nothing happens for so long that held requests end without one. `npm run soak` writes 1,000.

const count = Number(process.env['STREAMED_EVENTS'] ?? 60);
const everyMs = 40;
/** After so many events comes a pause, longer than clients wait and requests are held: here for less than 25 s. */
const pauseAfter = 20;
const pauseMs = 1500;

const first = await testApp({ env: { SSE_HOLD_MS: '400', SSE_POLL_MS: '80' } });
const second = await anotherInstance(first, { SSE_HOLD_MS: '600' });
const { db, pool } = connectDatabase({ url: first.databaseUrl, poolMax: 6, onIdleError: () => undefined });
afterwards(() => pool.end());

interface Outcome {
  seen: SessionEvent[];
  requests: number;
  broken: number;
  /** Requests that were held to their end, without an event. */
  ended: number;
  /** Milliseconds from the commit of a notice until the client had it. */
  delays: number[];
}

/** Follows until `isComplete` says so. */
async function follow(
  account: Account,
  committed: ReadonlyMap<string, number>,
  isComplete: (seen: number) => boolean,
  onHello: () => void,
): Promise<Outcome> {
  const outcome: Outcome = { seen: [], requests: 0, broken: 0, ended: 0, delays: [] };
  const api = createDermagate({
    baseUrl: first.url,
    tokens: inMemory(account),
    async fetch(request) {
      outcome.requests += 1;
      const target = Math.random() < 0.5 ? first.url : second.url;
      const { pathname, search } = new URL(request.url);
      const cut = new AbortController();
      if (Math.random() < 0.2) {
        outcome.broken += 1;
        setTimeout(() => cut.abort(), Math.random() * 600);
      }
      const signal = AbortSignal.any([request.signal, cut.signal]);
      const reply = await fetch(new URL(pathname + search, target), { headers: request.headers, signal });
      const text = await reply.text();
      if (text.includes(': nothing new')) outcome.ended += 1;
      return new Response(text, reply);
    },
  });
  const end = new AbortController();
  const check = setInterval(() => isComplete(outcome.seen.length) && end.abort(), 20);
  for await (const event of staffCalls(api).followSession({ signal: end.signal })) {
    if (event.name === 'hello') onHello();
    else {
      outcome.seen.push(event);
      const at = 'case_uuid' in event.data ? committed.get(event.data.case_uuid) : undefined;
      if (at !== undefined) outcome.delays.push(performance.now() - at);
    }
  }
  clearInterval(check);
  return outcome;
}

test(
  `${count} events at random times reach each stream once and in order, over two instances and broken connections`,
  { timeout: 60_000 + count * (everyMs * 2 + pauseMs / pauseAfter) },
  async () => {
    const accounts = await Promise.all([1, 2, 3].map(() => register(first, { role: 'physician' })));
    const userIds = await Promise.all(
      accounts.map(async ({ access_token: token }) => {
        const rows = await tenantRows<{ id: number }>(first, 'SELECT id FROM users WHERE uuid = $1', [
          claimsOf(token).sub,
        ]);
        return rows[0]?.id ?? 0;
      }),
    );
    const committed = new Map<string, number>();
    let isWritten = false;
    const written = () =>
      Promise.all(
        userIds.map((userId) =>
          inTenant(db, 1, (tx) =>
            tx.selectFrom('user_notices').select('id').where('user_id', '=', userId).orderBy('id').execute(),
          ),
        ),
      );
    const expected = userIds.map(() => 0);

    async function write(): Promise<void> {
      const which = Math.floor(Math.random() * userIds.length);
      const caseUuid = randomUUID();
      await inTenant(db, 1, async (tx) => {
        const notice = { kind: 'case.assigned', payload: { case_uuid: caseUuid } } as const;
        await addNotices(tx, { userId: userIds[which] ?? 0 }, [notice], new Date());
        await sleep(Math.random() * 60);
      });
      committed.set(caseUuid, performance.now());
      expected[which] = (expected[which] ?? 0) + 1;
    }

    let greeted = 0;
    const following = accounts.map((account, n) =>
      follow(
        account,
        committed,
        (seen) => isWritten && seen >= (expected[n] ?? 0),
        () => (greeted += 1),
      ),
    );
    while (greeted < accounts.length) await sleep(20);
    const writing: Promise<void>[] = [];
    for (let n = 0; n < count; n++) {
      writing.push(write());
      await sleep(n % pauseAfter === pauseAfter - 1 ? pauseMs : Math.random() * 2 * everyMs);
    }
    await Promise.all(writing);
    isWritten = true;

    const outcomes = await Promise.all(following);
    const stored = await written();
    outcomes.forEach(({ seen }, n) => {
      expect(seen.map(({ id }) => id)).toEqual(stored[n]?.map(({ id }) => id));
    });
    const all = (key: 'requests' | 'broken' | 'ended') => outcomes.reduce((sum, each) => sum + each[key], 0);
    expect(all('broken')).toBeGreaterThan(0);
    expect(all('ended')).toBeGreaterThan(0);
    const delays = outcomes.flatMap((each) => each.delays).toSorted((a, b) => a - b);
    const at = (share: number) => Math.round(delays[Math.floor((delays.length - 1) * share)] ?? 0);
    console.info(
      `${count} events, ${all('requests')} requests, ${all('broken')} of them cut off, ${all('ended')} held to their end; ` +
        `delivered after ${at(0.5)} ms (median), ${at(0.99)} ms (p99)`,
    );
  },
);

test('the stream ends with the session, and the client learns why it was signed out', async () => {
  const account = await register(first, { role: 'physician' });
  // Between two requests of the stream the end would be that of the next one.
  const holding = await anotherInstance(first, { SSE_HOLD_MS: '20000' });
  await tenantRows(first, `UPDATE physicians SET settings = '{"unique_session": true}'`);
  const reasons: (string | undefined)[] = [];
  let login: Promise<Response> | undefined;
  const api = createDermagate({
    baseUrl: holding.url,
    tokens: inMemory(account),
    onSignedOut: (reason) => void reasons.push(reason),
    fetch: (request) => {
      if (request.headers.has('last-event-id')) {
        login ??= sleep(1000).then(() => logIn(first, account));
      }
      return fetch(request);
    },
  });
  const seen: string[] = [];
  for await (const { name } of staffCalls(api).followSession()) seen.push(name);
  expect(seen).toEqual(['hello', 'session.replaced']);
  expect((await api.GET('/api/auth/me')).response.status).toBe(401);
  expect(reasons).toEqual(['session_replaced']);
});
