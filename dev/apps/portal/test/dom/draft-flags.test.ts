import { signal } from '@preact/signals';
import { h } from 'preact';
import { expect, test, vi } from 'vitest';
import type { MobileCase, RedFlags } from '../../../../packages/client/src/index.ts';
import { en } from '../../src/i18n/en.ts';
import type { IntakeSession } from '../../src/patient/intake/intake-session.ts';
import { openPage } from './fake-page.ts';

const { read } = vi.hoisted(() => ({ read: { value: undefined as unknown, failure: undefined as unknown } }));
vi.mock('../../src/gateway/gateway.ts', () => ({}));
vi.mock('../../src/gateway/case-calls.ts', () => ({}));
vi.mock('../../src/gateway/help-lines.ts', () => ({ emergencyNumber: { value: '101' } }));
vi.mock('../../src/query/use-read.ts', () => ({ useRead: () => read }));
vi.mock('../../src/patient/cases/own-cases.ts', async (original) => ({
  ...(await original<object>()),
  useCases: () => read,
}));
vi.mock('../../src/i18n/language.ts', () => import('./fake-language.ts'));
vi.mock('../../src/ui/link.tsx', () => ({ Link: 'a' }));
vi.mock('../../src/ui/page-title.tsx', () => ({ PageTitle: 'h1' }));
const { DraftFlags } = await import('../../src/patient/cases/draft-flags.tsx');
const { CasesPage } = await import('../../src/patient/pages/cases.tsx');

const draft = {
  uuid: 'draft',
  id: 7,
  patient_status: 'draft',
  patient: { relation: 'self' },
  advice: null,
  messages: [],
  updated_at: '2026-11-27T04:00:00Z',
} as unknown as MobileCase;
const flagsOf = (certainty: 'met' | 'not_excluded'): RedFlags => ({
  hasRedFlags: true,
  flags: ['anaphylaxis'],
  urgency: 'emergency',
  flagDetails: [{ code: 'anaphylaxis', text: 'A swollen tongue.', urgency: 'emergency', certainty }],
  emergencyNumber: '112',
});

async function textOf(content: Parameters<ReturnType<typeof openPage>['show']>[0]) {
  const page = openPage();
  await page.show(content);
  const numbers = page.root.all('a').map(({ attributes }) => attributes.get('href'));
  return { text: page.root.text, numbers: numbers.filter((href) => href !== undefined) };
}

test.each<[string, RedFlags | undefined, boolean]>([
  ['an emergency', flagsOf('met'), true],
  ['an emergency that a later question may exclude', flagsOf('not_excluded'), false],
  ['nothing urgent', { hasRedFlags: false, flags: [], urgency: 'low', flagDetails: [] }, false],
  ['what could not be checked', undefined, false],
])('a draft with %s names one number to call', async (_, value, isNamed) => {
  read.value = value;
  const { text, numbers } = await textOf(h(DraftFlags, { shown: draft }));
  expect(text.includes('A swollen tongue.')).toBe(isNamed);
  expect(numbers).toEqual([isNamed ? 'tel:112' : 'tel:101']);
});

test.each([
  ['of this tab', flagsOf('met'), true],
  ['of another device', undefined, false],
])('a list with a draft %s names one number to call', async (_, urgent, isUrgent) => {
  read.value = { items: [draft], next_cursor: null };
  const intake = {
    intake: { value: { steps: [{}], case: { uuid: 'draft' } } },
    urgentFlags: signal(urgent),
    asked: signal({ state: 'asking' }),
  } as unknown as IntakeSession;
  const { text, numbers } = await textOf(h(CasesPage, { intake }));
  expect(numbers).toEqual([isUrgent ? 'tel:112' : 'tel:101']);
  expect(text.includes(en.folder.soon.draft)).toBe(!isUrgent);
});
