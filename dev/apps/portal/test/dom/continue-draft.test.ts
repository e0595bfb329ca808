import type { MobileCase, NextQuestion, PartialAnamnesis } from '../../../../packages/client/src/index.ts';
import { expect, test, vi } from 'vitest';
import { emptyIntake, type Intake, stateOf } from '../../src/patient/intake/intake.ts';
import { openIntake } from '../../src/patient/intake/intake-session.ts';

vi.mock('../../src/session/route.ts', () => ({ go: () => {} }));
const { continueDraft } = await import('../../src/patient/draft/continue-draft.ts');

const question = (fieldName: string): NextQuestion => ({
  questionId: fieldName,
  questionType: 'radio',
  fieldName,
  questionText: '',
  options: [],
  isComplete: false,
});

const waiting = (anamnesis: PartialAnamnesis, version: number) =>
  ({
    uuid: 'case',
    version,
    anamnesis,
    images: [],
    patient_status: 'action_needed',
  }) as unknown as MobileCase;
const category = { complaint: { category: 'rash' } } as const;

function open(start: Intake = emptyIntake) {
  const asked: PartialAnamnesis[] = [];
  const session = openIntake(start, {
    askNextQuestion: ({ anamnesis }) => {
      asked.push(anamnesis);
      return new Promise(() => {});
    },
    findRedFlags: () => new Promise(() => {}),
    save: () => {},
  });
  return { session, asked };
}

const answerDuration = ({ session }: ReturnType<typeof open>) =>
  session.apply({ type: 'answered', question: question('complaint.duration'), answer: 'one_day' });

test('of a case that waits for answers only what is missing is asked', () => {
  const { session } = open();
  continueDraft(waiting(category, 1), session);
  expect(stateOf(session.intake.value).anamnesis).toEqual(category);
  expect(session.intake.value.case).toMatchObject({ uuid: 'case', version: 1, held: true });
});

test('the answers to what was missing stay when the patient comes back to the case before sending them', () => {
  const tab = open();
  continueDraft(waiting(category, 1), tab.session);
  answerDuration(tab);
  const left = tab.session.intake.value;
  continueDraft(waiting(category, 1), tab.session);
  expect(tab.session.intake.value).toBe(left);
});

test('they stay when the case has changed since, and can then be sent with what it has become', () => {
  const tab = open();
  continueDraft(waiting(category, 1), tab.session);
  answerDuration(tab);
  const { clientId } = tab.session.intake.value.case ?? {};
  continueDraft(waiting({ ...category, reporter: 'self' }, 2), tab.session);
  const whole = { complaint: { category: 'rash', duration: 'one_day' }, reporter: 'self' };
  expect(stateOf(tab.session.intake.value).anamnesis).toEqual(whole);
  expect(tab.session.intake.value.case).toEqual({ clientId, uuid: 'case', version: 2, held: true });
  expect(tab.asked.at(-1)).toEqual(whole);
});

test('once they are sent, a second request for answers begins with the case as it is', () => {
  const tab = open();
  continueDraft(waiting(category, 1), tab.session);
  answerDuration(tab);
  const known = { clientId: 'mine', uuid: 'case', version: 2, sent: true } as const;
  tab.session.apply({ type: 'case-known', case: known });
  const whole = { complaint: { category: 'rash', duration: 'one_day' } } as const;
  continueDraft(waiting(whole, 3), tab.session);
  expect(tab.session.intake.value).toEqual({
    ...emptyIntake,
    base: whole,
    case: { clientId: 'mine', uuid: 'case', version: 3, held: true },
  });
});

test.each([
  ['self', undefined],
  ['child', { uuid: 'person', relation: 'child' }],
])('the person of a draft of %s is %o: the owner’s is so without a choice', (relation, expected) => {
  const { session } = open();
  const patient = { uuid: 'person', relation };
  continueDraft({ ...waiting(category, 1), patient_status: 'draft', patient } as MobileCase, session);
  expect(session.intake.value.person).toEqual(expected);
});
