import { type Signal, signal } from '@preact/signals';
import type { CaseDetail, DermatologistAnnotation, Language } from 'dermagate-client';
import type { Outcome } from '../../gateway/attempt.ts';
import type { AnswerBody } from '../../gateway/desk-types.ts';
import type { Failure } from '../../gateway/failure.ts';
import { bodyOf, type Draft, draftOf, emptyDraft, incompleteIn, isSameBody } from './draft.ts';

export type SaveState =
  | { kind: 'clean' }
  | { kind: 'dirty' }
  | { kind: 'saving' }
  | { kind: 'saved'; at: Date }
  /** The answer is signed: nothing is saved any more. */
  | { kind: 'signed' }
  /** Tried again by itself. */
  | { kind: 'failed'; failure: Failure }
  /** Another tab or device has saved it since, or signed it. */
  | { kind: 'conflict'; theirs: DermatologistAnnotation }
  /** Only the physician can change that: the case is gone, or the text is refused. */
  | { kind: 'lost'; failure: Failure };

type Annotations = CaseDetail['annotations'];
type Stored = Pick<DermatologistAnnotation, 'uuid' | 'version'>;

export interface DraftPorts {
  create: (body: AnswerBody, key: string) => Promise<Outcome<Stored>>;
  save: (body: AnswerBody, version: number) => Promise<Outcome<Stored>>;
  sign: (body: AnswerBody, versions: { version: number; caseVersion: number }) => Promise<Outcome<unknown>>;
  /** The annotations of the case as they are stored now; of drafts the caller's alone. */
  read: () => Promise<Outcome<Annotations>>;
}

/** The draft among annotations; only its author can read one. */
export const draftAmong = (annotations: Annotations): DermatologistAnnotation | undefined =>
  annotations.find(
    (each): each is DermatologistAnnotation => each.kind === 'dermatologist' && each.status === 'draft',
  );

/** Milliseconds after the last change. */
const PAUSE = 800;
/** Milliseconds before a failed save is tried again; the last one counts for all that follow. */
const RETRIES: readonly number[] = [3000, 8000, 20_000];
/** Those that a later attempt can get past. */
const temporary = [
  'offline',
  'no_answer',
  'busy',
  'unavailable',
  'internal_error',
  'rate_limited',
  'idempotency_in_progress',
];
/** The case is not in hand: another text would be refused as well. */
const notInHand: readonly unknown[] = ['lease_lost', 'case_state_conflict', 'case_not_found'];

/** The draft of one answer: what is on the screen, and whether the gateway has it. */
export class DraftKeeper {
  readonly draft: Signal<Draft>;
  readonly state: Signal<SaveState> = signal<SaveState>({ kind: 'clean' });
  /** While a signature is under way nothing changes: what is on the screen is what is signed. */
  readonly isSigning: Signal<boolean> = signal(false);
  #stored: Stored | undefined;
  /** Sent without a reply: the gateway may have stored each of them. */
  #unanswered: Draft[] = [];
  readonly #ports: DraftPorts;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #saves: Promise<unknown> = Promise.resolve();
  #attempts = 0;
  #seconds: number;
  /** The same for every attempt to make the same draft: a lost reply makes none twice. */
  #creation: { content: string; key: string } | undefined;
  #isAbandoned = false;

  constructor(stored: DermatologistAnnotation | undefined, language: Language, ports: DraftPorts) {
    this.draft = signal(stored === undefined ? emptyDraft(language) : draftOf(stored));
    this.#stored = stored;
    this.#seconds = stored?.seconds_spent ?? 0;
    this.#ports = ports;
  }

  change(patch: Partial<Draft> | ((draft: Draft) => Draft)): void {
    if (this.isSigning.peek()) return;
    const before = this.draft.peek();
    const after = typeof patch === 'function' ? patch(before) : { ...before, ...patch };
    if (after === before) return;
    this.draft.value = after;
    const state = this.state.peek();
    if (state.kind === 'conflict' || state.kind === 'signed') return;
    // A text that was refused may be accepted now.
    if (state.kind === 'lost' && notInHand.includes(state.failure.reason)) return;
    if (state.kind !== 'saving') this.state.value = { kind: 'dirty' };
    this.#schedule(PAUSE);
  }

