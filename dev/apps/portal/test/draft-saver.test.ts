import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type {
  CaseCreation,
  CaseUpdate,
  MobileCase,
  NextQuestion,
  Profile,
} from '../../../packages/client/src/index.ts';
import type { Outcome } from '../src/gateway/attempt.ts';
import type { FailureCode } from '../src/gateway/failure.ts';
import { type DraftPorts, type DraftSaver, saveDrafts } from '../src/patient/draft/draft-saver.ts';
import { emptyIntake, type Intake, stateOf } from '../src/patient/intake/intake.ts';
import { type IntakeSession, openIntake } from '../src/patient/intake/intake-session.ts';

const question = (questionId: string, fieldName: string): NextQuestion => ({
  questionId,
  questionType: 'radio',
  fieldName,
  questionText: '',
  options: [],
  isComplete: false,
});

const child = { uuid: 'child', relation: 'child' } as Profile;

/** What the gateway has, as far as the saver sees it. */
function gateway() {
  let stored: MobileCase | undefined;
  const calls: string[] = [];
  const failures: (FailureCode | 'reply_lost')[] = [];
  const refuse = (code: FailureCode) => ({ ok: false, failure: { code, fields: {} } }) as const;
  const now = (change: Partial<MobileCase>) =>
    (stored = { images: [], patient_status: 'draft', ...stored, ...change } as MobileCase);

  const answer = (name: string, work: () => Outcome<MobileCase>): Promise<Outcome<MobileCase>> => {
    calls.push(name);
    const failure = failures.shift();
    if (failure === undefined) return Promise.resolve(work());
    if (failure === 'reply_lost') work();
    return Promise.resolve(refuse(failure === 'reply_lost' ? 'offline' : failure));
  };
  const bodies: (CaseCreation | CaseUpdate)[] = [];
  return {
    calls,
    failures,
    bodies,
    stored: () => stored,
    now,
    createCase: (body: CaseCreation) =>
      answer('create', () => {
        bodies.push(body);
        stored ??= now({ uuid: 'made', version: 1, anamnesis: body.anamnesis });
        return { ok: true, value: stored };
      }),
    updateCase: (body: CaseUpdate & { version: number }) =>
      answer('update', () => {
        bodies.push(body);
        if (stored?.patient_status !== 'draft') return refuse('case_state_conflict');
        if (stored.version !== body.version) return refuse('version_conflict');
        return { ok: true, value: now({ version: body.version + 1, anamnesis: body.anamnesis ?? {} }) };
      }),
    readCase: () => answer('read', () => ({ ok: true, value: stored as MobileCase })),
    listProfiles: (): ReturnType<DraftPorts['listProfiles']> =>
      Promise.resolve({ ok: true, value: { profiles: [child] } }),
  };
}

let saver: DraftSaver | undefined;
beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  void saver?.stop();
  vi.useRealTimers();
});

function open(
  server: ReturnType<typeof gateway>,
  start: Intake = emptyIntake,
  ports: Partial<DraftPorts> = {},
): IntakeSession {
  const session = openIntake(start, {
    askNextQuestion: () => new Promise(() => {}),
    findRedFlags: () => new Promise(() => {}),
    save: () => {},
  });
  saver = saveDrafts(session, { ...server, language: () => 'en', onStored: () => {}, delay: 1000, ...ports });
  return session;
}

/** The gateway makes the case at once; its reply takes until `arrival`. */
const answeredAfter =
  (
    arrival: Promise<unknown>,
    createCase: ReturnType<typeof gateway>['createCase'],
  ): DraftPorts['createCase'] =>
  async (body) => {
    const made = await createCase(body);
    await arrival;
    return made;
  };

const answerWith = (session: IntakeSession, id: string, field: string, answer: string) =>
  session.apply({ type: 'answered', question: question(id, field), answer });
/** Until nothing waits, the retries of a failure included. */
const settle = async (milliseconds = 5000) => await vi.advanceTimersByTimeAsync(milliseconds);

test('the first answer makes a draft, and those after it change it, a few with one call', async () => {
  const server = gateway();
  const session = open(server);
  answerWith(session, 'q_category', 'complaint.category', 'rash');
  await settle();
  expect(saver?.state.value).toEqual({ state: 'stored' });
  answerWith(session, 'q_duration', 'complaint.duration', 'days');
  answerWith(session, 'q_impact', 'complaint.impact', 'mild');
  await settle();
  expect(server.calls).toEqual(['create', 'update']);
  expect(server.stored()?.anamnesis).toEqual(stateOf(session.intake.value).anamnesis);
  expect(session.intake.value.case).toMatchObject({ uuid: 'made', version: 2, stored: true });
  await settle(60_000);
  expect(server.calls).toHaveLength(2);
});

