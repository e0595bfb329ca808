import type { Diagnosis, NextQuestion, RedFlags, Triage } from 'dermagate-client';
import { describe, expect, test, vi } from 'vitest';
import type { Outcome } from '../src/gateway/attempt.ts';
import type { StoredDiagnosis } from '../src/patient/intake/intake.ts';
import {
  type Assessment,
  failureToShow,
  fitOf,
  flagsInOrder,
  isReassuring,
  lastOf,
  partOf,
  redFlagsOf,
  splitByEmergency,
} from '../src/patient/result/assessment.ts';
import { openAssessment } from '../src/patient/result/assessment-session.ts';

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
  flagDetails: [{ code, text: code, urgency, certainty: 'met' }],
});
const emergencyEnd: NextQuestion = {
  ...end,
  emergency: ['airway_or_breathing'],
  emergencyDetails: [{ code: 'airway_or_breathing', text: 'x', urgency: 'emergency', certainty: 'met' }],
};
const triage: Triage = {
  priority: 'routine',
  urgencyScore: 2,
  recommendedAction: 'self_care_advice',
  reasons: [],
};
const diagnosis = (redFlags: RedFlags): StoredDiagnosis => {
  const image_validity = { isValid: true, score: 1, issues: [] };
  const findings: Diagnosis = { predictions: [], red_flags: redFlags, image_validity };
  return { findings, language: 'en', madeAt: '2026-01-01T00:00:00.000Z' };
};
const failed = (retryAfter?: number): Outcome<never> => ({
  ok: false,
  failure: { code: 'ai_unavailable', fields: {}, ...(retryAfter !== undefined && { retryAfter }) },
});
const answered = <Value>(value: Value): Outcome<Value> => ({ ok: true, value });

function assessmentOf(
  answers: { redFlags: Outcome<RedFlags>; triage: Outcome<Triage>; diagnosis: Outcome<StoredDiagnosis> },
  { diagnosis: known, urgent }: Pick<Assessment, 'diagnosis'> & { urgent?: RedFlags } = {
    diagnosis: { state: 'waiting' },
  },
) {
  const ports = {
    findRedFlags: vi.fn(async () => answers.redFlags),
    triage: vi.fn(async () => answers.triage),
    diagnose: vi.fn(async () => answers.diagnosis),
  };
  const session = openAssessment({}, known, ports, urgent);
  const settled = () =>
    vi.waitUntil(() => Object.values(session.assessment.value).every((part) => part?.state !== 'waiting'));
  return { session, ports, settled };
}

test('red flags show although the diagnosis failed, and a retry repeats only the failed request', async () => {
  const answers = {
    redFlags: answered(flag('sepsis', 'high')),
    triage: answered(triage),
    diagnosis: failed(3),
  };
  const { session, ports, settled } = assessmentOf(answers);
  session.ask('en');
  await settled();
  expect(redFlagsOf(session.assessment.value, end)).toEqual({
    state: 'answered',
    value: flag('sepsis', 'high'),
  });
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
  session.ask('en');
  await settled();
  const part = redFlagsOf(session.assessment.value, end);
  if (part.state !== 'answered') throw new Error(part.state);
  expect(part.value).toMatchObject({ urgency: 'emergency', flags: ['sepsis', 'mole'] });
  expect(flagsInOrder(part.value).map(({ code }) => code)).toEqual(['sepsis', 'mole']);
});

test('a flag of both answers is as urgent as the more urgent one', async () => {
  const { session, settled } = assessmentOf({
    redFlags: answered(flag('sepsis', 'high')),
    triage: answered(triage),
    diagnosis: answered(diagnosis(flag('sepsis', 'emergency'))),
  });
  session.ask('en');
  await settled();
  expect(redFlagsOf(session.assessment.value, end)).toEqual({
    state: 'answered',
    value: flag('sepsis', 'emergency'),
  });
});

test('a failed check for red flags never counts as "none"', async () => {
  const { session, settled } = assessmentOf({ redFlags: failed(), triage: failed(), diagnosis: failed() });
  session.ask('en');
  expect(redFlagsOf(session.assessment.value, end).state).toBe('waiting');
  await settled();
  expect(redFlagsOf(session.assessment.value, end).state).toBe('failed');
});

