import { h } from 'preact';
import { expect, test, vi } from 'vitest';
import type { MobileCase } from '../../../../packages/client/src/index.ts';
import { en } from '../../src/i18n/en.ts';
import { openPage } from './fake-page.ts';

vi.mock('../../src/i18n/language.ts', () => import('./fake-language.ts'));
vi.mock('../../src/gateway/case-calls.ts', () => ({}));
vi.mock('../../src/ui/link.tsx', () => ({ Link: 'a' }));
const { needsAttention } = await import('../../src/patient/cases/own-cases.ts');
const { CaseRow } = await import('../../src/patient/cases/case-row.tsx');

const caseOf = (patient_status: MobileCase['patient_status'], urgency?: string) =>
  ({
    uuid: 'case',
    id: 7,
    patient_status,
    patient: { relation: 'self' },
    advice: urgency === undefined ? null : { urgency, flagDetails: [], recommendedAction: null },
    answer_available: false,
    messages: [],
    updated_at: '2026-11-27T04:00:00Z',
  }) as unknown as MobileCase;

async function shown(item: MobileCase) {
  const page = openPage();
  await page.show(h(CaseRow, { item }));
  return page.root.text;
}

test.each([
  ['waiting', 'emergency', en.result.callNow],
  ['in_review', 'emergency', en.result.callNow],
  ['action_needed', 'emergency', en.result.callNow],
  ['waiting', 'high', en.result.flagsLead],
] as const)(
  'of a case that is %s the list says what is to be done now, where it is %s',
  async (status, urgency, what) => {
    const item = caseOf(status, urgency);
    const text = await shown(item);
    expect(needsAttention(item)).toBe(true);
    expect(text).toContain(en.result.urgency[urgency]);
    expect(text).toContain(what);
    expect(text).not.toContain(en.folder.soon[status]);
  },
);

test.each([
  ['waiting', undefined],
  ['waiting', 'medium'],
  ['cancelled', 'emergency'],
] as const)('a case that is %s, of urgency %s, calls for nothing now', async (status, urgency) => {
  const item = caseOf(status, urgency);
  expect(needsAttention(item)).toBe(false);
  expect(await shown(item)).toContain(en.folder.soon[status]);
});

test.each([
  ['answered', 'call_emergency_services', undefined, false, 'emergency'],
  ['answered', 'same_day_medical_review', undefined, false, 'high'],
  ['answered', 'self_care_advice', 'emergency', false, undefined],
  ['answered', 'self_care_advice', 'emergency', true, 'emergency'],
  ['waiting', 'self_care_advice', 'high', false, undefined],
  ['waiting', 'self_care_advice', 'high', true, 'high'],
  ['waiting', 'same_day_medical_review', 'high', true, 'high'],
  ['waiting', 'call_emergency_services', 'high', true, 'emergency'],
  ['cancelled', 'self_care_advice', 'high', true, undefined],
] as const)(
  'a case that is %s with the answer %s and advice of urgency %s, found since: %s, is as urgent as %s',
  async (status, answer_action, advised, advice_is_newer, urgency) => {
    const answer_read_at = '2026-11-27T04:00:00Z';
    const read = { answer_available: true, answer_read_at, answer_action, advice_is_newer };
    const item = { ...caseOf(status, advised), ...read };
    expect(needsAttention(item)).toBe(urgency !== undefined);
    const text = await shown(item);
    const words = { emergency: en.result.callNow, high: en.cases.answerUrgentMore };
    expect(text).toContain(urgency === undefined ? en.folder.soon[status] : '');
    const expected =
      urgency === 'high' && status === 'waiting' ? en.result.flagsLead : words[urgency ?? 'high'];
    expect(text.includes(expected)).toBe(urgency !== undefined);
  },
);

test('a case that was sent before leads to the earlier one, and to no other doctor', async () => {
  const again = { ...caseOf('not_eligible'), refused_for: ['duplicate_case:first'] };
  expect(await shown(again)).toContain(en.folder.duplicate);
  expect(await shown(caseOf('not_eligible'))).toContain(en.folder.soon.not_eligible);
});

test('a draft whose answers are an emergency is not one to complete first', async () => {
  const page = openPage();
  await page.show(h(CaseRow, { item: caseOf('draft'), draftUrgency: 'emergency' }));
  expect(page.root.text).toContain(en.result.callNow);
  expect(page.root.text).not.toContain(en.folder.soon.draft);
});
