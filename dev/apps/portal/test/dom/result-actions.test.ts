import { signal } from '@preact/signals';
import { h } from 'preact';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { en } from '../../src/i18n/en.ts';
import type { DraftSaver, DraftState } from '../../src/patient/draft/draft-saver.ts';
import { emptyIntake, type IntakeCase, type Step } from '../../src/patient/intake/intake.ts';
import { openIntake } from '../../src/patient/intake/intake-session.ts';
import { openPage } from './fake-page.ts';

const { features, go } = vi.hoisted(() => ({
  features: { takesCases: { value: true } },
  go: vi.fn<(to: string) => void>(),
}));
vi.mock('../../src/i18n/language.ts', () => import('./fake-language.ts'));
vi.mock('../../src/session/route.ts', () => ({ go, path: { value: '/result' } }));
vi.mock('../../src/patient/cases/features.ts', () => features);
const { ResultActions } = await import('../../src/patient/pages/result-actions.tsx');
const { TriagePart } = await import('../../src/patient/result/triage-part.tsx');
const { draftSaver } = await import('../../src/patient/draft/current-draft.ts');

const reporter: Step = { questionId: 'q_who', questionType: 'radio', fieldName: 'reporter', answer: 'self' };
const stored: IntakeCase = { clientId: 'mine', uuid: 'case', version: 1, stored: true };

beforeEach(() => go.mockReset());
afterEach(() => {
  draftSaver.value = undefined;
  features.takesCases.value = true;
});

/** A result whose answers the clinic stores, or that are in this tab only. */
async function open(after: DraftState, known?: IntakeCase) {
  const never = () => new Promise<never>(() => {});
  const intake = openIntake(
    { ...emptyIntake, steps: [reporter] },
    { askNextQuestion: never, findRedFlags: never, save: () => {} },
  );
  const flush = async () => known && intake.apply({ type: 'case-known', case: known });
  draftSaver.value = { flush, state: signal(after) } as unknown as DraftSaver;
  const page = openPage();
  await page.show(h(ResultActions, { intake, canReview: false }));
  return { page, intake, press: (text: string) => page.send('click', 'button', { text }) };
}

test('a new assessment leaves the answers at the clinic', async () => {
  const { intake, press } = await open({ state: 'stored' }, stored);
  await press(en.result.again);
  await vi.waitFor(() => expect(go.mock.calls).toEqual([['/']]));
  expect(intake.intake.value).toEqual(emptyIntake);
});

test('answers that are in this tab only are given up when the patient agrees, and not by one press', async () => {
  const { page, intake, press } = await open({ state: 'failed', failure: { code: 'offline', fields: {} } });
  await press(en.result.again);
  await vi.waitUntil(() => page.root.text.includes(en.problems.offline));
  expect([intake.intake.value.steps, go.mock.calls]).toEqual([[reporter], []]);
  await press(en.home.startAgain);
  expect([intake.intake.value, go.mock.calls]).toEqual([emptyIntake, [['/']]]);
});

test('where the clinic takes no cases, and stores none, a new assessment begins at once', async () => {
  features.takesCases.value = false;
  const { intake, press } = await open({ state: 'stored' });
  await press(en.result.again);
  expect([intake.intake.value, go.mock.calls]).toEqual([emptyIntake, [['/']]]);
});

test.each([
  ['emergency', en.result.soon.emergency],
  ['high', en.result.soon.urgent_24h],
  ['medium', en.result.soon.soon_2_weeks],
  ['low', en.result.triageMissing],
  [undefined, en.result.triageMissing],
] as const)(
  'beside flags that are %s a level that could not be determined is "%s"',
  async (urgency, text) => {
    const redFlags = urgency && { hasRedFlags: true, flags: ['sepsis'], urgency };
    const page = openPage();
    const part = { state: 'failed', failure: { code: 'ai_timeout', fields: {} } } as const;
    await page.show(h(TriagePart, { part, redFlags, isSent: false }));
    expect(page.root.text).toBe(`${en.result.soonTitle}${text}`);
  },
);
