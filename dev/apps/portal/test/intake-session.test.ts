import type { Answer, IntakeState, NextQuestion, PartialAnamnesis, RedFlags } from 'dermagate-client';
import { expect, test, vi } from 'vitest';
import type { Outcome } from '../src/gateway/attempt.ts';
import type { AskedQuestion } from '../src/gateway/asked-question.ts';
import { emptyIntake, type Intake, type IntakeEvent, stateOf } from '../src/patient/intake/intake.ts';
import { openIntake } from '../src/patient/intake/intake-session.ts';

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
  start = emptyIntake,
  next = (state: IntakeState): Outcome<AskedQuestion> => ({
    ok: true,
    value: state.anamnesis.complaint?.category === undefined ? first : second,
  }),
  flags = (
    _anamnesis: PartialAnamnesis,
    _signal: AbortSignal,
  ): Outcome<RedFlags> | Promise<Outcome<RedFlags>> => ({
    ok: true,
    value: noFlags,
  }),
  flagsEvery = 0,
  save = (_intake: Intake): void => {},
} = {}) {
  const saved: Intake[] = [];
  const session = openIntake(start, {
    askNextQuestion: vi.fn(async (state: IntakeState) => next(state)),
    findRedFlags: vi.fn(async (anamnesis: PartialAnamnesis, signal: AbortSignal) => flags(anamnesis, signal)),
    flagsEvery,
    save: (intake) => {
      save(intake);
      saved.push(intake);
    },
  });
  session.ask();
  const settled = () => vi.waitUntil(() => session.asked.value.state !== 'asking');
  return { session, saved, settled };
}

test('each answer is saved before the next question arrives', async () => {
  const { session, saved, settled } = intakeOf();
  await settled();
  session.apply({ type: 'answered', question: first, answer: 'rash' });
  expect(saved.at(-1)?.steps).toHaveLength(1);
  expect(session.asked.value).toEqual({ state: 'asking' });
  await settled();
  expect(session.asked.value).toEqual({ state: 'asked', question: second });
});

test('answers that this tab cannot store stop no question', async () => {
  const logged = vi.spyOn(console, 'error').mockReturnValue();
  const full = new DOMException('full', 'QuotaExceededError');
  const { session, settled } = intakeOf({
    save: () => {
      throw full;
    },
  });
  await settled();
  session.apply({ type: 'answered', question: first, answer: 'rash' });
  await settled();
  expect(session.asked.value).toEqual({ state: 'asked', question: second });
  expect(session.intake.value.steps).toHaveLength(1);
  expect(logged).toHaveBeenCalledWith(full);
  logged.mockRestore();
});

test('an entry that is not sent is stored when its question leaves the screen, until the user is gone', async () => {
  const { session, saved, settled } = intakeOf();
  await settled();
  const { questionId, questionType, fieldName } = first;
  const entered = { questionId, questionType, fieldName, answer: 'ra' };
  session.unsent.read = () => entered;
  session.storeEntry();
  expect(saved).toEqual([{ ...emptyIntake, drafts: { [questionId]: entered } }]);
  expect(session.asked.value).toEqual({ state: 'asked', question: first });
  session.apply({ type: 'answered', question: first, answer: 'rash' });
  expect(saved.at(-1)?.drafts).toEqual({});
  session.storeEntry();
  session.abandon();
  session.unsent.read = () => entered;
  session.storeEntry();
  expect(saved).toHaveLength(2);
});

