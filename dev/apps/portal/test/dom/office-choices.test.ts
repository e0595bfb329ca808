import { signal } from '@preact/signals';
import { QueryClientProvider } from '@tanstack/preact-query';
import { type ComponentChildren, h } from 'preact';
import { act } from 'preact/test-utils';
import { afterEach, expect, test, vi } from 'vitest';
import type { PhysicianDetails, PhysicianQuery, User } from '../../../../packages/client/src/index.ts';
import { en as deskEn } from '../../src/desk/i18n/en.ts';
import { en } from '../../src/office/i18n/en.ts';
import { en as staffEn } from '../../src/staff/i18n/en.ts';
import { openPage } from './fake-page.ts';

const { gateway } = vi.hoisted(() => ({
  gateway: {
    searches: [] as PhysicianQuery[],
    creating: new Promise<unknown>(() => {}),
    create: vi.fn(),
    templates: vi.fn(),
  },
}));
const address = signal(new URLSearchParams());
vi.mock('../../src/gateway/staff.ts', () => ({
  staff: {
    physicians: {
      async list(search: PhysicianQuery) {
        gateway.searches.push(search);
        return await Promise.resolve({ items: [], next_cursor: null });
      },
      create: () => gateway.creating,
    },
    groups: {
      create: () => gateway.creating,
      list: async ({ cursor }: { cursor?: string }) =>
        await Promise.resolve(
          cursor === undefined
            ? { items: [{ uuid: 'a', name: 'First group' }], next_cursor: '2' }
            : { items: [{ uuid: 'b', name: 'Last group' }], next_cursor: null },
        ),
    },
    queue: {},
    templates: { ofPhysician: gateway.templates },
  },
}));
vi.mock('../../src/gateway/gateway.ts', () => ({
  dermagate: { config: {} },
  attempt: async (call: () => Promise<unknown>) => ({ ok: true, value: await call() }),
}));
vi.mock('../../src/i18n/language.ts', () => import('./fake-language.ts'));
vi.mock('../../src/session/session.ts', () => import('./fake-session.ts'));
vi.mock('../../src/session/route.ts', () => ({
  query: address,
  listCursor: signal(),
  path: signal('/'),
  go: () => {},
  replaceQuery: () => {},
}));
vi.mock('../../src/ui/link.tsx', () => ({ Link: 'a' }));
vi.mock('../../src/ui/page-title.tsx', () => ({ PageTitle: 'h1' }));
const { queryClient } = await import('../../src/query/query-client.ts');
const { listOwnTemplates } = await import('../../src/gateway/desk-calls.ts');
const { PhysiciansPage } = await import('../../src/office/physicians/physicians.tsx');
const { NewPhysicianPage } = await import('../../src/office/physicians/new-physician.tsx');
const { NewGroupPage } = await import('../../src/office/groups/new-group.tsx');
const { Vacation } = await import('../../src/office/physicians/vacation.tsx');
const { Vacation: OwnVacation } = await import('../../src/desk/settings/vacation.tsx');

vi.stubGlobal('sessionStorage', { getItem: () => null, setItem() {}, removeItem() {} });
vi.stubGlobal('document', { activeElement: null });
vi.stubGlobal('requestAnimationFrame', (callback: () => void) => callback());
const page = openPage();
const show = (content: ComponentChildren) =>
  page.show(h(QueryClientProvider, { client: queryClient, children: content }));
const admin = { uuid: 'ada', role: 'admin' } as unknown as User;

afterEach(async () => {
  await show(null);
  queryClient.clear();
});

test.each(['Hand Clinic', 'general', 'יד'])(
  'for %s, which is no private pool, no list is shown',
  async (pool) => {
    address.value = new URLSearchParams({ pool });
    await show(h(PhysiciansPage, { user: admin }));
    expect(page.root.text).toContain(staffEn.noSuchPool);
    expect(page.root.text).not.toContain(staffEn.nothingFound);
    expect(gateway.searches).toEqual([]);
  },
);

test('a pool is found however its name is written', async () => {
  address.value = new URLSearchParams({ pool: 'Hand-Clinic' });
  await show(h(PhysiciansPage, { user: admin }));
  await vi.waitFor(() => expect(page.root.text).toContain(staffEn.nothingFound));
  expect(gateway.searches).toMatchObject([{ filter: { pool: 'hand-clinic' } }]);
  expect(page.root.text).not.toContain(staffEn.noSuchPool);
});

test.each([
  [NewGroupPage, { 'group-name': 'Readers' }],
  [NewPhysicianPage, { email: 'noor@example.org', name: 'Noor' }],
])('while it is created nothing can be entered that would be lost: %o', async (Page, entries) => {
  await show(h(Page, null));
  for (const [id, value] of Object.entries(entries)) await page.send('input', 'input', { id, value });
  const inert = () => page.root.all('div').some(({ attributes }) => attributes.get('inert') === true);
  expect(inert()).toBe(false);
  await page.send('submit', 'form');
  expect(inert()).toBe(true);
});

test('a new physician can join every group, also those of a second page', async () => {
  await show(h(NewPhysicianPage, null));
  await vi.waitFor(() => expect(page.root.text).toContain('Last group'));
  expect(page.root.text).toContain('First group');
});

test('every template can be chosen, also those of a second page', async () => {
  gateway.templates.mockImplementation(
    async (_of: string, { cursor }: { cursor?: string }) =>
      await Promise.resolve(
        cursor === undefined ? { items: [1, 2], next_cursor: '2' } : { items: [3], next_cursor: null },
      ),
  );
  expect(await listOwnTemplates(new AbortController().signal)).toEqual({
    ok: true,
    value: { items: [1, 2, 3] },
  });
});

const away = { uuid: 'noor', vacation_mode: true, vacation_until: '2099-03-28T21:59:59Z' };

test.each([
  ['an admin', Vacation, (date: string) => en.physicians.isAwayUntil.replace('{date}', date)],
  ['the physician', OwnVacation, (date: string) => deskEn.mySettings.awayUntil.replace('{date}', date)],
])('%s sees whenever the page is opened until when a vacation lasts', async (_, Part, sentence) => {
  const shown = async (vacation_until: string | null) => {
    const physician = { ...away, vacation_until } as unknown as PhysicianDetails;
    await show(h(Part, { physician, profile: physician, onChanged: () => {} }));
    return page.root.text;
  };
  const [before = '', after = ''] = sentence('|').split('|');
  expect(await shown(away.vacation_until)).toMatch(new RegExp(`${before}.*2099.*${after}`));
  await act(() => {});
  expect(await shown(null)).not.toContain(before);
});
