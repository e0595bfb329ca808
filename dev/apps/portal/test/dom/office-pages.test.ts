import { signal } from '@preact/signals';
import { QueryClientProvider } from '@tanstack/preact-query';
import { type ComponentChildren, h } from 'preact';
import { useState } from 'preact/hooks';
import { act } from 'preact/test-utils';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type {
  GroupDetail,
  PhysicianDetails,
  Profile,
  UserSearch,
} from '../../../../packages/client/src/index.ts';
import type { Outcome } from '../../src/gateway/attempt.ts';
import type { Failure } from '../../src/gateway/failure.ts';
import { en as accountEn } from '../../src/account/i18n/en.ts';
import { en as common } from '../../src/i18n/en.ts';
import { en } from '../../src/office/i18n/en.ts';
import { language } from './fake-language.ts';
import { openPage } from './fake-page.ts';

const { gateway } = vi.hoisted(() => ({
  gateway: {
    isSilent: false,
    candidates: undefined as ((search: UserSearch) => unknown) | undefined,
    invited: [] as string[],
    reply: undefined as Promise<unknown> | undefined,
    activity: [] as unknown[],
  },
}));
const address = signal(new URLSearchParams());
const cursor = signal<string>();

const physician = {
  uuid: 'noor',
  user_uuid: 'user',
  version: 1,
  is_active: true,
  vacation_mode: false,
  last_active_at: null,
  email: 'noor@example.org',
  language_preference: 'en',
  load: { open: 0, reserved: 0, answered_7d: 0 },
} as unknown as PhysicianDetails;
const group = {
  uuid: 'readers',
  name: 'Readers',
  version: 1,
  member_count: 0,
  settings: { capabilities: [], pools: [], languages: [] },
  members: { items: [], next_cursor: '2' },
} as unknown as GroupDetail;
const parameters = {
  branch: 'portal',
  sub_branch: 'theme',
  version: 1,
  visibility: 'internal',
  values: {},
  defaults: {},
  ignored: [],
  value_schema: null,
  updated_at: null,
  updated_by: null,
};
const channels = { channels: ['mail'], available: ['mail', 'push'] };

const answer = <Value>(value: Value) => (gateway.isSilent ? new Promise<never>(() => {}) : value);
vi.mock('../../src/gateway/staff.ts', () => ({
  staff: {
    physicians: {
      list: async () => await answer({ items: [physician] }),
      changeActivity(change: unknown) {
        gateway.activity.push(change);
        return new Promise(() => {});
      },
    },
    groups: {
      async get(_uuid: string, { cursor }: { cursor?: string }) {
        if (cursor !== undefined) throw new Error('No second page.');
        return await answer(group);
      },
    },
    parameters: { get: async () => await answer(parameters) },
    users: { search: async (search: UserSearch) => gateway.candidates?.(search) },
    invitations: {
      async create({ email }: { email: string }) {
        gateway.invited.push(email);
        return await gateway.reply;
      },
    },
  },
}));
vi.mock('../../src/gateway/gateway.ts', () => ({
  attempt: async (call: (signal?: AbortSignal) => Promise<unknown>): Promise<Outcome<unknown>> => {
    try {
      return { ok: true, value: await call() };
    } catch {
      return { ok: false, failure: { code: 'internal_error', fields: {} } };
    }
  },
}));
vi.mock('../../src/gateway/account-calls.ts', () => ({
  readNotifications: async () => ({ ok: true, value: await answer(channels) }),
  readPushKey: () => new Promise(() => {}),
  chooseChannels: () => gateway.reply,
  changeProfile: () => gateway.reply,
}));
vi.mock('../../src/account/push/browser-push.ts', () => ({}));
vi.mock('../../src/account/settings/account-page.tsx', () => ({ AccountPage: 'section' }));
vi.mock('../../src/i18n/language.ts', () => import('./fake-language.ts'));
vi.mock('../../src/session/session.ts', () => import('./fake-session.ts'));
vi.mock('../../src/session/route.ts', () => ({
  query: address,
  listCursor: cursor,
  path: signal('/'),
  go: () => {},
}));
vi.mock('../../src/ui/link.tsx', () => ({ Link: 'a' }));
vi.mock('../../src/ui/page-title.tsx', () => ({ PageTitle: 'h1' }));
vi.mock('../../src/staff/confirm-dialog.tsx', () => ({
  ConfirmDialog: ({ children, onConfirm }: { children: ComponentChildren; onConfirm: () => void }) =>
    h('dialog', null, children, h('button', { onClick: onConfirm }, 'Confirm')),
}));
const { queryClient } = await import('../../src/query/query-client.ts');
const { PhysicianPage } = await import('../../src/office/physicians/physician.tsx');
const { GroupPage } = await import('../../src/office/groups/group.tsx');
const { ParameterSetPage } = await import('../../src/office/parameters/parameter-set.tsx');
const { NotificationsPage } = await import('../../src/account/settings/notifications-page.tsx');
const { PersonForm } = await import('../../src/account/settings/person-form.tsx');
const { InviteForm } = await import('../../src/office/invitations/invite-form.tsx');
const { NewPhysicianPage } = await import('../../src/office/physicians/new-physician.tsx');
const { useProblems } = await import('../../src/staff/use-problems.ts');
const { dayAfter } = await import('../../src/staff/day-after.ts');
const { Vacation } = await import('../../src/office/physicians/vacation.tsx');
const { FilterText } = await import('../../src/staff/filter-fields.tsx');

