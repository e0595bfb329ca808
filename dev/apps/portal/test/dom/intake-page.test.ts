import { type Signal, signal } from '@preact/signals';
import type { NextQuestion, RedFlags } from '../../../../packages/client/src/index.ts';
import { afterEach, expect, test, vi } from 'vitest';
import { en } from '../../src/i18n/en.ts';
import { type Asked, type IntakeSession, openIntake } from '../../src/patient/intake/intake-session.ts';
import type { DraftSaver } from '../../src/patient/draft/draft-saver.ts';
import { emptyIntake, type Intake, type Step } from '../../src/patient/intake/intake.ts';
import type { Session } from '../../src/session/session.ts';
import { elementsOf, firstDrawing, press, textOf } from './elements-of.ts';

vi.mock('preact/hooks', () => firstDrawing());
vi.mock('../../src/i18n/language.ts', () => ({ language: signal('en'), texts: signal(en) }));
vi.mock('../../src/session/route.ts', () => ({ go: () => {}, goToQuestionBefore: () => {} }));
vi.mock('../../src/session/session.ts', () => ({ session: signal({ state: 'signed-in' }) }));
vi.mock('../../src/account/account-form.tsx', () => ({
  AccountForm: ({ notice }: { notice: unknown }) => notice,
}));
vi.mock('../../src/gateway/gateway.ts', () => ({}));
vi.mock('../../src/gateway/case-calls.ts', () => ({}));
vi.mock('../../src/patient/cases/features.ts', () => ({ takesCases: signal(false), casesFailure: signal() }));
vi.mock('../../src/account/people/use-profiles.ts', () => ({ useProfiles: () => ({}) }));
vi.mock('../../src/patient/pages/result.tsx', () => ({}));
vi.mock('../../src/patient/pages/review.tsx', () => ({}));
vi.mock('../../src/patient/questions/camera-question.tsx', () => ({}));
vi.mock('../../src/patient/questions/answer-form.tsx', () => ({ AnswerForm: () => null }));
const { SignInPage } = await import('../../src/account/sign-in.tsx');
const { session } = (await import('../../src/session/session.ts')) as { session: Signal<Session> };
const { IntakePage } = await import('../../src/patient/pages/intake.tsx');
const { emergencyNumber } = await import('../../src/gateway/help-lines.ts');
const { takesCases } = (await import('../../src/patient/cases/features.ts')) as unknown as {
  takesCases: Signal<boolean>;
};
const { draftSaver } = await import('../../src/patient/draft/current-draft.ts');

const question: NextQuestion = {
  questionId: 'q_systemic',
  questionType: 'checkbox',
  fieldName: 'symptoms.systemic',
  questionText: '',
  options: [],
  isComplete: false,
};
const failure = { code: 'ai_timeout', fields: {} } as const;
const reporter = { questionId: 'q_who', questionType: 'radio', fieldName: 'reporter' } as const;
const byParent: Intake = { ...emptyIntake, steps: [{ ...reporter, answer: 'parent_guardian' }] };

const never = () => new Promise<never>(() => {});

const page = (asked: Asked, intake: Intake = emptyIntake) => {
  const urgentFlags = signal(intake.urgent);
  const session = { intake: signal(intake), asked: signal(asked), urgentFlags, unsent: {} };
  return elementsOf(IntakePage({ intake: session as unknown as IntakeSession, showsResult: false }));
};
const callsOf = (elements: ReturnType<typeof page>) =>
  elements.filter(({ type }) => type === 'a').map(({ props }) => props['href']);

afterEach(() => {
  emergencyNumber.value = undefined;
  takesCases.value = false;
  draftSaver.value = undefined;
});

test.each<[string, Asked]>([
  ['is awaited', { state: 'asking' }],
  ['could not be asked', { state: 'failed', failure }],
  ['is on the screen', { state: 'asked', question }],
])('the emergency number is one tap away while a question %s', (_, asked) => {
  emergencyNumber.value = '101';
  expect(callsOf(page(asked))).toEqual(['tel:101']);
});

