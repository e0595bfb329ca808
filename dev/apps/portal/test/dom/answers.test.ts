import { h } from 'preact';
import { expect, test, vi } from 'vitest';
import type { MobileCase } from '../../../../packages/client/src/index.ts';
import { en } from '../../src/i18n/en.ts';
import { openPage } from './fake-page.ts';

const read = vi.hoisted((): { value: unknown } => ({ value: undefined }));
vi.mock('../../src/i18n/language.ts', () => import('./fake-language.ts'));
vi.mock('../../src/query/use-read.ts', () => ({ useRead: () => read }));
vi.mock('../../src/gateway/case-calls.ts', () => ({}));
vi.mock('../../src/ui/failure-notice.tsx', () => ({}));
const { Answers } = await import('../../src/patient/cases/answers.tsx');

const answer = (uuid: string, status: 'final' | 'amended', text: string) => ({
  uuid,
  status,
  rendered_text: text,
  author: { display_name: 'Dr. Noor' },
  language: 'en',
  published_at: '2026-01-02T00:00:00Z',
});

test('an answer that a newer one has replaced is folded behind it, and marked', async () => {
  const shown = { uuid: 'case', version: 1, answer_available: true } as unknown as MobileCase;
  const annotations = [
    answer('2', 'final', 'Use half of it.'),
    answer('1', 'amended', 'Use all of it at once.'),
  ];
  read.value = { annotations };
  const page = openPage();
  await page.show(h(Answers, { shown, onShown: () => {} }));
  const plain = page.root.all('div').map(({ text }) => text);
  expect(plain).toEqual([expect.stringContaining('Use half of it.')]);
  const [folded, ...others] = page.root.all('details');
  expect(others).toEqual([]);
  expect(folded?.attributes.has('open')).toBe(false);
  expect(folded?.all('summary')[0]?.text).toContain('replaced by the newer answer above');
  expect(folded?.text).toContain('Use all of it at once.');
  expect(page.root.text.indexOf('Use half')).toBeLessThan(page.root.text.indexOf('replaced by'));
});

test.each([true, false])(
  'an answer says that it is of before where danger was found since: %s',
  async (isNewer) => {
    const shown = { uuid: 'case', version: 1, answer_available: true, advice_is_newer: isNewer };
    read.value = { annotations: [answer('1', 'final', 'Use half of it.')] };
    const page = openPage();
    await page.show(h(Answers, { shown: shown as unknown as MobileCase, onShown: () => {} }));
    expect(page.root.text).toContain('Use half of it.');
    expect(page.root.text.includes(en.cases.answerBefore)).toBe(isNewer);
  },
);
