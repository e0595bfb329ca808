import { signal } from '@preact/signals';
import type { Profile, RedFlags } from '../../../../packages/client/src/index.ts';
import { expect, test, vi } from 'vitest';
import { en } from '../../src/i18n/en.ts';
import { emptyIntake, type Intake, type Step } from '../../src/patient/intake/intake.ts';
import { openIntake } from '../../src/patient/intake/intake-session.ts';
import { elementsOf, firstDrawing, press, textOf } from './elements-of.ts';

const { profiles } = vi.hoisted(() => ({
  profiles: [
    {
      uuid: 'me',
      relation: 'self',
      display_name: 'Ann Levi',
      given_name: 'Ann',
      family_name: 'Levi',
      age_years: null,
    },
  ] as unknown as Profile[],
}));
vi.mock('preact/hooks', () => firstDrawing());
vi.mock('../../src/i18n/language.ts', () => ({ language: signal('en'), texts: signal(en) }));
vi.mock('../../src/session/route.ts', () => ({ go: () => {} }));
vi.mock('../../src/session/session.ts', () => ({ session: signal({ state: 'signed-in' }) }));
vi.mock('../../src/gateway/case-calls.ts', () => ({
  readConsent: undefined,
  readCase: undefined,
  updateCase: undefined,
  createCase: () => new Promise(() => {}),
}));
vi.mock('../../src/patient/cases/own-cases.ts', () => ({}));
vi.mock('../../src/account/people/use-profiles.ts', () => ({ useProfiles: () => ({ profiles }) }));
vi.mock('../../src/account/people/add-person.tsx', () => ({ AddPerson: () => null }));
vi.mock('../../src/patient/cases/consent-box.tsx', () => ({ ConsentBox: () => null }));
vi.mock('../../src/query/use-loaded.ts', () => ({
  useLoaded: () => ({ outcome: { ok: true, value: { profiles } } }),
}));
const { IntakeSheetPage } = await import('../../src/patient/pages/sheet.tsx');
const { SendCasePage } = await import('../../src/patient/pages/send-case.tsx');

const never = () => new Promise<never>(() => {});
const age: Step = { questionId: 'q_age', questionType: 'number', fieldName: 'patient.ageYears', answer: 5 };
const answeredBy = (reporter: string, others: Partial<Intake> = {}) =>
  openIntake(
    {
      ...emptyIntake,
      ...others,
      steps: [age, { questionId: 'q_who', questionType: 'radio', fieldName: 'reporter', answer: reporter }],
    },
    { askNextQuestion: never, findRedFlags: never, save: () => {} },
  );

test.each([
  ['caregiver', undefined],
  ['self', 'Ann Levi'],
])('on the page for a doctor the answers of the reporter %s have the name %s', (reporter, expected) => {
  expect(IntakeSheetPage({ intake: answeredBy(reporter) }).props).toMatchObject({
    name: expected,
    ageYears: 5,
  });
});

test.each([
  ['caregiver', []],
  ['self', ['me']],
])('before the case of the reporter %s is sent, these are preselected: %o', (reporter, expected) => {
  const chosen = elementsOf(SendCasePage({ intake: answeredBy(reporter) })).filter(
    ({ props }) => props['name'] === 'person' && props['checked'] === true,
  );
  expect(chosen.map(({ props }) => props['value'])).toEqual(expected);
});

test('whom the result has asked to call for help is asked so until the case is sent', () => {
  const content = (urgent: RedFlags) =>
    elementsOf(SendCasePage({ intake: answeredBy('self', { urgent }) })).map(({ props }) =>
      textOf(props['children']),
    );
  const flags = { hasRedFlags: true, flags: ['airway'], flagDetails: [] };
  expect(content({ ...flags, urgency: 'emergency' })).toContain(en.result.callNow);
  expect(content({ ...flags, urgency: 'high' })).toContain(en.home.emergency);
});

test.each<[string, Partial<Intake>]>([
  ['was postponed', { personLater: true }],
  ['was another', { person: { uuid: 'child', relation: 'child' } }],
])('where the person %s, later answers are about the one that the case is sent for', (_, before) => {
  const intake = answeredBy('self', before);
  press(elementsOf(SendCasePage({ intake })), en.cases.keepDraft);
  expect(intake.intake.value.person).toEqual({ uuid: 'me', relation: 'self' });
  expect(intake.intake.value.personLater).toBeUndefined();
});