test('a question that could not be asked leaves the advice when to call, as the answer before it was not checked', () => {
  const failed = (urgent: Partial<Intake>) =>
    page({ state: 'failed', failure }, { ...emptyIntake, ...urgent }).map(({ props }) =>
      textOf(props['children']),
    );
  const flags: RedFlags = { hasRedFlags: true, flags: ['airway'], urgency: 'emergency' };
  expect(failed({})).toContain(en.home.emergency);
  // A known emergency stands alone.
  expect(failed({ urgent: flags })).toContain(en.result.callNow);
  expect(failed({ urgent: flags })).not.toContain(en.home.emergency);
  expect(failed({})).not.toContain(en.problems.unexpected);
});

test.each<[Session, string[]]>([
  [{ state: 'signed-out', lost: true, role: 'patient' }, ['tel:101']],
  // Of a page that was opened after its session had ended.
  [{ state: 'signed-out', lost: true }, ['tel:101']],
  [{ state: 'signed-out', lost: true, role: 'physician' }, []],
  [{ state: 'signed-out', lost: false }, []],
])('after the session %j the sign-in has these numbers: %j', (now, expected) => {
  emergencyNumber.value = '101';
  session.value = now;
  expect(callsOf(elementsOf(SignInPage()))).toEqual(expected);
});

test('it is one tap away while the person of the answers is asked for', () => {
  emergencyNumber.value = '101';
  takesCases.value = true;
  const elements = page({ state: 'asking' }, byParent);
  expect(elements.map(({ props }) => props['class'])).toContain('person-question');
  expect(callsOf(elements)).toEqual(['tel:101']);
});

const age = {
  questionId: 'q_age',
  questionType: 'number',
  fieldName: 'patient.ageYears',
  answer: 5,
} as const;

test.each<[string, boolean, Step[]]>([
  ['of a parent', true, [{ ...reporter, answer: 'parent_guardian' }]],
  ['of a caregiver', true, [{ ...reporter, answer: 'caregiver' }]],
  ['about a child, of an unknown', true, [age, reporter]],
  ['about a child, before it is known who gives them', false, [age]],
  ['of the patient', false, [age, { ...reporter, answer: 'self' }]],
])('for the answers %s the person is asked: %o', (_, expected, steps) => {
  takesCases.value = true;
  const shown = page({ state: 'asked', question }, { ...emptyIntake, steps });
  expect(shown.some(({ props }) => props['class'] === 'person-question')).toBe(expected);
});

test('without a person the questions go on, unsaved, after later answers too', () => {
  takesCases.value = true;
  const session = openIntake(byParent, { askNextQuestion: never, findRedFlags: never, save: () => {} });
  const isPersonAsked = () =>
    page({ state: 'asked', question }, session.intake.value).some(
      ({ props }) => props['class'] === 'person-question',
    );
  press(elementsOf(IntakePage({ intake: session, showsResult: false })), en.folder.goOnUnsaved);
  expect(isPersonAsked()).toBe(false);
  session.apply({ type: 'answered', question, answer: ['fever'] });
  session.back();
  expect(isPersonAsked()).toBe(false);
  session.apply({ type: 'started-again' });
  session.apply({ type: 'answered', question: { ...question, ...reporter }, answer: 'caregiver' });
  expect(isPersonAsked()).toBe(true);
  session.stop();
});

test('answers without a person are called unsaved', () => {
  draftSaver.value = { state: signal({ state: 'person-missing' }) } as unknown as DraftSaver;
  const elements = page({ state: 'asked', question }, { ...byParent, personLater: true });
  expect(elements.map(({ props }) => textOf(props['children']))).toContain(en.folder.unsaved);
});

test('before the first reply there is no number, and no empty line for it', () => {
  expect(page({ state: 'asking' }).map(({ props }) => props['class'])).not.toContain('progress');
});