test('an emergency is shown immediately, stays, and waits for no diagnosis', async () => {
  const { session, ports, settled } = assessmentOf(
    { redFlags: failed(), triage: failed(), diagnosis: failed() },
    { diagnosis: undefined },
  );
  const shown = () => redFlagsOf(session.assessment.value, emergencyEnd);
  const alarm = { state: 'answered', value: { urgency: 'emergency', flags: ['airway_or_breathing'] } };
  expect(shown()).toMatchObject(alarm);
  session.ask('en');
  expect(shown()).toMatchObject(alarm);
  await settled();
  expect(shown()).toMatchObject(alarm);
  expect(ports.diagnose).not.toHaveBeenCalled();
});

test('after a language change the emergency text comes from the reply in that language', async () => {
  const said = (text: string) => ({
    code: 'airway_or_breathing',
    text,
    urgency: 'emergency' as const,
    certainty: 'met' as const,
  });
  const inSpanish: NextQuestion = { ...emergencyEnd, emergencyDetails: [said('es')] };
  const answers = { redFlags: failed() as Outcome<RedFlags>, triage: failed(), diagnosis: failed() };
  const { session, settled } = assessmentOf(answers, { diagnosis: undefined });
  const texts = () => {
    const part = redFlagsOf(session.assessment.value, inSpanish);
    return part.state === 'answered' ? part.value.flagDetails?.map(({ text }) => text) : part.state;
  };
  session.ask('es');
  await settled();
  expect(texts()).toEqual(['es']);
  expect(failureToShow(session.assessment.value)?.code).toBe('ai_unavailable');

  answers.redFlags = answered({ ...flag('airway_or_breathing', 'emergency'), flagDetails: [said('he')] });
  session.ask('he');
  await settled();
  expect(texts()).toEqual(['he']);
});

test('a language change requests red flags and triage again but no other diagnosis', async () => {
  const made = diagnosis(flag('mole', 'medium'));
  const { session, ports, settled } = assessmentOf({
    redFlags: answered(flag('sepsis', 'high')),
    triage: answered(triage),
    diagnosis: answered(made),
  });
  session.ask('en');
  session.ask('he');
  session.ask('he');
  await settled();
  expect(ports.findRedFlags).toHaveBeenCalledTimes(2);
  expect(ports.triage).toHaveBeenCalledTimes(2);
  expect(ports.diagnose).toHaveBeenCalledTimes(1);
  expect(session.assessment.value.diagnosis).toEqual({ state: 'answered', value: made });
  session.diagnoseAgain();
  await settled();
  expect(ports.diagnose).toHaveBeenCalledTimes(2);
});

test('what was found stays while it is asked for in another language, and when that fails', async () => {
  const answers = {
    redFlags: answered(flag('sepsis', 'high')) as Outcome<RedFlags>,
    triage: answered<Triage>({ ...triage, priority: 'urgent_24h' }) as Outcome<Triage>,
    diagnosis: failed(),
  };
  const { session, settled } = assessmentOf(answers, { diagnosis: undefined });
  const shown = () => redFlagsOf(session.assessment.value, end);
  session.ask('en');
  await settled();
  answers.redFlags = answers.triage = failed();
  for (const language of ['he', 'es'] as const) {
    session.ask(language);
    expect(shown()).toMatchObject({ state: 'answered', value: { urgency: 'high', flags: ['sepsis'] } });
    expect(lastOf(session.assessment.value.triage)?.priority).toBe('urgent_24h');
    await settled();
    expect(shown()).toMatchObject({ state: 'answered', value: { urgency: 'high', flags: ['sepsis'] } });
    expect(lastOf(session.assessment.value.triage)?.priority).toBe('urgent_24h');
    expect(failureToShow(session.assessment.value)?.code).toBe('ai_unavailable');
  }
  answers.redFlags = answered(flag('zoster', 'medium'));
  answers.triage = answered({ ...triage, priority: 'soon_2_weeks' });
  session.retry();
  await settled();
  expect(shown()).toEqual({ state: 'answered', value: flag('zoster', 'medium') });
});

