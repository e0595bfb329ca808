import type { Diagnosis, NextQuestion, RedFlags, Triage } from 'dermagate-client';
import { expect, test, vi } from 'vitest';
import type { Outcome } from '../../../dev/portal/src/gateway/attempt.ts';
import {
  beginAssessment,
  failureToShow,
  flagsInOrder,
  redFlagsOf,
} from '../../../dev/portal/src/result/assessment.ts';
import { openAssessment } from '../../../dev/portal/src/result/assessment-session.ts';

const end: NextQuestion = {
  questionId: '',
  fieldName: '',
  questionType: 'text',
  questionText: '',
  options: [],
  isComplete: true,
};
const flag = (code: string, urgency: RedFlags['urgency']): RedFlags => ({
  hasRedFlags: true,
  flags: [code],
  urgency,
  flagDetails: [{ code, text: code, urgency }],
});
const emergencyEnd: NextQuestion = {
  ...end,
  emergency: ['airway_or_breathing'],
  emergencyDetails: [{ code: 'airway_or_breathing', text: 'x', urgency: 'emergency' }],
};
const triage: Triage = {
  priority: 'routine',
  urgencyScore: 2,
  recommendedAction: 'self_care_advice',
  reasons: [],
};
const diagnosis = (redFlags: RedFlags): Diagnosis => ({
  predictions: [],
  red_flags: redFlags,
  image_validity: { isValid: true, score: 1, issues: [] },
});
const failed = (retryAfter?: number): Outcome<never> => ({
  ok: false,
  failure: { code: 'ai_unavailable', fields: {}, ...(retryAfter !== undefined && { retryAfter }) },
});
const answered = <Value>(value: Value): Outcome<Value> => ({ ok: true, value });

function assessmentOf(
  answers: { redFlags: Outcome<RedFlags>; triage: Outcome<Triage>; diagnosis: Outcome<Diagnosis> },
  ending = end,
) {
  const ports = {
    findRedFlags: vi.fn(async () => answers.redFlags),
    triage: vi.fn(async () => answers.triage),
    diagnose: vi.fn(async () => answers.diagnosis),
  };
  const session = openAssessment({}, ending, ports);
  const settled = () =>
    vi.waitUntil(() => Object.values(session.assessment.value).every((part) => part?.state !== 'waiting'));
  return { session, ports, settled };
}

test('red flags show although the diagnosis has failed, and only what failed is asked for again', async () => {
  const answers = {
    redFlags: answered(flag('sepsis', 'high')),
    triage: answered(triage),
    diagnosis: failed(3),
  };
  const { session, ports, settled } = assessmentOf(answers);
  session.ask();
  await settled();
  expect(redFlagsOf(session.assessment.value)).toEqual({ state: 'answered', value: flag('sepsis', 'high') });
  expect(failureToShow(session.assessment.value)?.retryAfter).toBe(3);
  session.retry();
  await settled();
  expect(ports.findRedFlags).toHaveBeenCalledTimes(1);
  expect(ports.triage).toHaveBeenCalledTimes(1);
  expect(ports.diagnose).toHaveBeenCalledTimes(2);
});

test('flags of both answers count, the most urgent first', async () => {
  const { session, settled } = assessmentOf({
    redFlags: answered(flag('mole', 'medium')),
    triage: answered(triage),
    diagnosis: answered(diagnosis(flag('sepsis', 'emergency'))),
  });
  session.ask();
  await settled();
  const part = redFlagsOf(session.assessment.value);
  if (part.state !== 'answered') throw new Error(part.state);
  expect(part.value).toMatchObject({ urgency: 'emergency', flags: ['mole', 'sepsis'] });
  expect(flagsInOrder(part.value).map(({ code }) => code)).toEqual(['sepsis', 'mole']);
});

test('that nobody could look for red flags is never taken for "none"', async () => {
  const { session, settled } = assessmentOf({ redFlags: failed(), triage: failed(), diagnosis: failed() });
  session.ask();
  expect(redFlagsOf(session.assessment.value).state).toBe('waiting');
  await settled();
  expect(redFlagsOf(session.assessment.value).state).toBe('failed');
});

test('an emergency is on the screen at once, stays there, and waits for no diagnosis', async () => {
  const begun = beginAssessment(emergencyEnd);
  expect(redFlagsOf(begun)).toMatchObject({ state: 'answered', value: { urgency: 'emergency' } });
  const { session, ports, settled } = assessmentOf(
    { redFlags: failed(), triage: failed(), diagnosis: failed() },
    emergencyEnd,
  );
  session.ask();
  await settled();
  expect(redFlagsOf(session.assessment.value)).toMatchObject({ value: { flags: ['airway_or_breathing'] } });
  expect(ports.diagnose).not.toHaveBeenCalled();
});