  /** Notes a second of work. */
  tick(): void {
    this.#seconds += 1;
  }

  /** Whether something is on the screen that the gateway does not have. */
  get isUnsaved(): boolean {
    const { kind } = this.state.peek();
    if (kind === 'signed') return false;
    return !['clean', 'saved'].includes(kind) || incompleteIn(this.draft.peek()).length > 0;
  }

  /** Saves now what is not saved. Each save starts after the one before, so that its version is the latest. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#inTurn(() => this.#save());
  }

  /** The physician is gone: nothing more is saved, as it would be saved in the name of the next one. */
  abandon(): void {
    this.#isAbandoned = true;
    clearTimeout(this.#timer);
  }

  /**
   * Signs what is on the screen now. It is not saved before: a case whose lease has run out still accepts the signature.
   * @param isConfirmed whether the author confirms an answer that contradicts an emergency; for this signature only.
   * @param caseVersion of the case as it was read: the signature is refused where it has changed since.
   * @returns why not; undefined when it is signed, or when a conflict is to be decided.
   */
  async sign(caseVersion: number, isConfirmed = false): Promise<Failure | undefined> {
    if (this.isSigning.peek() || this.#isAbandoned) return undefined;
    this.isSigning.value = true;
    clearTimeout(this.#timer);
    try {
      return await this.#inTurn(() => this.#sign(caseVersion, isConfirmed));
    } finally {
      this.isSigning.value = false;
    }
  }

  /** What is here replaces what is stored. */
  async keepMine(): Promise<void> {
    const state = this.state.peek();
    if (state.kind !== 'conflict' || state.theirs.status !== 'draft') return;
    this.#stored = state.theirs;
    this.state.value = { kind: 'dirty' };
    await this.flush();
  }

  /** What is stored replaces what is here. */
  takeTheirs(): void {
    const state = this.state.peek();
    if (state.kind !== 'conflict') return;
    if (state.theirs.status === 'draft') this.#adopt(state.theirs);
    else this.state.value = { kind: 'signed' };
  }

  #adopt(stored: DermatologistAnnotation): void {
    this.draft.value = draftOf(stored);
    this.#stored = stored;
    this.state.value = { kind: 'saved', at: new Date(stored.updated_at) };
  }

  #body(): AnswerBody {
    return { ...bodyOf(this.draft.peek()), seconds_spent: Math.min(86_400, this.#seconds) };
  }

  #schedule(delay: number): void {
    clearTimeout(this.#timer);
    if (this.#isAbandoned) return;
    this.#timer = setTimeout(() => void this.flush(), delay);
  }

  async #inTurn<Value>(call: () => Promise<Value>): Promise<Value> {
    const done = this.#saves.then(call);
    this.#saves = done.catch(() => undefined);
    return await done;
  }

  async #save(): Promise<void> {
    if (this.#isAbandoned || !['dirty', 'failed', 'lost'].includes(this.state.peek().kind)) return;
    const sent = this.draft.peek();
    this.state.value = { kind: 'saving' };
    const saved = await this.#send();
    if (!saved.ok) return await this.#explain(saved.failure);
    this.#attempts = 0;
    this.#stored = saved.value;
    this.#settle(sent);
  }

  async #send(): Promise<Outcome<Stored>> {
    const body = this.#body();
    const sent = this.draft.peek();
    const reply = await (this.#stored === undefined
      ? this.#ports.create(body, this.#keyOf(body))
      : this.#ports.save(body, this.#stored.version));
    if (reply.ok) this.#unanswered = [];
    else if (temporary.includes(reply.failure.code)) this.#unanswered.push(sent);
    return reply;
  }

  /** The gateway has `stored`; what was typed since is saved next. */
  #settle(stored: Draft): void {
    if (this.draft.peek() === stored) {
      this.state.value = { kind: 'saved', at: new Date() };
    } else {
      this.state.value = { kind: 'dirty' };
      this.#schedule(PAUSE);
    }
  }

  async #sign(caseVersion: number, isConfirmed: boolean): Promise<Failure | undefined> {
    if (this.state.peek().kind === 'conflict' || this.#isAbandoned) return undefined;
    if (this.#stored === undefined) {
      const made = await this.#send();
      if (!made.ok) {
        await this.#explain(made.failure);
        return this.#reasonLeft(made.failure);
      }
      this.#stored = made.value;
      this.state.value = { kind: 'saved', at: new Date() };
    }
    const { version } = this.#stored;
    const signed = await this.#ports.sign(
      { ...this.#body(), confirm_emergency: isConfirmed },
      { version, caseVersion },
    );
    if (signed.ok) {
      this.state.value = { kind: 'signed' };
      return undefined;
    }
    const { failure } = signed;
    // Without a reply it may be signed all the same; another attempt is then refused with one of these.
    if (isNoReply(failure) || failure.reason === 'version_conflict' || notInHand.includes(failure.reason)) {
      await this.#compare(failure);
      return this.#reasonLeft(failure);
    }
    if (['dirty', 'failed'].includes(this.state.peek().kind)) this.#schedule(PAUSE);
    return failure;
  }

  /** Of a signature that failed: nothing where it stands all the same, or where the physician decides between two texts. */
  #reasonLeft(failure: Failure): Failure | undefined {
    return ['signed', 'conflict'].includes(this.state.peek().kind) ? undefined : failure;
  }

  #keyOf(body: AnswerBody): string {
    const content = JSON.stringify(body);
    if (this.#creation?.content !== content) this.#creation = { content, key: crypto.randomUUID() };
    return this.#creation.key;
  }

  async #explain(failure: Failure): Promise<void> {
    const code = failure.reason;
    if (code === 'version_conflict' || code === 'annotation_exists' || code === 'case_state_conflict') {
      await this.#compare(failure);
    } else if (temporary.includes(failure.code)) this.#fail(failure);
    else this.#lose(failure);
  }

