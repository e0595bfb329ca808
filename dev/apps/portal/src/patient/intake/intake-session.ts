import { batch, computed, type ReadonlySignal, signal } from '@preact/signals';
import type { IntakeState, PartialAnamnesis, RedFlags } from 'dermagate-client';
import type { AskedQuestion } from '../../gateway/asked-question.ts';
import type { Outcome } from '../../gateway/attempt.ts';
import type { Failure } from '../../gateway/failure.ts';
import { emergencyOf } from './emergency-of.ts';
import { type Intake, type IntakeEvent, reduceIntake, stateOf, type Step } from './intake.ts';
import { answerToRepeat, contradictsDraft, isContinuing } from './repeat-answer.ts';

/** What is on the screen. */
export type Asked =
  | { state: 'asking' }
  /** `failure`: the repeated request, such as for another language, failed. */
  | { state: 'asked'; question: AskedQuestion; failure?: Failure }
  | { state: 'failed'; failure: Failure };

export interface IntakePorts {
  askNextQuestion: (state: IntakeState, signal: AbortSignal) => Promise<Outcome<AskedQuestion>>;
  findRedFlags: (anamnesis: PartialAnamnesis, signal: AbortSignal) => Promise<Outcome<RedFlags>>;
  save: (intake: Intake) => void;
  /** Milliseconds between two checks of the red flags; 15 seconds by default. */
  flagsEvery?: number;
}

/** Milliseconds. A patient may call the AI routes ten times a minute; photos and the result need most of that. */
const FLAGS_EVERY = 15_000;

export interface IntakeSession {
  intake: ReadonlySignal<Intake>;
  asked: ReadonlySignal<Asked>;
  /** The urgent flags that the answers have raised so far; undefined without one. They outlive the page and a reload. */
  urgentFlags: ReadonlySignal<RedFlags | undefined>;
  apply: (event: IntakeEvent) => void;
  /** One question back, or back to where a change began. An entry that was not sent becomes a draft. */
  back: () => void;
  /** Set by the question on the screen: reads its entry. */
  unsent: { read: (() => Step | undefined) | undefined };
  /** Stores the entry of the question on the screen, which is offered when the question returns. */
  storeEntry: () => void;
  /** Asks again: after a failure, or in another language. The question on the screen stays, with its entry. */
  ask: () => void;
  /** Ends what is under way: the page is left, or the session is over. */
  stop: () => void;
  /** The user is gone: nothing is stored or asked any more, although the page may still be shown for a moment. */
  abandon: () => void;
}