const page = openPage();
const show = (content: ComponentChildren) =>
  page.show(h(QueryClientProvider, { client: queryClient, children: content }));
const find = (name: string, id: string) =>
  page.root.all(name).find(({ attributes }) => attributes.get('id') === id);
const valueOf = (name: string, id: string) => find(name, id)?.attributes.get('value');

afterEach(async () => {
  await show(null);
  queryClient.clear();
  language.value = 'en';
  address.value = new URLSearchParams();
  cursor.value = undefined;
  gateway.isSilent = false;
});

describe('entries that are not saved survive', () => {
  const pages = {
    physician: [() => h(PhysicianPage, { uuid: 'noor' }), 'input', 'title'],
    group: [() => h(GroupPage, { uuid: 'readers' }), 'input', 'group-name'],
    parameters: [() => h(ParameterSetPage, { branch: 'portal', subBranch: 'theme' }), 'textarea', 'values'],
  } as const;

  async function enter(about: keyof typeof pages) {
    const [content, name, id] = pages[about];
    await show(content());
    await vi.waitFor(() => expect(find(name, id)).toBeDefined());
    await page.send('input', name, { id, value: 'entered' });
    return () => valueOf(name, id);
  }

  test.each(Object.keys(pages) as (keyof typeof pages)[])('a change of the language: %s', async (about) => {
    const entry = await enter(about);
    gateway.isSilent = true;
    await act(() => void (language.value = 'he'));
    await vi.waitFor(() => expect(queryClient.isFetching()).toBeGreaterThan(0));
    expect(entry()).toBe('entered');
  });

  test('a change of the language: notifications', async () => {
    const push = () => page.root.all('input').find(({ attributes }) => attributes.get('name') === 'push');
    await show(h(NotificationsPage, null));
    await vi.waitFor(() => expect(push()).toBeDefined());
    const chosen = push();
    gateway.isSilent = true;
    await act(() => void (language.value = 'he'));
    await vi.waitFor(() => expect(queryClient.isFetching()).toBeGreaterThan(0));
    expect(push()).toBe(chosen);
  });

  test.each([true, false])('another page of the members; without a reply: %s', async (isSilent) => {
    const entry = await enter('group');
    gateway.isSilent = isSilent;
    await act(() => void (cursor.value = isSilent ? 'slow' : 'failing'));
    if (!isSilent) await vi.waitFor(() => expect(page.root.text).toContain(common.problems.internal_error));
    expect(entry()).toBe('entered');
  });
});

