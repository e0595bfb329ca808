import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { Notice } from '../../../src/contract/notice.ts';
import { createLog } from '../../../src/lib/telemetry/log.ts';
import { createStreams, type StreamOptions, type Wait } from '../../../src/lib/live/streams.ts';

const log = createLog(() => undefined);
const clock = { now: () => new Date() };

/** Streams over a list of notices, as the database would give them, and the number of queries. */
function streamsOver(notices: Notice[], options: Partial<StreamOptions> = {}) {
  const asked: number[] = [];
  const streams = createStreams({
    clock,
    log,
    maxHeld: 4,
    holdMs: 300,
    pollMs: 60,
    async read(users) {
      asked.push(users.length);
      await sleep(2);
      return users.flatMap(({ userId, after }) =>
        notices.filter((notice) => notice.userId === userId && notice.id > after).slice(0, 100),
      );
    },
    ...options,
  });
  onTestFinished(streams.close);
  const ask = (userId: number, more: Partial<Wait> = {}) =>
    streams.wait({ tenantId: 1, userId, session: `of ${userId}`, after: 0, isFor: () => true, ...more });
  /** Until every request so far has been read for, and so is held or answered. */
  async function settled(): Promise<void> {
    const before = asked.length;
    while (asked.length < before + 2) await sleep(5);
  }
  return { asked, ask, settled, streams };
}

const notice = (id: number, userId = 1): Notice => ({
  id,
  userId,
  kind: 'case.assigned',
  payload: {},
  agent: null,
  at: new Date(),
});

const idsOf = (waited: Awaited<ReturnType<ReturnType<typeof streamsOver>['ask']>>) =>
  waited.outcome === 'notices' ? waited.notices.map(({ id }) => id) : waited.outcome;

test('what is there is answered at once, what comes within the time of a poll, and nothing at its end', async () => {
  const notices = [notice(1), notice(2)];
  const { ask } = streamsOver(notices, { holdMs: 1000 });
  expect(idsOf(await ask(1))).toEqual([1, 2]);
  expect(idsOf(await ask(1, { after: 1 }))).toEqual([2]);
  const waiting = ask(1, { after: 2 });
  await sleep(70);
  notices.push(notice(3), notice(4, 2));
  expect(idsOf(await waiting)).toEqual([3]);
  expect(idsOf(await ask(1, { after: 3 }))).toBe('ended');
  // Another instance has answered meanwhile, or the client begins anew.
  expect(idsOf(await ask(1, { after: 0 }))).toEqual([1, 2, 3]);
});

test('a quarter is held; the rest is answered at once, from what the poll has read', async () => {
  const notices: Notice[] = [];
  const { ask, asked, settled } = streamsOver(notices, { holdMs: 1500 });
  const held = [1, 2, 3, 4].map((user) => ask(user));
  await settled();
  const ended = Promise.race(held).then(() => ({ outcome: 'held to its end' as const }));
  expect(await Promise.race([ask(5), ended])).toMatchObject({ outcome: 'full' });
  notices.push(notice(7, 5));
  await settled();
  const before = asked.length;
  expect(idsOf(await ask(5))).toEqual([7]);
  expect(asked.length).toBe(before);
  expect((await Promise.all(held)).map(idsOf)).toEqual(['ended', 'ended', 'ended', 'ended']);
  expect(idsOf(await ask(5, { after: 7 }))).toBe('ended');
});

test('a hundred clients cost one query for each poll, and none once they are gone', async () => {
  const { ask, asked } = streamsOver([], { pollMs: 50, holdMs: 200, idleMs: 100 });
  const startedAt = performance.now();
  const client = async (user: number) => {
    while (performance.now() - startedAt < 800) {
      await ask(user);
      await sleep(15);
    }
  };
  await Promise.all(Array.from({ length: 100 }, (_, user) => client(user)));
  const elapsed = performance.now() - startedAt;
  expect(asked.length).toBeGreaterThan(5);
  expect(asked.length).toBeLessThanOrEqual(elapsed / 50 + 2);
  expect(asked.at(-1)).toBe(100);
  await sleep(200);
  const before = asked.length;
  await sleep(150);
  expect(asked.length).toBe(before);
  expect(idsOf(await ask(1))).toBe('ended');
});

test('the fourth stream of a session is one too many, until one of them ends', async () => {
  const { ask, settled } = streamsOver([], { maxHeld: 10, holdMs: 1000 });
  const three = [1, 2, 3].map(() => ask(1));
  await settled();
  expect(await ask(1)).toMatchObject({ outcome: 'too_many' });
  const other = ask(1, { session: 'another' });
  expect((await Promise.all([...three, other])).map(idsOf)).toEqual(['ended', 'ended', 'ended', 'ended']);
});

test('a notice for another session is not told, and does not end the wait', async () => {
  const notices = [notice(1), notice(2)];
  const { ask } = streamsOver(notices);
  expect(idsOf(await ask(1, { isFor: ({ id }) => id !== 1 }))).toEqual([2]);
  expect(idsOf(await ask(1, { after: 1, isFor: ({ id }) => id === 1 }))).toBe('ended');
});

test('more than one page is told in order, without gap', async () => {
  const { ask } = streamsOver(Array.from({ length: 730 }, (_, n) => notice(n + 1)));
  const seen: number[] = [];
  while (seen.length < 730) {
    const waited = await ask(1, { after: seen.at(-1) ?? 0 });
    if (waited.outcome === 'notices') seen.push(...waited.notices.map(({ id }) => id));
  }
  expect(seen).toEqual(Array.from({ length: 730 }, (_, n) => n + 1));
  // The oldest are no longer remembered, and are read again.
  expect(idsOf(await ask(1, { after: 0 })).slice(0, 3)).toEqual([1, 2, 3]);
});

test('a database that is away fails who needs it now, and those who wait are told afterwards', async () => {
  const notices: Notice[] = [];
  let isAway = false;
  const { ask } = streamsOver(notices, {
    holdMs: 2000,
    read: async (users) => {
      if (isAway) throw new Error('away');
      return users.flatMap(({ userId, after }) =>
        notices.filter((each) => each.userId === userId && each.id > after),
      );
    },
  });
  const waiting = ask(1);
  await sleep(20);
  isAway = true;
  await expect(ask(2)).rejects.toThrow('away');
  await sleep(130);
  isAway = false;
  notices.push(notice(1));
  expect(idsOf(await waiting)).toEqual([1]);
});

test('closing ends who waits', async () => {
  const { ask, settled, streams } = streamsOver([], { holdMs: 60_000 });
  const waiting = ask(1);
  await settled();
  streams.close();
  expect(idsOf(await waiting)).toBe('ended');
  expect(idsOf(await ask(1))).toBe('full');
});
