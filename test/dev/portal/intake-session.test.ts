import type { IntakeState, NextQuestion, RedFlags } from 'dermagate-client';
import { expect, test, vi } from 'vitest';
import type { Outcome } from '../../../dev/portal/src/gateway/attempt.ts';
import { emptyIntake, type Intake } from '../../../dev/portal/src/intake/intake.ts';
import { openIntake } from '../../../dev/portal/src/intake/intake-session.ts';

const question = (questionId: string, fieldName: string): NextQuestion => ({
  questionId,
  fieldName,
  questionType: 'radio',
  questionText: '',
  options: [],
  isComplete: false,
});
const first = question('q_category', 'complaint.category');
const second = question('q_duration', 'complaint.duration');
const noFlags: RedFlags = { hasRedFlags: false, flags: [], urgency: 'low' };
const urgent: RedFlags = { hasRedFlags: true, flags: ['non_blanching_rash'], urgency: 'high' };
const offline = { ok: false, failure: { code: 'offline', fields: {} } } as const;

function intakeOf({
  next = (state: IntakeState): Outcome<NextQuestion> => ({
    ok: true,
    value: state.anamnesis.complaint?.category === undefined ? first : second,
  }),
  flags = (): Outcome<RedFlags> => ({ ok: true, value: noFlags }),
} = {}) {
  const kept: Intake[] = [];
  const session = openIntake(emptyIntake, {
    askNextQuestion: vi.fn(async (state: IntakeState) => next(state)),
    findRedFlags: vi.fn(async () => flags()),
    keep: (intake) => void kept.push(intake),
  });
  session.ask();
  const settled = () => vi.waitUntil(() => session.asked.value.state !== 'asking');
  return { session, kept, settled };
}

test('each answer is kept before the next question is there', async () => {
  const { session, kept, settled } = intakeOf();
  await settled();
  session.apply({ type: 'answered', question: first, answer: 'rash' });
  expect(kept.at(-1)?.steps).toHaveLength(1);
  expect(session.asked.value).toEqual({ state: 'asking' });
  await settled();
  expect(session.asked.value).toEqual({ state: 'asked', question: second });
});

test('a question that does not come leaves the answers as they are, and can be asked for again', async () => {
  let down = false;
  const { session, settled } = intakeOf({ next: () => (down ? offline : { ok: true, value: first }) });
  await settled();
  down = true;
  session.apply({ type: 'answered', question: first, answer: 'rash' });
  await settled();
  expect(session.asked.value).toEqual({ state: 'failed', failure: offline.failure });
  expect(session.intake.value.steps).toHaveLength(1);
  down = false;
  session.ask();
  await settled();
  expect(session.asked.value.state).toBe('asked');
});

test('a question that is asked for again, as in another language, stays until the new one is there', async () => {
  let answer: Outcome<NextQuestion> = { ok: true, value: first };
  const { session, settled } = intakeOf({ next: () => answer });
  await settled();
  const translated = { ...first, questionText: '¿Qué?' };

  answer = offline;
  session.ask();
  expect(session.asked.value).toEqual({ state: 'asked', question: first });
  await vi.waitUntil(() => 'failure' in session.asked.value);
  expect(session.asked.value).toEqual({ state: 'asked', question: first, failure: offline.failure });

  answer = { ok: true, value: translated };
  session.ask();
  await vi.waitUntil(() => !('failure' in session.asked.value));
  expect(session.asked.value).toEqual({ state: 'asked', question: translated });
});

test('urgent flags show at once, and go when the answer behind them is taken back', async () => {
  const { session, settled } = intakeOf({ flags: () => ({ ok: true, value: urgent }) });
  await settled();
  session.apply({ type: 'answered', question: first, answer: 'rash' });
  await vi.waitUntil(() => session.urgentFlags.value !== undefined);
  expect(session.urgentFlags.value).toEqual(urgent);
  session.apply({ type: 'went-back' });
  expect(session.urgentFlags.value).toBeUndefined();
  await settled();
});

test('a check of the flags that fails hides no flag that is known', async () => {
  let down = false;
  const { session, settled } = intakeOf({ flags: () => (down ? offline : { ok: true, value: urgent }) });
  await settled();
  session.apply({ type: 'answered', question: first, answer: 'rash' });
  await vi.waitUntil(() => session.urgentFlags.value !== undefined);
  down = true;
  session.apply({ type: 'answered', question: second, answer: 'one_to_four_weeks' });
  await settled();
  expect(session.urgentFlags.value).toEqual(urgent);
});