  #lose(failure: Failure): void {
    clearTimeout(this.#timer);
    this.state.value = { kind: 'lost', failure };
  }

  #fail(failure: Failure): void {
    this.state.value = { kind: 'failed', failure };
    const pause = RETRIES[this.#attempts++] ?? RETRIES.at(-1) ?? 0;
    this.#schedule(Math.max(pause, (failure.retryAfter ?? 0) * 1000));
  }

  /** What is stored may be one's own text, or one's own signature, whose reply was lost: then there is nothing to decide. */
  async #compare(failure: Failure): Promise<void> {
    const read = await this.#ports.read();
    if (!read.ok) return this.#fail(read.failure);
    const theirs = draftAmong(read.value);
    const signed = read.value.find(
      (each): each is DermatologistAnnotation =>
        each.kind === 'dermatologist' && each.uuid === this.#stored?.uuid && each.status === 'final',
    );
    if (signed !== undefined) {
      clearTimeout(this.#timer);
      const isMine = isSameBody(draftOf(signed), this.draft.peek());
      // Signed in another tab: what is here and not in the signed text must not disappear without a word.
      this.state.value = isMine ? { kind: 'signed' } : { kind: 'conflict', theirs: signed };
    } else if (notInHand.includes(failure.reason)) {
      this.#lose(failure);
    } else if (theirs === undefined) {
      this.#stored = undefined;
      this.state.value = { kind: 'dirty' };
      this.#schedule(PAUSE);
    } else if (isSameBody(draftOf(theirs), this.draft.peek())) {
      this.#stored = theirs;
      this.state.value = { kind: 'saved', at: new Date(theirs.updated_at) };
    } else if (
      theirs.version === this.#stored?.version ||
      this.#unanswered.some((sent) => isSameBody(draftOf(theirs), sent))
    ) {
      this.#stored = theirs;
      this.state.value = { kind: 'dirty' };
      this.#schedule(PAUSE);
    } else {
      this.state.value = { kind: 'conflict', theirs };
    }
  }
}

const isNoReply = ({ code }: Failure) => code === 'offline' || code === 'no_answer';
