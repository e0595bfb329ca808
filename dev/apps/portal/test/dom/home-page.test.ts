import { type Signal, signal } from '@preact/signals';
import { expect, test, vi } from 'vitest';
import { en } from '../../src/i18n/en.ts';
import type { DraftSaver } from '../../src/patient/draft/draft-saver.ts';
import { emptyIntake, type Intake } from '../../src/patient/intake/intake.ts';
import { openIntake } from '../../src/patient/intake/intake-session.ts';
import type { RedFlags } from '../../../../packages/client/src/index.ts';
import { elementsOf, firstDrawing, press, textOf } from './elements-of.ts';

const { address, go, draft } = vi.hoisted(() => ({
  address: { value: '/' },
  go: vi.fn(),
  draft: { uuid: 'case', patient_status: 'draft' },
}));
vi.mock('preact/hooks', () => firstDrawing());
vi.mock('../../src/i18n/language.ts', () => ({ language: signal('en'), texts: signal(en) }));
vi.mock('../../src/session/route.ts', () => ({ go, path: address }));
vi.mock('../../src/session/session.ts', () => ({ session: signal({ state: 'signed-in' }) }));
vi.mock('../../src/patient/cases/features.ts', () => ({ takesCases: signal(false), casesFailure: signal() }));
vi.mock('../../src/patient/cases/own-cases.ts', () => ({
  needsAttention: () => false,
  useCases: () => ({ value: { items: [draft] } }),
}));
vi.mock('../../src/patient/cases/case-row.tsx', () => ({
  CaseRow: ({ item }: { item: typeof draft }) => ({ type: 'li', props: { id: item.uuid } }),
}));
const { HomePage } = await import('../../src/patient/pages/home.tsx');
const { takesCases } = (await import('../../src/patient/cases/features.ts')) as unknown as {
  takesCases: Signal<boolean>;
};
const { draftSaver } = await import('../../src/patient/draft/current-draft.ts');

const never = () => new Promise<never>(() => {});

const open = (start: Intake) =>
  openIntake(start, { askNextQuestion: never, findRedFlags: never, save: () => {} });
const homeOf = (intake: ReturnType<typeof open>) =>
  elementsOf(HomePage({ intake, email: 'ann@example.org' }));

async function started(start: Intake): Promise<Intake> {
  const intake = open(start);
  press(homeOf(intake), en.home.start);
  await vi.waitUntil(() => go.mock.calls.length > 0);
  expect(go.mock.calls).toEqual([['/intake']]);
  go.mockClear();
  return intake.intake.value;
}

const answers = { patient: { ageYears: 5 } };
const known = { clientId: 'mine', uuid: 'case', version: 1 } as const;
const reporter = {
  questionId: 'q_who',
  questionType: 'radio',
  fieldName: 'reporter',
  answer: 'self',
} as const;
const whole: Intake = { ...emptyIntake, steps: [reporter], case: { ...known, stored: true } };

test.each<[string, Intake]>([
  ['of a case that waits for answers', { ...emptyIntake, base: answers, case: { ...known, held: true } }],
  [
    'of a draft that is being continued',
    { ...emptyIntake, found: answers, case: { ...known, stored: true } },
  ],
  ['of a draft whose first answer was taken back', { ...emptyIntake, case: known }],
  ['after the first one, which is being changed', { ...emptyIntake, ahead: [reporter], before: whole }],
])('a new start has none of the answers %s', async (_, left) => {
  expect(await started(left)).toEqual(emptyIntake);
});

test('a start without any answers leaves what was entered and not sent', async () => {
  const entered: Intake = { ...emptyIntake, drafts: { q_who: reporter } };
  expect(await started(entered)).toBe(entered);
});

test('a draft is on the page once: among the drafts until one of its answers is here', () => {
  const idsOf = (start: Intake) => homeOf(open(start)).map(({ props }) => props['id']);
  expect(idsOf({ ...emptyIntake, found: answers, case: { ...known, stored: true } })).toContain('case');
  expect(idsOf(whole)).not.toContain('case');
});

const flags: RedFlags = {
  hasRedFlags: true,
  flags: ['anaphylaxis'],
  urgency: 'emergency',
  flagDetails: [
    { code: 'anaphylaxis', text: 'A swollen tongue needs help now.', urgency: 'emergency', certainty: 'met' },
  ],
  emergencyNumber: '112',
};
const contentOf = (start: Intake) => homeOf(open(start)).map(({ props }) => textOf(props['children']));

test.each<[string, boolean, Partial<Intake>]>([
  ['answers that no doctor has', true, {}],
  ['answers that are sent', false, { case: { ...known, sent: true } }],
  ['no answers', false, { steps: [] }],
])('the start page calls for help first because of %s: %o', (_, expected, change) => {
  const content = contentOf({ ...whole, urgent: flags, ...change });
  expect(content.some((text) => text.includes('A swollen tongue needs help now.'))).toBe(expected);
  // One number to call, not two.
  expect(content).toContain(expected ? en.result.callNow : en.home.emergency);
  expect(content).not.toContain(expected ? en.home.emergency : en.result.callNow);
});

test('a new start that waits for the answers to be stored takes none from a patient who has gone on with them', async () => {
  const storing = Promise.withResolvers<void>();
  const flush = vi.fn(async () => await storing.promise);
  draftSaver.value = { flush, state: signal({ state: 'storing' }) } as unknown as DraftSaver;
  takesCases.value = true;
  const intake = open({ ...whole, case: known });
  press(homeOf(intake), en.folder.newStart);
  address.value = '/intake';
  intake.apply({ type: 'case-known', case: { ...known, stored: true } });
  storing.resolve();
  await vi.waitFor(() => expect(flush).toHaveResolved());
  for (let n = 0; n < 20; n += 1) await Promise.resolve();
  expect([intake.intake.value.steps, go.mock.calls]).toEqual([[reporter], []]);
  address.value = '/';
  press(homeOf(intake), en.folder.newStart);
  await vi.waitUntil(() => go.mock.calls.length > 0);
  expect(intake.intake.value).toEqual(emptyIntake);
  takesCases.value = false;
  draftSaver.value = undefined;
});