describe('who may join a group', () => {
  const staff = (uuid: string, role: string) => ({ uuid, role, email: `${uuid}@example.org` });

  async function search(answers: Record<string, { items: unknown[]; next_cursor: string | null }>) {
    gateway.candidates = ({ role }) =>
      answers[role ?? ''] ?? { items: [staff('patient', 'patient')], next_cursor: null };
    await show(h(GroupPage, { uuid: 'readers' }));
    await vi.waitFor(() => expect(find('input', 'group-name')).toBeDefined());
    const search = page.root.all('input').find(({ attributes }) => attributes.get('type') === 'search');
    const target = { id: search?.attributes.get('id') as string, value: 'a' };
    await page.send('input', 'input', target);
    await act(() => search?.listeners.get('keydown')?.({ type: 'keydown', key: 'Enter' }));
  }
  const none = { items: [], next_cursor: null };

  test('are physicians and admins, however many patients have such an address', async () => {
    await search({
      physician: { items: [staff('noor', 'physician')], next_cursor: null },
      admin: { items: [staff('ann', 'admin')], next_cursor: null },
    });
    await vi.waitFor(() => expect(page.root.all('bdi').map(({ text }) => text)).toContain('ann@example.org'));
    expect(page.root.text).toContain('noor@example.org');
    expect(page.root.text).not.toContain('patient@example.org');
    expect(page.root.text).not.toContain(en.groups.moreCandidates);
  });

  test('are not said to be missing where there are more than are shown', async () => {
    await search({ physician: none, admin: { items: [], next_cursor: 'more' } });
    await vi.waitFor(() => expect(page.root.text).toContain(en.groups.moreCandidates));
    expect(page.root.text).not.toContain(en.groups.noCandidates);
  });

  test('are missing where there are none', async () => {
    await search({ physician: none, admin: none });
    await vi.waitFor(() => expect(page.root.text).toContain(en.groups.noCandidates));
  });
});

test('an address that is entered while an invitation is under way stays', async () => {
  const email = () => valueOf('input', 'invite-email');
  const enter = (value: string) => page.send('input', 'input', { id: 'invite-email', value });
  const sent: unknown[] = [];
  await show(h(InviteForm, { onSent: (invitation) => sent.push(invitation) }));
  const reply = Promise.withResolvers<unknown>();
  gateway.reply = reply.promise;
  await enter('ann@example.org');
  await page.send('submit', 'form');
  await enter('ben@example.org');
  await act(() => reply.resolve({}));
  await vi.waitFor(() => expect(sent).toHaveLength(1));
  expect(email()).toBe('ben@example.org');
  await page.send('submit', 'form');
  await vi.waitFor(() => expect(email()).toBe(''));
  expect(gateway.invited).toEqual(['ann@example.org', 'ben@example.org']);
});

test('several parts of a field that are refused for one reason are one problem', async () => {
  const fields = { '/settings/pools': { id: 'group-pools', label: 'Pools' } };
  const failure: Failure = {
    code: 'validation_error',
    fields: { '/settings/pools/0': 'invalid_format', '/settings/pools/2': 'invalid_format' },
  };
  const Problems = () =>
    h('ul', null, ...useProblems(failure, fields).problems.map(({ text }) => h('li', null, text)));
  await show(h(Problems, null));
  expect(page.root.all('li').map(({ text }) => text)).toEqual([`Pools: ${common.fields.invalid_format}`]);
});

test('an employee number with other signs than digits is named before anything is sent', async () => {
  await show(h(NewPhysicianPage, null));
  const enter = (id: string, value: string) => page.send('input', 'input', { id, value });
  await enter('email', 'noor@example.org');
  await enter('name', 'Noor');
  await enter('employee-id', '12x');
  await page.send('submit', 'form');
  expect(find('p', 'employee-id-error')?.text).toContain(common.intake.enterWhole);
  expect(page.root.all('li')).toHaveLength(1);
});

