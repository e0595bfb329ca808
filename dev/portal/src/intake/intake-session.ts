import { batch, type ReadonlySignal, signal } from '@preact/signals';
import type { IntakeState, NextQuestion, PartialAnamnesis, RedFlags } from 'dermagate-client';
import type { Outcome } from '../gateway/attempt.ts';
import type { Failure } from '../gateway/failure.ts';
import { type Intake, type IntakeEvent, reduceIntake, stateOf } from './intake.ts';

/** What is on the screen. */
export type Asked =
  | { state: 'asking' }
  /** `failure`: it was asked for again, as in another language, and did not come. */
  | { state: 'asked'; question: NextQuestion; failure?: Failure }
  | { state: 'failed'; failure: Failure };

export interface IntakePorts {
  askNextQuestion: (state: IntakeState, signal: AbortSignal) => Promise<Outcome<NextQuestion>>;
  findRedFlags: (anamnesis: PartialAnamnesis, signal: AbortSignal) => Promise<Outcome<RedFlags>>;
  keep: (intake: Intake) => void;
}

export interface IntakeSession {
  intake: ReadonlySignal<Intake>;
  asked: ReadonlySignal<Asked>;
  /** What the answers so far have raised; undefined as long as nothing urgent is known. */
  urgentFlags: ReadonlySignal<RedFlags | undefined>;
  apply: (event: IntakeEvent) => void;
  /** Asks once more: after a failure, or in another language. A question that is shown stays, with what was entered. */
  ask: () => void;
}

/** An intake under way: keeps every answer at once, and asks the gateway what comes next. */
export function openIntake(
  start: Intake,
  { askNextQuestion, findRedFlags, keep }: IntakePorts,
): IntakeSession {
  const intake = signal(start);
  const asked = signal<Asked>({ state: 'asking' });
  const urgentFlags = signal<RedFlags>();
  let underWay = new AbortController();

  async function nextQuestion(state: IntakeState, { signal }: AbortController): Promise<void> {
    const answer = await askNextQuestion(state, signal);
    if (answer.ok) asked.value = { state: 'asked', question: answer.value };
    else if (asked.value.state === 'asked') asked.value = { ...asked.value, failure: answer.failure };
    else asked.value = { state: 'failed', failure: answer.failure };
  }

  /** A failure is passed over here: the result asks again, and says when it gets no answer. */
  async function redFlags({ anamnesis }: IntakeState, { signal }: AbortController): Promise<void> {
    const found = await findRedFlags(anamnesis, signal);
    if (found.ok) urgentFlags.value = isUrgent(found.value) ? found.value : undefined;
  }

  function ask(): void {
    underWay.abort();
    const current = (underWay = new AbortController());
    const state = stateOf(intake.value);
    if (asked.value.state !== 'asked') asked.value = { state: 'asking' };
    const work = [nextQuestion(state, current)];
    if (intake.value.steps.length > 0) work.push(redFlags(state, current));
    else urgentFlags.value = undefined;
    void Promise.all(work).catch((reason: unknown) => {
      if (!current.signal.aborted) throw reason;
    });
  }

  function apply(event: IntakeEvent): void {
    const { steps } = intake.value;
    batch(() => {
      intake.value = reduceIntake(intake.value, event);
      keep(intake.value);
      if (intake.value.steps === steps) return;
      asked.value = { state: 'asking' };
      ask();
    });
  }

  return { intake, asked, urgentFlags, apply, ask };
}

/** Less urgent ones wait for the result, so that they do not frighten anybody in the middle of the questions. */
const isUrgent = ({ urgency }: RedFlags): boolean => urgency === 'high' || urgency === 'emergency';