/** An intake in progress: stores every answer immediately and asks the gateway for the next question. */
export function openIntake(
  start: Intake,
  { askNextQuestion, findRedFlags, save, flagsEvery = FLAGS_EVERY }: IntakePorts,
): IntakeSession {
  const intake = signal(start);
  const asked = signal<Asked>({ state: 'asking' });
  const urgentFlags = computed(() => intake.value.urgent);
  const unsent: IntakeSession['unsent'] = { read: undefined };
  let inFlight = new AbortController();
  let check = new AbortController();
  /** Ends with the check under way. */
  let checked: Promise<unknown> = Promise.resolve();
  let flagsDue = 0;
  let isAbandoned = false;

  function update(event: IntakeEvent): void {
    intake.value = reduceIntake(intake.value, event);
    if (isAbandoned) return;
    try {
      save(intake.value);
    } catch (reason) {
      // Where the storage of the tab is full the questions go on all the same: a safety question must not be the last one.
      console.error(reason);
    }
  }

  /** Repeats answers from before a change without showing their questions, until a question has none. */
  async function nextQuestion({ signal }: AbortController): Promise<void> {
    for (;;) {
      const answer = await askNextQuestion(stateOf(intake.value), signal);
      if (!answer.ok) {
        const shown = asked.value;
        asked.value =
          shown.state === 'asked'
            ? { ...shown, failure: answer.failure }
            : { state: 'failed', failure: answer.failure };
        return;
      }
      const question = answer.value;
      const step = answerToRepeat(intake.value, question);
      if (step !== undefined) update({ type: 'repeated', question, step });
      else if (isRegularEnd(question) && isContinuing(intake.value))
        update({ type: 'continued', asksSkipped: true });
      else return show(question);
    }
  }

  function show(question: AskedQuestion): void {
    batch(() => {
      if (intake.value.found !== undefined && (question.isComplete || !isContinuing(intake.value)))
        update({ type: 'continued' });
      if (isRegularEnd(question) && intake.value.ahead !== undefined) update({ type: 'completed' });
      asked.value = { state: 'asked', question };
      const emergency = emergencyOf(question);
      if (emergency !== undefined) noteUrgent(emergency);
    });
  }

  function noteUrgent(urgent: RedFlags | undefined): void {
    if (urgent !== intake.value.urgent) update({ type: 'flags-checked', urgent });
  }

  /** Checks the latest answers, at the end at once. Answers that come while a check is awaited share it. */
  async function redFlags({ signal }: AbortController): Promise<void> {
    if (intake.value.steps.length === 0) return;
    const isEnd = asked.value.state === 'asked' && asked.value.question.isComplete;
    if (isEnd) {
      check.abort();
    } else {
      await pause(flagsDue - Date.now(), signal);
      await checked;
    }
    if (signal.aborted) return;
    check = new AbortController();
    const found = checkFlags(check);
    checked = found.catch(() => undefined);
    await found;
  }

  /**
   * The next answer does not end a check: quick answers would end each one, and no flag would ever be shown. A failure is
   * ignored here: the result page asks again and reports its own failure.
   */
  async function checkFlags({ signal }: AbortController): Promise<void> {
    const { steps } = intake.value;
    flagsDue = Date.now() + flagsEvery;
    const found = await findRedFlags(stateOf(intake.value).anamnesis, signal);
    const isTakenBack = steps.some((step, index) => step !== intake.value.steps[index]);
    if (!found.ok || isTakenBack || signal.aborted) return;
    // What has ended the questions covers for the check.
    const emergency = asked.value.state === 'asked' ? emergencyOf(asked.value.question) : undefined;
    const isCovered = emergency !== undefined && found.value.urgency !== 'emergency';
    noteUrgent(isCovered ? emergency : isUrgent(found.value) ? found.value : undefined);
  }

  async function refresh(current: AbortController): Promise<void> {
    await nextQuestion(current);
    if (!isCutOff(asked.value)) await redFlags(current);
  }

  function ask(): void {
    inFlight.abort();
    if (isAbandoned) return;
    const current = (inFlight = new AbortController());
    if (asked.value.state !== 'asked') asked.value = { state: 'asking' };
    if (intake.value.steps.length === 0) noteUrgent(undefined);
    refresh(current).catch((reason: unknown) => {
      if (!current.signal.aborted) throw reason;
    });
  }

  function apply(event: IntakeEvent): void {
    const before = intake.value;
    batch(() => {
      update(event);
      if (contradictsDraft(before, event)) update({ type: 'continued' });
      // The question on the screen is of the answers before, even where there are no steps before and after.
      const isOther = event.type === 'started-again' || event.type === 'draft-continued';
      if (intake.value.steps === before.steps && !isOther) return;
      unsent.read = undefined;
      asked.value = { state: 'asking' };
      ask();
    });
  }

  function back(): void {
    apply({ type: 'went-back', left: unsent.read?.() });
  }

  function storeEntry(): void {
    const left = unsent.read?.();
    if (left !== undefined) update({ type: 'entry-left', left });
  }

  /** A check that is ended has shown nothing: the next one is due. */
  function stop(): void {
    inFlight.abort();
    check.abort();
    checked = Promise.resolve();
    flagsDue = 0;
  }

  function abandon(): void {
    isAbandoned = true;
    stop();
  }

  return { intake, asked, urgentFlags, apply, back, unsent, storeEntry, ask, stop, abandon };
}

const isRegularEnd = ({ isComplete, emergency }: AskedQuestion): boolean =>
  isComplete && emergency === undefined;

/** Whether another call would fail like the last one. */
function isCutOff(asked: Asked): boolean {
  const failure = 'failure' in asked ? asked.failure : undefined;
  return failure !== undefined && (failure.signedOut === true || failure.code === 'offline');
}

/** Rejects when the answers change meanwhile: the next check has the new ones. */
function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, Math.max(0, milliseconds));
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    });
  });
}

/** Less urgent flags wait for the result, so as not to frighten a patient during the questions. */
const isUrgent = ({ urgency }: RedFlags): boolean => urgency === 'high' || urgency === 'emergency';