test('after a lost reply there is one draft, and it gets the answers given meanwhile', async () => {
  const server = gateway();
  const session = open(server);
  server.failures.push('reply_lost');
  answerWith(session, 'q_category', 'complaint.category', 'rash');
  await settle(1500);
  expect(saver?.state.value.state).toBe('failed');
  answerWith(session, 'q_duration', 'complaint.duration', 'days');
  await settle();
  expect(server.calls).toEqual(['create', 'create', 'update']);
  expect(server.bodies[1]).toEqual(server.bodies[0]);
  expect(server.stored()?.anamnesis).toEqual(stateOf(session.intake.value).anamnesis);
});

test('a lost reply to a change is no conflict', async () => {
  const server = gateway();
  const session = open(server);
  answerWith(session, 'q_category', 'complaint.category', 'rash');
  await settle();
  server.failures.push('reply_lost');
  answerWith(session, 'q_duration', 'complaint.duration', 'days');
  await settle(60_000);
  expect(server.calls).toEqual(['create', 'update', 'read', 'update']);
  expect(saver?.state.value).toEqual({ state: 'stored' });
  expect(session.intake.value.case).toMatchObject({ version: 3, stored: true });
});

test('what another device has answered is never overwritten: the patient chooses', async () => {
  const server = gateway();
  const session = open(server);
  answerWith(session, 'q_category', 'complaint.category', 'rash');
  await settle();
  const theirs = { complaint: { category: 'rash', impact: 'severe' } } as MobileCase['anamnesis'];
  server.now({ version: 2, anamnesis: theirs });
  answerWith(session, 'q_duration', 'complaint.duration', 'days');
  await settle(60_000);
  expect(saver?.state.value).toMatchObject({ state: 'conflict', theirs: { version: 2 } });
  expect(server.stored()?.anamnesis).toEqual(theirs);
  const before = server.calls.length;
  await settle(60_000);
  expect(server.calls).toHaveLength(before);

  saver?.keepSeparately();
  await settle();
  expect(server.calls.at(-1)).toBe('create');
  expect(session.intake.value.steps).toHaveLength(2);
});

test('a draft that was sent elsewhere is a conflict as well', async () => {
  const server = gateway();
  const session = open(server);
  answerWith(session, 'q_category', 'complaint.category', 'rash');
  await settle();
  server.now({ patient_status: 'waiting', version: 3 });
  answerWith(session, 'q_duration', 'complaint.duration', 'days');
  await settle();
  expect(saver?.state.value).toMatchObject({ state: 'conflict', theirs: { patient_status: 'waiting' } });
});

test('refused answers are not sent again until there are others; an outage is waited out', async () => {
  const server = gateway();
  const session = open(server);
  server.failures.push('draft_limit');
  answerWith(session, 'q_category', 'complaint.category', 'rash');
  await settle(120_000);
  expect(server.calls).toEqual(['create']);
  expect(saver?.state.value).toMatchObject({ state: 'failed', failure: { code: 'draft_limit' } });
  server.failures.push('offline');
  answerWith(session, 'q_duration', 'complaint.duration', 'days');
  await settle(30_000);
  expect(server.calls).toEqual(['create', 'create', 'create', 'update']);
  expect(saver?.state.value).toEqual({ state: 'stored' });
});

test('a parent’s answers wait for the child, and are then the child’s', async () => {
  const server = gateway();
  const session = open(server);
  answerWith(session, 'q_reporter', 'reporter', 'parent_guardian');
  await settle();
  expect(saver?.state.value).toEqual({ state: 'person-missing' });
  expect(server.calls).toEqual([]);
  session.apply({ type: 'person-chosen', person: { uuid: 'child', relation: 'child' } });
  await settle();
  expect(server.bodies[0]).toMatchObject({
    patient_uuid: 'child',
    anamnesis: { reporter: 'parent_guardian' },
  });
});

test('a caregiver’s answers wait for the child as well', async () => {
  const server = gateway();
  const session = open(server);
  answerWith(session, 'q_reporter', 'reporter', 'caregiver');
  await settle();
  expect(saver?.state.value).toEqual({ state: 'person-missing' });
  expect(server.calls).toEqual([]);
});

test('of a child nothing is stored as the account owner’s until the owner is who answers', async () => {
  const server = gateway();
  const session = open(server);
  const age = { ...question('q_age', 'patient.ageYears'), questionType: 'number' } as const;
  session.apply({ type: 'answered', question: age, answer: 12 });
  await settle();
  expect(saver?.state.value).toEqual({ state: 'person-missing' });
  answerWith(session, 'q_reporter', 'reporter', 'self');
  await settle();
  expect(server.calls).toEqual(['create']);
  expect(server.bodies[0]).not.toHaveProperty('patient_uuid');
});

test('a case that doctors have, or that waits for answers, is never stored as a draft', async () => {
  const server = gateway();
  for (const state of [{ sent: true }, { held: true }] as const) {
    const known = { clientId: 'one', uuid: 'made', version: 2, ...state };
    const session = open(server, { ...emptyIntake, case: known });
    if (!('sent' in state)) answerWith(session, 'q_category', 'complaint.category', 'rash');
    await settle();
    void saver?.stop();
  }
  expect(server.calls).toEqual([]);
});

