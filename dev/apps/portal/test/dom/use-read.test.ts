import { QueryClientProvider } from '@tanstack/preact-query';
import { h } from 'preact';
import { afterEach, expect, test, vi } from 'vitest';
import type { MobileCase } from '../../../../packages/client/src/index.ts';
import type { Outcome } from '../../src/gateway/attempt.ts';
import { language } from './fake-language.ts';
import { openPage } from './fake-page.ts';

const { readAnswers } = vi.hoisted(() => ({ readAnswers: vi.fn<() => Promise<object>>() }));
vi.mock('../../src/i18n/language.ts', () => import('./fake-language.ts'));
vi.mock('../../src/gateway/case-calls.ts', () => ({ readAnswers }));
vi.mock('../../src/ui/link.tsx', () => ({ Link: 'a' }));
const { Answers } = await import('../../src/patient/cases/answers.tsx');
const { useRead } = await import('../../src/query/use-read.ts');
const { queryClient } = await import('../../src/query/query-client.ts');

const offline = { ok: false, failure: { code: 'offline', fields: {} } } as const;
const replies = new Map<string, Promise<Outcome<string>> | Outcome<string>>();

function Case({ uuid }: { uuid: string }) {
  const call = async () => replies.get(`${uuid} ${language.value}`) ?? offline;
  const { value, failure } = useRead(['case', uuid], call, { survivesLanguage: true });
  return h('p', null, `${value ?? 'nothing'} ${failure?.code ?? ''}`);
}

async function open() {
  const page = openPage();
  const show = (uuid: string) =>
    page.show(h(QueryClientProvider, { client: queryClient }, h(Case, { uuid })));
  await show('a');
  const sees = (text: string) => vi.waitFor(() => expect(page.root.text).toBe(text));
  return { page, show, sees };
}

afterEach(() => {
  queryClient.clear();
  replies.clear();
  language.value = 'en';
});

test('what was read stays when the language changes, until the new reply and when there is none', async () => {
  const reply = Promise.withResolvers<Outcome<string>>();
  replies.set('a en', { ok: true, value: 'advice' }).set('a he', reply.promise);
  const { page, sees } = await open();
  await sees('advice ');
  language.value = 'he';
  await vi.waitFor(() => expect(queryClient.isFetching()).toBe(1));
  expect(page.root.text).toBe('advice ');
  reply.resolve({ ok: true, value: 'עצה' });
  await sees('עצה ');
  language.value = 'es';
  await sees('עצה offline');
});

test('an older value from the cache hides nothing that has happened since', async () => {
  replies.set('a en', { ok: true, value: 'waiting' }).set('a he', { ok: true, value: 'עצה' });
  const { sees } = await open();
  await sees('waiting ');
  language.value = 'he';
  await sees('עצה ');
  queryClient.setQueryData(['case', 'a', 'en'], 'waiting', { updatedAt: Date.now() - 60_000 });
  replies.delete('a en');
  language.value = 'en';
  await sees('עצה offline');
});

test('nothing of one case is shown for another', async () => {
  replies.set('a en', { ok: true, value: 'of a' });
  const { page, show, sees } = await open();
  await sees('of a ');
  replies.set('b he', new Promise(() => {}));
  language.value = 'he';
  await show('b');
  await sees('nothing ');
  expect(page.root.text).not.toContain('of a');
});

test('an answer that is on the screen stays when the case has changed by reading it, and cannot be read again', async () => {
  const answer = {
    uuid: 'a',
    author: { display_name: 'Dr. Levi' },
    language: 'en',
    rendered_text: 'Use a cream.',
  };
  const published = { ...answer, published_at: '2026-11-27T04:00:00Z' };
  readAnswers.mockResolvedValueOnce({ ok: true, value: { annotations: [published] } });
  readAnswers.mockResolvedValueOnce(offline);
  const page = openPage();
  const show = (version: number) => {
    const shown = { uuid: 'case', version, answer_available: true } as MobileCase;
    return page.show(
      h(QueryClientProvider, { client: queryClient }, h(Answers, { shown, onShown: () => {} })),
    );
  };
  await show(1);
  await vi.waitFor(() => expect(page.root.text).toContain('Use a cream.'));
  await show(2);
  await vi.waitFor(() => expect(page.root.all('button')).toHaveLength(1));
  expect(page.root.text).toContain('Use a cream.');
});
