import { expect, test, vi } from 'vitest';

const events = vi.hoisted(() => [] as object[]);
const readings = vi.hoisted(() => [] as string[]);

vi.mock('../../src/gateway/desk-calls.ts', () => ({
  async *followSession() {
    yield* events;
  },
}));
vi.mock('../../src/query/use-read.ts', () => ({
  readAgain: (key: readonly string[]) => void readings.push(key.join('/')),
}));
vi.mock('../../src/session/session.ts', () => ({ loseSession: () => {}, onUserGone: () => {} }));

const { followEvents, notices } = await import('../../src/desk/live/session-events.ts');

test('the end of a lease is noted without reading the case, which would renew the lease of a page that was left', async () => {
  events.push(
    { id: 1, name: 'case.assigned', data: { case_uuid: 'a' } },
    { id: 2, name: 'lease.expiring', data: { case_uuid: 'b' } },
  );
  await followEvents(new AbortController().signal);
  expect(readings).toEqual(['case/a', 'desk', 'desk']);
  expect(notices.value.map(({ name }) => name)).toEqual(['case.assigned', 'lease.expiring']);
});

test('a second hello reads the desk again: what happened before it is not known', async () => {
  events.splice(0, events.length, { id: 9, name: 'hello', data: {} }, { id: 4, name: 'hello', data: {} });
  readings.length = 0;
  await followEvents(new AbortController().signal);
  expect(readings).toEqual(['desk']);
});