describe('an urgent level that no flag explains', () => {
  const none: RedFlags = { hasRedFlags: false, flags: [], urgency: 'low' };
  const level = (priority: Triage['priority'], reasons: Triage['reasons'] = []) =>
    ({ state: 'answered', value: { ...triage, priority, reasons, emergencyNumber: '112' } }) as const;
  const shown = (redFlags: Assessment['redFlags'], urgent: Assessment['triage']) =>
    redFlagsOf({ redFlags, triage: urgent, diagnosis: { state: 'waiting' } }, end);

  test.each([
    ['emergency', 'emergency'],
    ['urgent_24h', 'high'],
  ] as const)(
    '%s is a flag beside others that are less urgent, with the number to call',
    (priority, urgency) => {
      const reason = { code: 'urgent_by_ai', text: 'See a doctor.' };
      const detail = { ...reason, urgency, certainty: 'met' };
      const found = level(priority, [{ code: 'other', text: 'x' }, reason]);
      for (const flags of [none, flag('mole', 'medium')])
        expect(shown({ state: 'answered', value: flags }, found)).toMatchObject({
          state: 'answered',
          value: {
            hasRedFlags: true,
            urgency,
            flags: [...flags.flags, 'urgent_by_ai'],
            flagDetails: [...(flags.flagDetails ?? []), detail],
            emergencyNumber: '112',
          },
        });
      expect(shown({ state: 'answered', value: none }, level(priority))).toMatchObject({
        value: { hasRedFlags: true, urgency, flags: ['urgent_by_ai'], flagDetails: [] },
      });
    },
  );

  test('an emergency waits for no check of the flags, and stays while the level is asked for again', () => {
    const { value } = level('emergency');
    const again = { state: 'waiting', last: value } as const;
    for (const urgent of [level('emergency'), again])
      for (const redFlags of [{ state: 'waiting' } as const, partOf<RedFlags>(failed())])
        expect(shown(redFlags, urgent)).toMatchObject({ value: { urgency: 'emergency' } });
    expect(shown(partOf<RedFlags>(failed()), level('urgent_24h')).state).toBe('waiting');
  });

  test('no other level adds a flag, nor one that a flag explains', () => {
    const found = { state: 'answered', value: flag('sepsis', 'high') } as const;
    for (const priority of ['urgent_24h', 'soon_2_weeks', 'routine', 'self_care'] as const)
      expect(shown(found, level(priority))).toEqual(found);
    const clear = { state: 'answered', value: none } as const;
    expect(shown(clear, level('soon_2_weeks'))).toEqual(clear);
  });
});

test('what the questions have found stays until the flags are checked, and when that fails', async () => {
  const answers = { redFlags: failed() as Outcome<RedFlags>, triage: failed(), diagnosis: failed() };
  const urgent = flag('zoster', 'high');
  const { session, settled } = assessmentOf(answers, { diagnosis: undefined, urgent });
  const shown = () => redFlagsOf(session.assessment.value, end);
  expect(shown()).toEqual({ state: 'answered', value: urgent });
  session.ask('en');
  await settled();
  expect(shown()).toEqual({ state: 'answered', value: urgent });
  expect(failureToShow(session.assessment.value)?.code).toBe('ai_unavailable');
  answers.redFlags = answered(flag('mole', 'medium'));
  session.retry();
  await settled();
  expect(shown()).toEqual({ state: 'answered', value: flag('mole', 'medium') });
});

test('the flags of a diagnosis stay while another one is made, and when that fails', async () => {
  const answers = {
    redFlags: failed(),
    triage: failed(),
    diagnosis: answered(diagnosis(flag('sepsis', 'emergency'))) as Outcome<StoredDiagnosis>,
  };
  const { session, settled } = assessmentOf(answers);
  session.ask('en');
  await settled();
  answers.diagnosis = failed();
  session.diagnoseAgain();
  expect(redFlagsOf(session.assessment.value, end)).toMatchObject({ value: { flags: ['sepsis'] } });
  await settled();
  expect(redFlagsOf(session.assessment.value, end)).toMatchObject({ value: { flags: ['sepsis'] } });
});

test('a stored diagnosis is shown without a request', async () => {
  const known = diagnosis(flag('mole', 'medium'));
  const answers = { redFlags: failed(), triage: answered(triage), diagnosis: failed() };
  const { session, ports, settled } = assessmentOf(answers, {
    diagnosis: { state: 'answered', value: known },
  });
  session.ask('en');
  await settled();
  expect(ports.diagnose).not.toHaveBeenCalled();
  expect(session.assessment.value.diagnosis).toEqual({ state: 'answered', value: known });
  expect(redFlagsOf(session.assessment.value, end)).toMatchObject({ value: { flags: ['mole'] } });
});

