import { signal } from '@preact/signals';
import { type ComponentChild, h } from 'preact';
import { expect, test, vi } from 'vitest';
import type { CaseDetail } from '../../../../packages/client/src/index.ts';
import { emptyDraft } from '../../src/desk/answer/draft.ts';
import { en as deskEn } from '../../src/desk/i18n/en.ts';
import { en } from '../../src/i18n/en.ts';
import { openPage } from './fake-page.ts';

const read = vi.hoisted((): { now: object; key: unknown } => ({ now: {}, key: undefined }));
vi.mock('../../src/session/session.ts', () => import('./fake-session.ts'));
vi.mock('../../src/i18n/language.ts', () => import('./fake-language.ts'));
let next = Promise.withResolvers<object>();
vi.mock('../../src/gateway/desk-calls.ts', () => ({ takeNextCase: async () => await next.promise }));
const path = signal('/');
const go = vi.fn();
vi.mock('../../src/session/route.ts', () => ({ path, go }));
vi.mock('../../src/desk/keys/use-keys.ts', () => ({ useKeys: () => {} }));
vi.mock('../../src/query/use-read.ts', () => ({
  useRead(key: unknown) {
    read.key = key;
    return { busy: false, ...read.now };
  },
  readAgain: () => {},
  setRead: () => {},
}));
vi.mock('../../src/ui/combobox.tsx', () => ({ Combobox: ({ empty }: { empty: ComponentChild }) => empty }));
vi.mock('../../src/ui/link.tsx', () => ({ Link: 'a' }));
const { DiseaseField } = await import('../../src/desk/answer/disease-field.tsx');
vi.mock('../../src/desk/list/case-rows.tsx', () => ({ CaseRows: 'ol' }));
const { PatientHistory } = await import('../../src/desk/case/patient-history.tsx');
const { NextCaseButton } = await import('../../src/desk/take/next-case.tsx');
const { TemplateField } = await import('../../src/desk/answer/template-field.tsx');

const offline = { code: 'offline', fields: {} };

test('diseases that could not be read are not said to be none', async () => {
  const page = openPage();
  const show = () => page.show(h(DiseaseField, { label: 'Disease', onPick: () => {} }));
  read.now = { failure: offline };
  await show();
  expect(page.root.text).toBe(en.problems.offline);
  for (const now of [{ value: { items: [] } }, { failure: { code: 'validation_error', fields: {} } }]) {
    read.now = now;
    await show();
    expect(page.root.text).toBe(deskEn.answer.noDisease);
  }
});

test('templates that could not be read are not said to be none, and can be read again', async () => {
  const page = openPage();
  const again = vi.fn();
  read.now = { failure: offline, again };
  await page.show(h(TemplateField, { draft: emptyDraft('en'), change: () => {} }));
  expect(page.root.text).toContain(en.problems.offline);
  await page.send('click', 'button');
  expect(again).toHaveBeenCalledOnce();
  read.now = { value: { items: [] } };
  await page.show(h(TemplateField, { draft: emptyDraft('en'), change: () => {} }));
  expect(page.root.text).not.toContain(en.problems.offline);
});

test('every other case of a patient can be reached, also where one page does not hold them', async () => {
  const shown = { uuid: 'case', history_count: 60, patient: { uuid: 'noa' } } as CaseDetail;
  const page = openPage();
  const { list: words } = deskEn;
  await page.show(h(PatientHistory, { shown }));
  read.now = { value: { items: [], next_cursor: 'second' } };
  await page.send('click', 'button');
  await page.send('click', 'button', { text: words.after });
  expect(read.key).toEqual(['history', 'noa', undefined, 'second']);
  read.now = { value: { items: [], next_cursor: null } };
  await page.send('click', 'button', { text: words.before });
  expect(read.key).toEqual(['history', 'noa', undefined, undefined]);
});

test.each([
  { now: '/search', opened: [] },
  { now: '/', opened: [['/cases/noa']] },
])(
  'a case that is taken opens where the physician still waits for it, and not on $now',
  async ({ now, opened }) => {
    go.mockClear();
    next = Promise.withResolvers();
    path.value = '/';
    const page = openPage();
    await page.show(h(NextCaseButton, { queue: 'review' }));
    await page.send('click', 'button');
    path.value = now;
    next.resolve({ ok: true, value: { case: { uuid: 'noa' } } });
    await vi.waitUntil(() => page.root.all('button')[0]?.attributes.get('aria-busy') !== true);
    await page.show(null);
    expect(go.mock.calls).toEqual(opened);
  },
);