test('nothing is stored beside what sends the draft, and what was pending is stored before it', async () => {
  const server = gateway();
  const session = open(server);
  server.failures.push('reply_lost');
  answerWith(session, 'q_category', 'complaint.category', 'rash');
  await settle(1500);
  answerWith(session, 'q_duration', 'complaint.duration', 'days');
  const sending = saver?.exclusively(async () => {
    server.calls.push('send');
    await new Promise((resolve) => setTimeout(resolve, 10_000));
    const known = session.intake.value.case;
    if (known !== undefined) session.apply({ type: 'case-known', case: { ...known, sent: true } });
  });
  await settle(60_000);
  await sending;
  expect(server.calls).toEqual(['create', 'create', 'update', 'send']);
});

test('after a reload the draft is read before it is changed', async () => {
  const server = gateway();
  const session = open(server);
  answerWith(session, 'q_category', 'complaint.category', 'rash');
  await settle();
  answerWith(session, 'q_duration', 'complaint.duration', 'days');
  void saver?.stop();
  const left = session.intake.value;
  open(server, left);
  await settle();
  expect(server.calls).toEqual(['create', 'read', 'update']);
  expect(server.stored()?.anamnesis).toEqual(stateOf(left).anamnesis);
});

test('a reply that arrives after a new start does not make the new answers part of the old draft', async () => {
  const server = gateway();
  const slow = Promise.withResolvers<undefined>();
  const session = open(server, emptyIntake, { createCase: answeredAfter(slow.promise, server.createCase) });
  answerWith(session, 'q_category', 'complaint.category', 'rash');
  await settle(1500);
  session.apply({ type: 'started-again' });
  slow.resolve(undefined);
  await settle(500);
  expect(session.intake.value).toEqual(emptyIntake);
  answerWith(session, 'q_category', 'complaint.category', 'acne');
  await settle();
  expect(server.calls).toEqual(['create', 'create']);
});

test('once the user is gone, nothing is sent or noted any more: not what waits, and not for a late reply', async () => {
  const server = gateway();
  const session = open(server);
  answerWith(session, 'q_category', 'complaint.category', 'rash');
  saver?.abandon();
  await settle();
  await saver?.flush();
  expect(server.calls).toEqual([]);

  const late = Promise.withResolvers<undefined>();
  const stored: MobileCase[] = [];
  const other = open(server, emptyIntake, {
    createCase: answeredAfter(late.promise, server.createCase),
    onStored: (made) => void stored.push(made),
  });
  answerWith(other, 'q_category', 'complaint.category', 'rash');
  await settle(1500);
  answerWith(other, 'q_duration', 'complaint.duration', 'days');
  const flushed = saver?.flush();
  saver?.abandon();
  late.resolve(undefined);
  await settle(60_000);
  await flushed;
  expect([server.calls, stored]).toEqual([['create'], []]);
  expect(other.intake.value.case?.uuid).toBeUndefined();
});

test('once the page is left, a last attempt that fails is not repeated: the next user’s session would send it', async () => {
  const server = gateway();
  const slow = Promise.withResolvers<undefined>();
  const session = open(server, emptyIntake, {
    createCase: async (body) => {
      await slow.promise;
      return await server.createCase(body);
    },
  });
  server.failures.push('offline');
  answerWith(session, 'q_category', 'complaint.category', 'rash');
  let hasEnded = false;
  const flushed = saver?.flush();
  const stopped = saver?.stop().then(() => (hasEnded = true));
  await settle(100);
  expect(hasEnded).toBe(false);
  slow.resolve(undefined);
  await Promise.all([flushed, stopped]);
  await settle(120_000);
  expect(server.calls).toEqual(['create']);
});

test('answers whose draft is gone from the clinic make another one, without an endless attempt', async () => {
  const server = gateway();
  const session = open(server);
  answerWith(session, 'q_category', 'complaint.category', 'rash');
  await settle();
  const { clientId } = session.intake.value.case ?? {};
  server.failures.push('case_not_found', 'case_not_found');
  answerWith(session, 'q_duration', 'complaint.duration', 'one_day');
  await settle();
  expect(server.calls).toEqual(['create', 'update', 'read', 'create']);
  expect(session.intake.value.case).toMatchObject({ stored: true });
  expect(session.intake.value.case?.clientId).not.toBe(clientId);
  expect(saver?.state.value).toEqual({ state: 'stored' });
});

test('a draft that was cancelled elsewhere asks the patient, although nothing here is to be stored', async () => {
  const server = gateway();
  const session = open(server);
  answerWith(session, 'q_category', 'complaint.category', 'rash');
  await settle();
  server.now({ version: 2, patient_status: 'cancelled' });
  const checking = saver?.recheck();
  await settle();
  await checking;
  expect(saver?.state.value).toMatchObject({ state: 'conflict', theirs: { patient_status: 'cancelled' } });
  expect(session.intake.value.steps).toHaveLength(1);
});
