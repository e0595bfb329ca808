import { type Signal, signal } from '@preact/signals';
import { h } from 'preact';
import { act } from 'preact/test-utils';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import type { MobileCase, User } from '../../../../packages/client/src/index.ts';
import type { Outcome } from '../../src/gateway/attempt.ts';
import { en } from '../../src/i18n/en.ts';
import { openPage } from './fake-page.ts';
import { loseSession, signIn, signOut } from './fake-session.ts';

const calls = vi.hoisted(() => ({
  reply: vi.fn<(body?: unknown) => Promise<unknown>>(),
  readAgain: vi.fn<(key: readonly string[]) => void>(),
}));
const addPhoto = vi.hoisted((): { now: (file: Blob) => void } => ({ now: () => {} }));
const taken = vi.hoisted(() => ({
  stage: {} as object,
  again: vi.fn<(photo: { stage: Signal<object> }) => void>(),
}));
vi.mock('../../src/session/session.ts', () => import('./fake-session.ts'));
vi.mock('../../src/session/route.ts', () => ({ query: { value: new Map() } }));
vi.mock('../../src/i18n/language.ts', () => import('./fake-language.ts'));
vi.mock('../../src/account/settings/account-page.tsx', () => ({ AccountPage: 'section' }));
vi.mock('../../src/query/use-read.ts', () => ({ readAgain: calls.readAgain }));
vi.mock('../../src/gateway/case-calls.ts', () => ({
  updateCase: calls.reply,
  askAgain: calls.reply,
  cancelCase: calls.reply,
}));
vi.mock('../../src/gateway/account-calls.ts', () => ({ writeToSupport: calls.reply }));
vi.mock('../../src/ui/link.tsx', () => ({ Link: 'a' }));
vi.mock('../../src/patient/cases/current-consent.tsx', () => ({}));
vi.mock('../../src/patient/photo/file-choice.tsx', () => ({
  FileChoice: ({ onPhoto }: { onPhoto: (file: Blob) => void }) => void (addPhoto.now = onPhoto),
}));
vi.mock('../../src/patient/photo/taken-photo.ts', () => ({
  takePhoto: () => {
    const stage = signal(taken.stage);
    return { stage, preview: 'blob:new', forget: () => {}, again: () => taken.again({ stage }) };
  },
}));
vi.mock('../../src/patient/cases/new-photo.tsx', () => ({
  NewPhoto: ({ photo }: { photo: { preview: string } }) => h('figure', null, photo.preview),
  storedPath: ({ stage }: { stage: { value: { path: string } } }) => stage.value.path,
}));
vi.stubGlobal('requestAnimationFrame', () => 0);
afterAll(() => void vi.unstubAllGlobals());
const { ReplyForm } = await import('../../src/patient/cases/reply-form.tsx');
const { AskAgain } = await import('../../src/patient/cases/ask-again.tsx');
const { CancelCase } = await import('../../src/patient/cases/cancel-case.tsx');
const { ContactPage } = await import('../../src/account/settings/contact-page.tsx');

type Page = ReturnType<typeof openPage>;
const shown = { uuid: 'case', version: 1, images: [], messages: [] } as unknown as MobileCase;
const ended: Outcome<never> = { ok: false, failure: { code: 'unexpected', fields: {}, signedOut: true } };
const forms = {
  reply: () => h(ReplyForm, { shown, onDone: () => {} }),
  question: () => h(AskAgain, { shown, onDone: () => {} }),
  'message to the clinic': () => h(ContactPage, { user: { email: 'ann@example.org' } as User }),
};

async function open(form: keyof typeof forms) {
  const page = openPage();
  await page.show(forms[form]());
  return {
    page,
    typed: () => page.root.all('textarea')[0]?.attributes.get('value'),
    photos: () => page.root.all('figure').map(({ text }) => text),
    type: (value: string) => page.send('input', 'textarea', { value }),
    send: () => page.send('submit', 'form'),
    leave: () => page.show(null),
  };
}

const stored = { stage: 'not-judged', path: '/images/new' };

beforeEach(() => {
  calls.reply.mockReset();
  taken.again.mockReset();
  taken.stage = stored;
  signOut();
  signIn('ann');
});