describe('what is entered while a save is under way is not shown as saved', () => {
  const saved = accountEn.saved;
  /** Ends when all that follows from a reply is drawn. */
  const arrives = (resolve: () => void) =>
    act(async () => {
      resolve();
      await new Promise((done) => setTimeout(done));
    });

  test.each([true, false])('about a person; entered: %s', async (isEntered) => {
    const profile = { uuid: 'ann', version: 1, given_name: 'Ann' } as Profile;
    const enter = (value: string) => page.send('input', 'input', { id: given, value });
    const date = { value: '', validity: { badInput: false } };
    await show(h(PersonForm, { profile, onSaved: () => {}, onConflict: () => {} }));
    const given = page.root.all('input')[0]?.attributes.get('id') as string;
    const reply = Promise.withResolvers<unknown>();
    gateway.reply = reply.promise;
    await enter('Anna');
    await page.send('submit', 'form', { elements: { namedItem: () => date } });
    if (isEntered) await enter('Annabel');
    await arrives(() => reply.resolve({ ok: true, value: { ...profile, version: 2, given_name: 'Anna' } }));
    expect(page.root.text.includes(saved)).toBe(!isEntered);
    expect(valueOf('input', given)).toBe(isEntered ? 'Annabel' : 'Anna');
  });

  test.each([true, false])('about notifications; entered: %s', async (isEntered) => {
    const push = () => page.root.all('input').find(({ attributes }) => attributes.get('name') === 'push');
    await show(h(NotificationsPage, null));
    await vi.waitFor(() => expect(push()).toBeDefined());
    const reply = Promise.withResolvers<unknown>();
    gateway.reply = reply.promise;
    await page.send('submit', 'form');
    if (isEntered)
      await act(() =>
        push()?.listeners.get('change')?.({ type: 'change', currentTarget: { checked: true } }),
      );
    await arrives(() => reply.resolve({ ok: true, value: channels }));
    expect(page.root.text.includes(saved)).toBe(!isEntered);
  });
});

test('a vacation until a day that does not exist is refused at its field, and can be corrected', async () => {
  const enter = (value: string) => page.send('input', 'input', { id: 'until', value });
  await show(h(Vacation, { physician, onChanged: () => {} }));
  await page.send('click', 'button', { text: en.physicians.beginVacation });
  // The gateway refuses a day that has passed.
  expect(find('input', 'until')?.attributes.get('min')).toBe(dayAfter(0));
  await enter('12026-01-31');
  await page.send('click', 'button', { text: 'Confirm' });
  expect(find('p', 'until-error')?.text).toBe(common.fields.invalid_date);
  expect(gateway.activity).toEqual([]);
  await enter('2026-01-31');
  expect(find('p', 'until-error')).toBeUndefined();
  await page.send('click', 'button', { text: 'Confirm' });
  expect(gateway.activity).toMatchObject([{ until: new Date('2026-01-31T23:59:59').toISOString() }]);
});

describe('a text to search for', () => {
  let set: (text: string) => void;
  function Search() {
    const [text, setText] = useState('');
    set = setText;
    return h(FilterText, { label: 'Name', value: text, onChange: (typed) => setText(typed.trim()) });
  }
  const entry = () => page.root.all('input')[0]?.attributes.get('value');
  const type = (value: string) => page.send('input', 'input', { value });

  test('is as long as the gateway reads it at most', async () => {
    await show(h(Search, null));
    expect(page.root.all('input')[0]?.attributes.get('maxLength')).toBe(254);
  });

  test('is found where it was copied out of a sentence of the portal', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const searched = vi.fn();
      await show(h(FilterText, { label: 'Address', value: '', onChange: searched }));
      await type('\u2068noa@example.org\u2069');
      await act(() => void vi.advanceTimersByTime(1000));
      expect(searched).toHaveBeenCalledWith('noa@example.org');
    } finally {
      vi.useRealTimers();
    }
  });

  test('keeps the space after the first name when the list is read, and is replaced from outside', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      await show(h(Search, null));
      await type('Noor ');
      await act(() => void vi.advanceTimersByTime(1000));
      expect(entry()).toBe('Noor ');
      await type('Noor L');
      await act(() => void vi.advanceTimersByTime(1000));
      expect(entry()).toBe('Noor L');
      await act(() => set(''));
      expect(entry()).toBe('');
    } finally {
      vi.useRealTimers();
    }
  });
});