describe('an emergency stands alone', () => {
  const detail = (code: string, urgency: RedFlags['urgency']) => ({
    code,
    text: code,
    urgency,
    certainty: 'met' as const,
  });
  const flags = (...flagDetails: ReturnType<typeof detail>[]): RedFlags => ({
    hasRedFlags: true,
    flags: flagDetails.map(({ code }) => code),
    urgency: 'emergency',
    flagDetails,
  });

  test('and every less urgent flag is kept beside it', () => {
    const all = flags(detail('mole', 'medium'), detail('sepsis', 'emergency'), detail('zoster', 'high'));
    const { emergency, others } = splitByEmergency(all);
    expect(emergency?.flags).toEqual(['sepsis']);
    expect(emergency?.flagDetails?.map(({ code }) => code)).toEqual(['sepsis']);
    expect(others.flags).toEqual(['mole', 'zoster']);
    expect(others.flagDetails?.map(({ code }) => code)).toEqual(['zoster', 'mole']);
    expect(others.urgency).toBe('high');
  });

  test('even when it has only a code and no text', () => {
    const all = { ...flags(detail('mole', 'medium')), flags: ['mole', 'sepsis'] };
    const { emergency, others } = splitByEmergency(all);
    expect([emergency?.flags, others.flags]).toEqual([['sepsis'], ['mole']]);
  });

  test('without one all flags stay together', () => {
    const all = flag('zoster', 'high');
    expect(splitByEmergency(all)).toEqual({ emergency: undefined, others: all });
  });
});

test('the number to call comes from the emergency that ended the questions', () => {
  const known = {
    redFlags: { state: 'waiting' },
    triage: { state: 'waiting' },
    diagnosis: undefined,
  } as const;
  const ended = { ...emergencyEnd, emergencyNumber: '112', crisisLine: '1201' };
  expect(redFlagsOf(known, ended)).toMatchObject({ value: { emergencyNumber: '112', crisisLine: '1201' } });
});

describe('the page looks reassuring', () => {
  const none: RedFlags = { hasRedFlags: false, flags: [], urgency: 'low' };
  const known = { openQuestions: 0, unsureAnswers: 0 };
  const judge = (redFlags: Outcome<RedFlags>, level: Outcome<Triage>, unknowns = {}) =>
    isReassuring(
      partOf(redFlags),
      { redFlags: partOf(redFlags), triage: partOf(level) },
      { ...known, ...unknowns },
    );

  test('only without a flag, with a level that can wait, and with every safety question answered', () => {
    expect(judge(answered(none), answered(triage))).toBe(true);
    expect(judge(answered(none), answered({ ...triage, priority: 'self_care' }))).toBe(true);
  });
  test.each(['emergency', 'urgent_24h', 'soon_2_weeks'] as const)('never beside %s', (priority) => {
    expect(judge(answered(none), answered({ ...triage, priority }))).toBe(false);
  });
  test('never while a flag is there, met or not excluded', () => {
    expect(judge(answered(flag('mole', 'low')), answered(triage))).toBe(false);
  });
  test('never with a safety question left open', () => {
    expect(judge(answered(none), answered(triage), { openQuestions: 1 })).toBe(false);
  });
  test('never with an answer "I do not know"', () => {
    expect(judge(answered(none), answered(triage), { unsureAnswers: 1 })).toBe(false);
  });
  test('never while something is not known', () => {
    expect(judge(failed(), answered(triage))).toBe(false);
    expect(judge(answered(none), failed())).toBe(false);
    const flags = partOf(answered(none));
    const level = partOf(answered(triage));
    const waiting = { state: 'waiting' } as const;
    expect(isReassuring(waiting, { redFlags: waiting, triage: level }, known)).toBe(false);
    expect(isReassuring(flags, { redFlags: flags, triage: waiting }, known)).toBe(false);
  });
  test('never while the check of the answers is missing or failed, although an earlier one found none', () => {
    const flags = partOf(answered(none));
    const level = partOf(answered(triage));
    for (const again of [{ state: 'waiting', last: none } as const, partOf<RedFlags>(failed())])
      expect(isReassuring(flags, { redFlags: again, triage: level }, known)).toBe(false);
  });
});

test.each([
  [0.93, 'high', 'well'],
  [0.5, 'medium', 'well'],
  [0.93, 'low', 'partly'],
  [0.49, 'high', 'partly'],
  [0.2, 'low', 'partly'],
  [0.19, 'high', 'less'],
  [0, 'low', 'less'],
] as const)('a probability of %f with a confidence that is %s fits %s', (probability, confidence, fit) => {
  expect(fitOf({ probability, confidence })).toBe(fit);
});