test.each(Object.keys(forms) as (keyof typeof forms)[])(
  'a %s that could not be sent, because the session had ended, is back after signing in again',
  async (name) => {
    const form = await open(name);
    await form.type('It itches more.');
    if (name === 'reply') await act(() => addPhoto.now(new Blob()));
    calls.reply.mockResolvedValueOnce(ended);
    await form.send();
    loseSession();
    await form.leave();
    signIn('ann');
    const again = await open(name);
    expect(again.typed()).toBe('It itches more.');
    expect(again.photos()).toEqual(name === 'reply' ? ['blob:new'] : []);
    calls.reply.mockResolvedValueOnce({ ok: true, value: shown });
    await again.send();
    expect(calls.reply).toHaveBeenCalledTimes(2);
    await again.leave();
    const later = await open(name);
    expect(later.typed()).toBe('');
    expect(later.photos()).toEqual([]);
  },
);

test.each(Object.keys(forms) as (keyof typeof forms)[])(
  'the tabs of a pasted table, which the gateway refuses, are sent as spaces in a %s',
  async (name) => {
    const form = await open(name);
    await form.type('Cream A\ttwice daily\nCream B\t');
    calls.reply.mockResolvedValueOnce({ ok: true, value: shown });
    await form.send();
    const sent = JSON.stringify(calls.reply.mock.lastCall);
    expect(sent).toContain(JSON.stringify('Cream A twice daily\nCream B'));
  },
);

test('a reply that adds nothing gets a notice of what is missing', async () => {
  const form = await open('reply');
  calls.reply.mockResolvedValueOnce({ ok: false, failure: { code: 'message_required', fields: {} } });
  await form.send();
  const missing = 'Please write a message or add a photo first.';
  await vi.waitFor(() => expect(form.page.root.text).toContain(missing));
});

test.each([
  ['a reply', ReplyForm, async (page: Page) => await page.send('submit', 'form')],
  [
    'a question',
    AskAgain,
    async (page: Page) => {
      await page.send('input', 'textarea', { value: 'Why?' });
      await page.send('submit', 'form');
    },
  ],
  [
    'a cancellation',
    CancelCase,
    async (page: Page) => {
      await page.send('click', 'button', { text: en.cases.cancelCase });
      await page.send('click', 'button', { text: en.cases.cancelYes });
    },
  ],
])(
  'a case that has changed is read again when %s is refused, so that the next attempt counts',
  async (_, form, send) => {
    calls.readAgain.mockClear();
    const page = openPage();
    await page.show(h(form, { shown, onDone: () => {} }));
    calls.reply.mockResolvedValueOnce({ ok: false, failure: { code: 'version_conflict', fields: {} } });
    await send(page);
    await vi.waitUntil(() => page.root.text.includes(en.problems.version_conflict));
    await vi.waitFor(() => expect(calls.readAgain.mock.calls).toEqual([[['case', 'case']]]));
  },
);

test('what was typed while a reply was being sent stays', async () => {
  const form = await open('reply');
  await form.type('first');
  const reply = Promise.withResolvers<unknown>();
  calls.reply.mockReturnValueOnce(reply.promise);
  await form.send();
  await form.type('first and more');
  await act(async () => reply.resolve({ ok: true, value: shown }));
  expect(calls.reply.mock.lastCall?.[0]).toMatchObject({ message: 'first' });
  expect(form.typed()).toBe('first and more');
});

test('a reply waits for a photo that could not be stored, and stores it again before it is sent', async () => {
  taken.stage = { stage: 'not-stored', failure: { code: 'offline', fields: {} } };
  const form = await open('reply');
  await form.type('Here it is.');
  await act(() => addPhoto.now(new Blob()));
  let attempt = signal<object>({});
  taken.again.mockImplementation(({ stage }) => {
    attempt = stage;
    attempt.value = { stage: 'storing', sent: 0 };
  });
  await form.send();
  await act(() => void (attempt.value = taken.stage));
  expect(calls.reply).not.toHaveBeenCalled();
  expect(form.photos()).toEqual(['blob:new']);
  calls.reply.mockResolvedValueOnce({ ok: true, value: shown });
  await form.send();
  await act(() => void (attempt.value = stored));
  await vi.waitUntil(() => form.photos().length === 0);
  expect(calls.reply.mock.lastCall?.[0]).toMatchObject({ images: [{ name: 'new' }], message: 'Here it is.' });
});
