import { h } from 'preact';
import { act } from 'preact/test-utils';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Outcome } from '../../src/gateway/attempt.ts';
import type { useVersioned as Versioned } from '../../src/staff/use-versioned.ts';
import { openPage } from './fake-page.ts';
import { loseSession, signIn, signOut } from './fake-session.ts';

vi.mock('../../src/session/session.ts', () => import('./fake-session.ts'));
const { useVersioned } = await import('../../src/staff/use-versioned.ts');

interface Person {
  version: number;
  name: string;
  title: string;
}
type Draft = Omit<Person, 'version'>;

const gateway = {
  current: { version: 1, name: '', title: '' } as Person,
  reply: undefined as Promise<void> | undefined,
  written: [] as { draft: Draft; version: number; base: Person }[],
};
let form: ReturnType<typeof Versioned<Person, Draft>>;

function Form({ person }: { person: Person }) {
  form = useVersioned({
    about: 'person',
    entity: person,
    toDraft: ({ name, title }) => ({ name, title }),
    read: () => Promise.resolve({ ok: true, value: gateway.current }),
    async write(draft, { version }, base): Promise<Outcome<Person>> {
      gateway.written.push({ draft, version, base });
      await gateway.reply;
      gateway.current = { ...gateway.current, ...draft, version: version + 1 };
      return { ok: true, value: gateway.current };
    },
    onSaved: () => {},
  });
  return null;
}

const first: Person = { version: 1, name: 'Noor', title: 'Dr.' };
const { show } = openPage();
const open = (person: Person) => show(h(Form, { key: 'one', person }));
const change = (entries: Partial<Draft>) => act(() => form.change(entries));

beforeEach(async () => {
  gateway.current = first;
  gateway.written = [];
  gateway.reply = undefined;
  await show(null);
  signOut();
  signIn('ann');
  await open(first);
});

describe('what is entered while a save is under way', () => {
  test.each(['save', 'keepMine'] as const)('stays, and is not shown as saved: %s', async (send) => {
    const reply = Promise.withResolvers<void>();
    gateway.reply = reply.promise;
    await change({ name: 'Noor Example' });
    const sent = form[send]();
    await change({ title: 'Prof.' });
    reply.resolve();
    await act(() => sent);
    expect([form.draft, form.isSaved]).toEqual([{ name: 'Noor Example', title: 'Prof.' }, false]);
    expect(form.base).toEqual({ version: 2, name: 'Noor Example', title: 'Dr.' });
    await act(() => form.save());
    expect(gateway.written.at(-1)).toMatchObject({ version: 2, base: { title: 'Dr.' } });
    expect(form.isSaved).toBe(true);
  });
});

test('saving over what another has saved names where the draft began', async () => {
  await change({ title: 'Prof.' });
  gateway.current = { version: 5, name: 'Noor Levi', title: 'Dr.' };
  await act(() => form.keepMine());
  expect(gateway.written).toEqual([{ draft: { name: 'Noor', title: 'Prof.' }, version: 5, base: first }]);
});

describe('a newer version that was read', () => {
  const newer: Person = { version: 2, name: 'Noor Levi', title: 'Dr.' };

  test('is taken in while nothing is entered', async () => {
    await open(newer);
    expect([form.draft.name, form.base]).toEqual(['Noor Levi', newer]);
  });

  test('changes no entries, and the save still names the version from which they began', async () => {
    await change({ title: 'Prof.' });
    await open(newer);
    expect([form.draft.title, form.base]).toEqual(['Prof.', first]);
    await act(() => form.save());
    expect(gateway.written[0]?.version).toBe(1);
  });

  test('is not replaced by an older one that arrives later', async () => {
    await change({ name: 'Noor Example' });
    await act(() => form.save());
    await open({ ...first });
    expect([form.draft.name, form.isSaved]).toEqual(['Noor Example', true]);
  });
});

describe('entries that are not saved when the session ends', () => {
  const end = async (next: string) => {
    await change({ title: 'Prof.' });
    loseSession();
    await show(null);
    signIn(next);
    await open({ version: 2, name: 'Noor Levi', title: 'Dr.' });
  };

  test('are here again once their user signs in, and the save names the version from which they began', async () => {
    await end('ann');
    expect([form.draft, form.base]).toEqual([{ name: 'Noor', title: 'Prof.' }, first]);
    await act(() => form.save());
    expect(gateway.written[0]?.version).toBe(1);
  });

  test('never reach another user', async () => {
    await end('ben');
    expect(form.draft).toEqual({ name: 'Noor Levi', title: 'Dr.' });
  });

  test('are given up when the page is left: a form shows what is stored', async () => {
    await change({ title: 'Prof.' });
    await show(null);
    await open(first);
    expect(form.draft).toEqual({ name: 'Noor', title: 'Dr.' });
  });
});