test('a failed request for a question leaves the answers unchanged and can be repeated', async () => {
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

test('a question requested again, such as in another language, stays until the new one arrives', async () => {
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

test('urgent flags show immediately and disappear when their answer is taken back', async () => {
  const { session, settled } = intakeOf({ flags: () => ({ ok: true, value: urgent }) });
  await settled();
  session.apply({ type: 'answered', question: first, answer: 'rash' });
  await vi.waitUntil(() => session.urgentFlags.value !== undefined);
  expect(session.urgentFlags.value).toEqual(urgent);
  session.apply({ type: 'went-back' });
  expect(session.urgentFlags.value).toBeUndefined();
  await settled();
});

test('a failed check of the flags hides no known flag', async () => {
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

test('known flags outlive a reload and another place of the portal, although they cannot be checked again', async () => {
  const before = intakeOf({ flags: () => ({ ok: true, value: urgent }) });
  await before.settled();
  before.session.apply({ type: 'answered', question: first, answer: 'rash' });
  await vi.waitUntil(() => before.saved.at(-1)?.urgent !== undefined);
  const start = before.saved.at(-1) ?? emptyIntake;
  const { session, saved, settled } = intakeOf({ start, flags: () => offline });
  expect(session.urgentFlags.value).toEqual(urgent);
  await settled();
  session.apply({ type: 'answered', question: second, answer: 'one_to_four_weeks' });
  await settled();
  expect(saved.at(-1)?.urgent).toEqual(urgent);
  session.apply({ type: 'started-again' });
  expect(saved.at(-1)).toEqual(emptyIntake);
});

test.each([offline, { ok: true, value: noFlags } as const])(
  'an emergency that ended the questions stays known, whatever the check of the flags replies: %j',
  async (reply) => {
    const emergency = { emergency: ['airway'], emergencyDetails: [], emergencyNumber: '112' };
    const end = { ...question('', ''), isComplete: true, ...emergency };
    const { session, saved, settled } = intakeOf({
      next: ({ anamnesis }) => ({ ok: true, value: anamnesis.complaint === undefined ? first : end }),
      flags: () => reply,
    });
    await settled();
    session.apply({ type: 'answered', question: first, answer: 'rash' });
    await settled();
    await new Promise(setImmediate);
    expect(saved.at(-1)?.urgent).toMatchObject({
      flags: ['airway'],
      urgency: 'emergency',
      emergencyNumber: '112',
    });
  },
);

test('quick answers share one check of the flags, with the latest answers; the end is checked immediately', async () => {
  const checked: PartialAnamnesis[] = [];
  const end = { ...question('', ''), isComplete: true };
  const { session, settled } = intakeOf({
    next: ({ anamnesis: { complaint } }) => {
      if (complaint?.category === undefined) return { ok: true, value: first };
      return { ok: true, value: complaint.impact === undefined ? second : end };
    },
    flags: (anamnesis) => {
      checked.push(anamnesis);
      return { ok: true, value: noFlags };
    },
    flagsEvery: 60_000,
  });
  const answer = async (asked: NextQuestion, value: string) => {
    session.apply({ type: 'answered', question: asked, answer: value });
    await settled();
  };
  await settled();
  await answer(first, 'rash');
  await vi.waitUntil(() => checked.length === 1);
  await answer(second, 'one_day');
  await answer(second, 'less_than_one_week');
  await answer(question('q_impact', 'complaint.impact'), 'mild');
  await vi.waitUntil(() => checked.length === 2);
  expect(checked.map(({ complaint }) => complaint)).toEqual([
    { category: 'rash' },
    { category: 'rash', duration: 'less_than_one_week', impact: 'mild' },
  ]);
});

/** Checks of the flags that end when `answer` is called, or when the session ends them. */
function slowFlags() {
  const waiting: ((outcome: Outcome<RedFlags>) => void)[] = [];
  const flags = (_: PartialAnamnesis, signal: AbortSignal) =>
    new Promise<Outcome<RedFlags>>((resolve, reject) => {
      waiting.push(resolve);
      signal.addEventListener('abort', () => reject(signal.reason as Error));
    });
  const begun = (count: number) => vi.waitUntil(() => waiting.length === count);
  return { flags, begun, answer: () => waiting.at(-1)?.({ ok: true, value: urgent }) };
}

test('an answer that comes quickly does not end the check of the answers before it', async () => {
  const { flags, begun, answer } = slowFlags();
  const { session, settled } = intakeOf({ flags, flagsEvery: 60_000 });
  await settled();
  session.apply({ type: 'answered', question: first, answer: 'rash' });
  await begun(1);
  session.apply({ type: 'answered', question: second, answer: 'one_day' });
  await settled();
  answer();
  await vi.waitUntil(() => session.urgentFlags.value !== undefined);
});

test('the answers given during a check are checked after it', async () => {
  const { flags, begun, answer } = slowFlags();
  const { session, settled } = intakeOf({ flags });
  await settled();
  session.apply({ type: 'answered', question: first, answer: 'rash' });
  await begun(1);
  session.apply({ type: 'answered', question: second, answer: 'one_day' });
  await settled();
  await new Promise((resolve) => setTimeout(resolve, 20));
  await begun(1);
  answer();
  await begun(2);
});

test('a check of answers that were taken back meanwhile shows nothing', async () => {
  const { flags, begun, answer } = slowFlags();
  const { session, settled } = intakeOf({ flags, flagsEvery: 60_000 });
  await settled();
  session.apply({ type: 'answered', question: first, answer: 'rash' });
  await begun(1);
  session.back();
  await settled();
  session.apply({ type: 'answered', question: first, answer: 'acne' });
  await settled();
  answer();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(session.urgentFlags.value).toBeUndefined();
});

test('a check that ended with its page is made again at once when the page returns', async () => {
  const { flags, begun } = slowFlags();
  const { session, settled } = intakeOf({ flags, flagsEvery: 60_000 });
  await settled();
  session.apply({ type: 'answered', question: first, answer: 'rash' });
  await begun(1);
  session.stop();
  session.ask();
  await begun(2);
});

/** A questionnaire that asks where it is and, of each place, on which side; and of a rash whether it itches. */
function placesAndSides({ anamnesis, skippedQuestions }: IntakeState): NextQuestion {
  const { complaint, locations = [], symptoms } = anamnesis;
  if (complaint?.category === undefined) return choice('q_category', 'complaint.category', ['rash', 'acne']);
  if (complaint.category === 'rash' && symptoms?.itchSeverity === undefined)
    return { ...question('q_itch', 'symptoms.itchSeverity'), questionType: 'number', min: 0, max: 10 };
  const [place] = locations;
  if (place === undefined) {
    const options = ['arm', 'leg'];
    return { ...choice('q_location', 'locations[].primary', options), questionType: 'checkbox' };
  }
  if (place.side === undefined && !skippedQuestions.includes('q_side[0]')) {
    const side = choice('q_side[0]', 'locations[0].side', ['left', 'right']);
    return { ...side, questionText: `Which side? – ${place.primary}`, skippable: true };
  }
  return { ...question('', ''), isComplete: true };
}

const choice = (questionId: string, fieldName: string, options: string[]): NextQuestion => ({
  ...question(questionId, fieldName),
  options,
  optionValues: options,
});

async function answeredIntake() {
  const asked = vi.fn(placesAndSides);
  const { session, settled, saved } = intakeOf({
    next: (state) => ({ ok: true, value: { ...asked(state), language: 'en' } }),
  });
  for (const answer of ['rash', 4, ['arm'], 'left']) {
    await settled();
    const { value } = session.asked;
    if (value.state !== 'asked') throw new Error(value.state);
    session.apply({ type: 'answered', question: value.question, answer });
  }
  await settled();
  const shown = () => (session.asked.value.state === 'asked' ? session.asked.value.question : undefined);
  const change = async (questionId: string, answer: Answer) => {
    const index = session.intake.value.steps.findIndex((step) => step.questionId === questionId);
    session.apply({ type: 'changed', index });
    await settled();
    expect(shown()?.questionId).toBe(questionId);
    session.apply({ type: 'answered', question: shown()!, answer });
    await settled();
  };
  const answers = () => session.intake.value.steps.map(({ questionId, answer }) => [questionId, answer]);
  return { session, saved, settled, shown, change, answers };
}

test('a changed answer keeps the later answers that fit and drops those whose question is no longer asked', async () => {
  const { session, shown, change, answers } = await answeredIntake();
  await change('q_category', 'acne');
  expect(shown()?.isComplete).toBe(true);
  expect(answers()).toEqual([
    ['q_category', 'acne'],
    ['q_location', ['arm']],
    ['q_side[0]', 'left'],
  ]);
  expect(session.intake.value.ahead).toBeUndefined();
});

test('the answer about one location never counts for another', async () => {
  const { shown, change, answers } = await answeredIntake();
  await change('q_location', ['leg']);
  expect(shown()?.questionText).toBe('Which side? – leg');
  expect(answers().at(-1)).toEqual(['q_location', ['leg']]);
});

test('a question that a change adds is shown, and the answers after it are repeated', async () => {
  const { session, settled, shown, change, answers } = await answeredIntake();
  await change('q_category', 'acne');
  await change('q_category', 'rash');
  // What was answered to it before is offered, and not sent by itself.
  expect(shown()?.questionId).toBe('q_itch');
  expect(session.intake.value.drafts['q_itch']?.answer).toBe(4);
  session.apply({ type: 'answered', question: shown()!, answer: 7 });
  await settled();
  expect(shown()?.isComplete).toBe(true);
  expect(answers().map(([id]) => id)).toEqual(['q_category', 'q_itch', 'q_location', 'q_side[0]']);
});

test('back from an unfinished change leaves everything unchanged', async () => {
  const { session, settled, shown, answers } = await answeredIntake();
  const before = answers();
  session.apply({ type: 'changed', index: 0 });
  await settled();
  session.back();
  await settled();
  expect(shown()?.isComplete).toBe(true);
  expect(answers()).toEqual(before);
});

test('an entry that was not sent becomes a draft when the patient goes back', async () => {
  const { session, settled } = intakeOf();
  await settled();
  session.apply({ type: 'answered', question: first, answer: 'rash' });
  await settled();
  const { questionId, questionType, fieldName } = second;
  session.unsent.read = () => ({ questionId, questionType, fieldName, answer: 'one_day' });
  session.back();
  expect(session.intake.value.drafts['q_duration']?.answer).toBe('one_day');
  expect(session.unsent.read).toBeUndefined();
  await settled();
});

const known = { clientId: 'mine', uuid: 'case', version: 1 } as const;

/** A draft whose category is no longer offered, and with an answer to a question that only this category has. */
const oldDraft = { complaint: { category: 'acne', duration: 'one_day' } } as const;

/** Asks for the category, and whether there is a fever, which can be skipped. */
function feverToo({ anamnesis: { complaint, symptoms }, skippedQuestions }: IntakeState): NextQuestion {
  if (complaint?.category === undefined) return choice('q_category', 'complaint.category', ['rash']);
  if (symptoms?.systemic === undefined && !skippedQuestions.includes('q_fever'))
    return { ...choice('q_fever', 'symptoms.systemic', ['fever']), skippable: true, safety: true };
  return { ...question('', ''), isComplete: true };
}

test.each<IntakeEvent>([
  { type: 'draft-continued', found: { complaint: { category: 'rash' } }, case: { ...known, stored: true } },
  { type: 'draft-continued', base: { complaint: { category: 'rash' } }, case: { ...known, held: true } },
])('no question about other answers stays on the screen when a draft is continued: %o', async (event) => {
  const { session, settled } = intakeOf({ next: (state) => ({ ok: true, value: feverToo(state) }) });
  const shown = () =>
    session.asked.value.state === 'asked' ? session.asked.value.question.questionId : undefined;
  await settled();
  expect(shown()).toBe('q_category');
  session.apply(event);
  expect(session.asked.value).toEqual({ state: 'asking' });
  await settled();
  expect(shown()).toBe('q_fever');
  session.apply({ type: 'started-again' });
  expect(session.asked.value).toEqual({ state: 'asking' });
  await settled();
  expect(shown()).toBe('q_category');
});

test('an answer other than that of the draft ends its repetition: no safety question is skipped for it', async () => {
  const { session, settled } = intakeOf({ next: (state) => ({ ok: true, value: feverToo(state) }) });
  await settled();
  session.apply({ type: 'draft-continued', found: oldDraft, case: { ...known, stored: true } });
  await settled();
  session.apply({ type: 'answered', question: feverToo(stateOf(session.intake.value)), answer: 'rash' });
  await settled();
  expect(session.asked.value).toMatchObject({ state: 'asked', question: { questionId: 'q_fever' } });
  expect(session.intake.value.steps).toHaveLength(1);
  expect(session.intake.value.found).toBeUndefined();
  expect(session.intake.value.case).toEqual(known);
});

test('a safety question skipped for an answer of the draft that is asked for no more is asked at the end', async () => {
  const { session, settled } = intakeOf({ next: (state) => ({ ok: true, value: feverToo(state) }) });
  await settled();
  const found = { complaint: { ...oldDraft.complaint, category: 'rash' } } as const;
  session.apply({ type: 'draft-continued', found, case: { ...known, stored: true } });
  await settled();
  expect(session.asked.value).toMatchObject({ state: 'asked', question: { questionId: 'q_fever' } });
  expect(session.intake.value.steps.map(({ questionId }) => questionId)).toEqual(['q_category']);
  session.apply({ type: 'skipped', question: feverToo(stateOf(session.intake.value)) });
  await settled();
  expect(session.asked.value).toMatchObject({ state: 'asked', question: { isComplete: true } });
  expect(session.intake.value.found).toBeUndefined();
});

test('once the user is gone, nothing is stored or asked any more', async () => {
  const { session, saved, settled } = intakeOf();
  await settled();
  session.apply({ type: 'answered', question: first, answer: 'rash' });
  await settled();
  const before = saved.length;
  session.abandon();
  session.apply({ type: 'answered', question: second, answer: 'days' });
  session.ask();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(saved).toHaveLength(before);
  expect(session.asked.value).toEqual({ state: 'asking' });
});
