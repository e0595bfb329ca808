import { type Signal, signal } from '@preact/signals';
import type { DermatologistAnnotation, Language } from 'dermagate-client';
import type { Outcome } from '../../gateway/attempt.ts';
import type { AnswerBody } from '../../gateway/desk-types.ts';
import type { Failure } from '../../gateway/failure.ts';
import { bodyOf, type Draft, draftOf, emptyDraft } from './draft.ts';

export type SaveState =
  | { kind: 'clean' }
  | { kind: 'dirty' }
  | { kind: 'saving' }
  | { kind: 'saved'; at: Date }
  /** Tried again by itself. */
  | { kind: 'failed'; failure: Failure }
  /** Another tab or device has saved it since. */
  | { kind: 'conflict'; theirs: DermatologistAnnotation }
  /** Only the physician can change that: the case is gone, or the text is refused. */
  | { kind: 'lost'; failure: Failure };

export interface DraftPorts {
  create: (body: AnswerBody, key: string) => Promise<Outcome<{ version: number }>>;
  save: (body: AnswerBody, version: number) => Promise<Outcome<{ version: number }>>;
  sign: (body: AnswerBody, version: number) => Promise<Outcome<unknown>>;
  /** The caller's draft as it is stored now; undefined where there is none. */
  read: () => Promise<Outcome<DermatologistAnnotation | undefined>>;
}

/** Milliseconds after the last change. */
const PAUSE = 800;
/** Milliseconds before a failed save is tried again; the last one counts for all that follow. */
const RETRIES: readonly number[] = [3000, 8000, 20_000];
/** Those that a later attempt can get past. */
const temporary = ['offline', 'no_answer', 'busy', 'unavailable', 'internal_error', 'rate_limited'];

/** The draft of one answer: what is on the screen, and whether the gateway has it. */
export class DraftKeeper {
  readonly draft: Signal<Draft>;
  readonly state: Signal<SaveState> = signal<SaveState>({ kind: 'clean' });
  #version: number | undefined;
  readonly #ports: DraftPorts;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #saves: Promise<void> = Promise.resolve();
  #attempts = 0;
  #seconds: number;
  /** The same for every attempt to make the same draft: a lost reply makes none twice. */
  #creation: { content: string; key: string } | undefined;
  #isAbandoned = false;

  constructor(stored: DermatologistAnnotation | undefined, language: Language, ports: DraftPorts) {
    this.draft = signal(stored === undefined ? emptyDraft(language) : draftOf(stored));
    this.#version = stored?.version;
    this.#seconds = stored?.seconds_spent ?? 0;
    this.#ports = ports;
  }

  change(patch: Partial<Draft> | ((draft: Draft) => Draft)): void {
    const before = this.draft.peek();
    const after = typeof patch === 'function' ? patch(before) : { ...before, ...patch };
    if (after === before) return;
    this.draft.value = after;
    const { kind } = this.state.peek();
    if (kind === 'conflict' || kind === 'lost') return;
    if (kind !== 'saving') this.state.value = { kind: 'dirty' };
    this.#schedule(PAUSE);
  }

  /** Notes a second of work. */
  tick(): void {
    this.#seconds += 1;
  }

  /** Whether something is on the screen that the gateway does not have. */
  get isUnsaved(): boolean {
    return !['clean', 'saved'].includes(this.state.peek().kind);
  }

  /** Saves now what is not saved. Each save starts after the one before, so that its version is the latest. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    const saved = this.#saves.then(() => this.#save());
    this.#saves = saved.catch(() => undefined);
    await saved;
  }

  /** The physician is gone: nothing more is saved, as it would be saved in the name of the next one. */
  abandon(): void {
    this.#isAbandoned = true;
    clearTimeout(this.#timer);
  }

  /** Saves and signs. @returns why not; undefined when it is signed, or when a conflict is to be decided. */
  async sign(): Promise<Failure | undefined> {
    if (this.#version === undefined && !this.isUnsaved) this.state.value = { kind: 'dirty' };
    await this.flush();
    const state = this.state.peek();
    if (state.kind === 'failed' || state.kind === 'lost') return state.failure;
    if (state.kind === 'conflict' || this.#version === undefined) return undefined;
    const signed = await this.#ports.sign(this.#body(), this.#version);
    if (signed.ok) {
      this.state.value = { kind: 'clean' };
      return undefined;
    }
    if (signed.failure.reason !== 'version_conflict') return signed.failure;
    await this.#compare();
    return undefined;
  }

  /** What is here replaces what is stored. */
  async keepMine(): Promise<void> {
    const state = this.state.peek();
    if (state.kind !== 'conflict') return;
    this.#version = state.theirs.version;
    this.state.value = { kind: 'dirty' };
    await this.flush();
  }

  /** What is stored replaces what is here. */
  takeTheirs(): void {
    const state = this.state.peek();
    if (state.kind === 'conflict') this.#adopt(state.theirs);
  }

  #adopt(stored: DermatologistAnnotation): void {
    this.draft.value = draftOf(stored);
    this.#version = stored.version;
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

  async #save(): Promise<void> {
    if (this.#isAbandoned || !['dirty', 'failed', 'lost'].includes(this.state.peek().kind)) return;
    const sent = this.draft.peek();
    const body = this.#body();
    this.state.value = { kind: 'saving' };
    const saved = await (this.#version === undefined
      ? this.#ports.create(body, this.#keyOf(body))
      : this.#ports.save(body, this.#version));
    if (!saved.ok) return await this.#explain(saved.failure);
    this.#attempts = 0;
    this.#version = saved.value.version;
    if (this.draft.peek() === sent) {
      this.state.value = { kind: 'saved', at: new Date() };
    } else {
      this.state.value = { kind: 'dirty' };
      this.#schedule(PAUSE);
    }
  }

  #keyOf(body: AnswerBody): string {
    const content = JSON.stringify(body);
    if (this.#creation?.content !== content) this.#creation = { content, key: crypto.randomUUID() };
    return this.#creation.key;
  }

  async #explain(failure: Failure): Promise<void> {
    const code = failure.reason;
    if (code === 'version_conflict' || code === 'annotation_exists') await this.#compare();
    else if (temporary.includes(failure.code)) this.#fail(failure);
    else {
      clearTimeout(this.#timer);
      this.state.value = { kind: 'lost', failure };
    }
  }

  #fail(failure: Failure): void {
    this.state.value = { kind: 'failed', failure };
    const pause = RETRIES[this.#attempts++] ?? RETRIES.at(-1) ?? 0;
    this.#schedule(Math.max(pause, (failure.retryAfter ?? 0) * 1000));
  }

  /** What was saved elsewhere may be one's own text whose reply was lost: then there is nothing to decide. */
  async #compare(): Promise<void> {
    const read = await this.#ports.read();
    if (!read.ok) {
      this.#fail(read.failure);
    } else if (read.value === undefined) {
      this.#version = undefined;
      this.state.value = { kind: 'dirty' };
      this.#schedule(PAUSE);
    } else if (sameBody(draftOf(read.value), this.draft.peek())) {
      this.#adopt(read.value);
    } else {
      this.state.value = { kind: 'conflict', theirs: read.value };
    }
  }
}

const sameBody = (a: Draft, b: Draft) => JSON.stringify(bodyOf(a)) === JSON.stringify(bodyOf(b));
