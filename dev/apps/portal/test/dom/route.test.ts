import { afterAll, beforeEach, expect, test, vi } from 'vitest';

interface Entry {
  address: string;
  state: unknown;
}
const entries: Entry[] = [];
let shownAt = 0;
const shown = () => entries[shownAt] as Entry;
const onPopState: ((event: { state: unknown }) => void)[] = [];

/** As a browser: what follows the shown entry is gone. */
function push(state: unknown, _title: string, address: string): void {
  entries.splice(shownAt + 1, Infinity, { address, state });
  shownAt = entries.length - 1;
}

vi.stubGlobal('location', {
  get pathname() {
    return new URL(shown().address, 'https://portal.example').pathname;
  },
  get search() {
    return new URL(shown().address, 'https://portal.example').search;
  },
});
vi.stubGlobal('history', {
  get state() {
    return shown().state;
  },
  pushState: push,
  replaceState: (state: unknown, _title: string, address = shown().address) =>
    void (entries[shownAt] = { address, state }),
});
vi.stubGlobal('scrollTo', () => {});
vi.stubGlobal('addEventListener', (_name: string, listener: (typeof onPopState)[number]) =>
  onPopState.push(listener),
);
afterAll(() => void vi.unstubAllGlobals());

function step(by: 1 | -1): void {
  shownAt += by;
  onPopState.forEach((listener) => listener(shown()));
}

entries.push({ address: '/users?role=physician', state: null });
const { go, goToListPage, listCursor, path, query, replaceQuery, watchRoute } =
  await import('../../src/session/route.ts');
watchRoute();

beforeEach(() => {
  go('/');
  go('/users?role=physician');
});

test('the page of a list, whose cursor has an address of a person in it, is in the history and not in the address', () => {
  goToListPage('noa@example.org');
  expect(entries.map(({ address }) => address).join()).not.toContain('noa');
  expect([listCursor.value, query.value.get('role')]).toEqual(['noa@example.org', 'physician']);
  goToListPage('ron@example.org');
  step(-1);
  expect(listCursor.value).toBe('noa@example.org');
  step(-1);
  expect([listCursor.value, path.value]).toEqual([undefined, '/users']);
  step(1);
  expect(listCursor.value).toBe('noa@example.org');
});

test('a link within the page does not turn it', () => {
  goToListPage('noa@example.org');
  push(null, '', '/users?role=physician#content');
  step(-1);
  step(1);
  expect(listCursor.value).toBe('noa@example.org');
});

test('another filter, the link to the list and another place begin at the first page', () => {
  goToListPage('noa@example.org');
  replaceQuery({ role: 'admin' });
  expect(listCursor.value).toBeUndefined();
  goToListPage('noa@example.org');
  go('/users?role=admin');
  expect(listCursor.value).toBeUndefined();
  goToListPage('noa@example.org');
  go('/groups');
  expect([listCursor.value, path.value]).toEqual([undefined, '/groups']);
});
