import { effect, type ReadonlySignal, signal } from '@preact/signals';
import type { CaseCreation, CaseUpdate, Language, MobileCase, Profile } from 'dermagate-client';
import type { Outcome } from '../../gateway/attempt.ts';
import type { Failure } from '../../gateway/failure.ts';
import { contentOf, fits, mayBeAnother } from '../cases/case-content.ts';
import type { Intake, IntakeCase, IntakePerson } from '../intake/intake.ts';
import type { IntakeSession } from '../intake/intake-session.ts';
import { isContained } from '../intake/found-answers.ts';
import { isContinuing } from '../intake/repeat-answer.ts';

export type DraftState =
  /** The gateway has every answer, or there is none. */
  | { state: 'stored' }
  | { state: 'storing' }
  /** They are stored in this tab only. */
  | { state: 'failed'; failure: Failure }
  /** Whom they are about must be known before they can be stored. */
  | { state: 'person-missing' }
  /** Another device has gone on with the draft; `theirs` is what it is now. Nothing is stored until the patient chooses. */
  | { state: 'conflict'; theirs: MobileCase };

export interface DraftPorts {
  createCase: (body: CaseCreation, key: string) => Promise<Outcome<MobileCase>>;
  updateCase: (body: CaseUpdate & { version: number }) => Promise<Outcome<MobileCase>>;
  readCase: (uuid: string) => Promise<Outcome<MobileCase>>;
  listProfiles: () => Promise<Outcome<{ profiles: Profile[] }>>;
  language: () => Language;
  /** Called with each reply, so that lists show the draft as it is. */
  onStored: (made: MobileCase) => void;
  /** Milliseconds from an answer until it is stored; a second answer within them is stored with it. */
  delay?: number;
}

export interface DraftSaver {
  state: ReadonlySignal<DraftState>;
  /** Stores at once what is not stored yet, after what is under way. */
  flush: () => Promise<void>;
  /** The same, and then does what changes the draft as well: nothing is stored meanwhile. */
  exclusively: <Value>(work: () => Promise<Value>) => Promise<Value>;
  /** Reads the draft whose change was refused: another device may have sent or cancelled it, so that the patient must choose. */
  recheck: () => Promise<void>;
  /** Makes a draft of its own of the answers here. */
  keepSeparately: () => void;
  /** Ends the storing by itself, retries included; a `flush` under way completes. Resolves once no call is under way. */
  stop: () => Promise<void>;
  /** The user is gone: nothing more is stored at all, as it would become a draft of the next user. */
  abandon: () => void;
}

/** Milliseconds. Answers share a quota of 60 calls a minute with the questions. */
const DELAY = 1500;
/** Seconds after a failure without `Retry-After`. */
const RETRY = 20;

/** Stores the answers of an intake as a draft at the gateway while the questions go on, so that any device can continue. */
export function saveDrafts(session: IntakeSession, ports: DraftPorts): DraftSaver {
  const state = signal<DraftState>({ state: 'stored' });
  let timer: ReturnType<typeof setTimeout> | undefined;
  let underWay: Promise<void> | undefined;
  /** Answers that the gateway has refused: other ones are tried. */
  let refused: Intake['steps'] | undefined;
  /** Whether the version here is the gateway's, as far as this device knows. */
  let isVersionKnown = session.intake.value.case?.stored === true;
  let isStopped = false;
  let isAbandoned = false;

  const isDue = () => !isAbandoned && isToStore(session.intake.value);
  const remember = (known: IntakeCase) => session.apply({ type: 'case-known', case: known });
  /** A reply may arrive when the patient has begun anew, whose answers are another case, or is gone. */
  const isSame = (clientId: string) => !isAbandoned && session.intake.value.case?.clientId === clientId;

  /** Answers given meanwhile are stored in the next round. */
  function noteStored(sent: Intake, clientId: string, made: MobileCase): void {
    if (isAbandoned) return;
    const { uuid, version } = made;
    isVersionKnown = true;
    ports.onStored(made);
    if (!isSame(clientId)) return;
    const isWhole = session.intake.value.steps === sent.steps;
    remember({ clientId, uuid, version, ...(isWhole && { stored: true }) });
    state.value = { state: isWhole ? 'stored' : 'storing' };
  }

  async function store(): Promise<void> {
    const intake = session.intake.value;
    if (!isToStore(intake)) return void (state.value = { state: 'stored' });
    state.value = { state: 'storing' };
    const { clientId } = intake.case ?? { clientId: crypto.randomUUID() };
    if (intake.case === undefined) remember({ clientId });
    const person = await personOf(intake, ports);
    if (!isSame(clientId)) return;
    if (!person.ok) return fail(intake, person.failure);
    if (person.value === 'missing') return void (state.value = { state: 'person-missing' });
    const content = {
      ...contentOf(intake),
      ...(person.value !== 'own' && { patient_uuid: person.value.uuid }),
    };
    const { case: known } = session.intake.value;
    if (known?.uuid === undefined || known.version === undefined) return await create(intake, content);
    const { uuid, version } = known;
    if (!isVersionKnown) return await compare(intake, uuid, version);
    const updated = await ports.updateCase({ ...content, uuid, version });
    if (!isSame(clientId)) return;
    if (updated.ok) return noteStored(intake, clientId, updated.value);
    if (isOfDraft(updated.failure)) return await compare(intake, uuid);
    // The call may have come through.
    isVersionKnown = false;
    fail(intake, updated.failure);
  }

  /** The first attempt is repeated as it was until its reply arrives: by then the gateway may have made the case. */
  async function create(intake: Intake, content: Omit<CaseCreation, 'client_case_id'>): Promise<void> {
    const { clientId, creation } = session.intake.value.case ?? { clientId: crypto.randomUUID() };
    const body = creation ?? { ...content, client_case_id: clientId, language: ports.language() };
    if (creation === undefined) remember({ clientId, creation: body });
    const made = await ports.createCase(body, clientId);
    if (!made.ok && !isSame(clientId)) return;
    if (!made.ok) {
      fail(intake, made.failure);
      // What was refused was not made: the next attempt has the answers of then.
      if (isRefusal(made.failure)) remember({ clientId: crypto.randomUUID() });
      return;
    }
    noteStored(creation === undefined ? intake : { ...intake, steps: [] }, clientId, made.value);
  }

  /**
   * Reads the draft as it is. After a lost reply, which a reload causes too, it is newer than here although no other device
   * was there.
   */
  async function compare(intake: Intake, uuid: string, version?: number): Promise<void> {
    const { clientId = '' } = session.intake.value.case ?? {};
    const read = await ports.readCase(uuid);
    if (!isSame(clientId)) return;
    // It is gone, such as with its time: the answers here make a new one.
    if (!read.ok && read.failure.code === 'case_not_found') return session.apply({ type: 'draft-left' });
    if (!read.ok) return fail(intake, read.failure);
    isVersionKnown = true;
    if (read.value.version === version && read.value.patient_status === 'draft') return await store();
    const theirs = read.value;
    const { anamnesis, images } = contentOf(intake);
    const here = new Set(images.map(({ name }) => name.split('.')[0]));
    const hasOnlyMine =
      theirs.patient_status === 'draft' &&
      isContained(withoutImages(theirs.anamnesis), anamnesis) &&
      theirs.images.every((image) => here.has(image.uuid));
    if (!hasOnlyMine) return void (state.value = { state: 'conflict', theirs });
    remember({ clientId, uuid, version: theirs.version });
  }

  /** Tries again by itself what another time can change. */
  function fail(intake: Intake, failure: Failure): void {
    state.value = { state: 'failed', failure };
    clearTimeout(timer);
    if (isRefusal(failure)) refused = intake.steps;
    else if (failure.signedOut !== true) later((failure.retryAfter ?? RETRY) * 1000);
  }

  function later(milliseconds: number): void {
    clearTimeout(timer);
    // A last flush may fail after the page is left; a retry would go out with the session of the next user.
    if (isStopped) return;
    timer = setTimeout(() => void next(), milliseconds);
  }

  async function run(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (isAbandoned) return;
    underWay ??= store().finally(() => (underWay = undefined));
    await underWay;
  }

  async function flush(): Promise<void> {
    if (underWay !== undefined) await underWay;
    // The reply to a repeated first attempt leaves the answers given since.
    while (isDue() && state.value.state !== 'conflict') {
      await run();
      if (state.value.state === 'failed' || state.value.state === 'person-missing') return;
    }
  }

  async function exclusively<Value>(work: () => Promise<Value>): Promise<Value> {
    await flush();
    const result = work();
    const ended = Promise.allSettled([result]).then(() => undefined);
    underWay = ended;
    try {
      return await result;
    } finally {
      if (underWay === ended) underWay = undefined;
    }
  }

  const stopWatching = effect(() => {
    const intake = session.intake.value;
    const now = state.peek();
    // The patient has gone on with the other device's answers.
    if (now.state === 'conflict' && intake.case?.version === now.theirs.version)
      state.value = { state: 'stored' };
    if (isToStore(intake) && intake.steps !== refused) later(ports.delay ?? DELAY);
  });

  /** One call at a time; a conflict waits for the patient's choice. */
  async function next(): Promise<void> {
    if (underWay !== undefined) await underWay;
    if (state.value.state !== 'conflict') await run();
  }

  async function stop(): Promise<void> {
    isStopped = true;
    clearTimeout(timer);
    stopWatching();
    await underWay;
  }

  return {
    state,
    flush,
    exclusively,
    async recheck() {
      const { uuid, held } = session.intake.value.case ?? {};
      if (uuid === undefined || held === true || isAbandoned) return;
      underWay ??= compare(session.intake.value, uuid).finally(() => (underWay = undefined));
      await underWay;
    },
    keepSeparately() {
      session.apply({ type: 'draft-left' });
      state.value = { state: 'stored' };
      void run();
    },
    stop,
    abandon() {
      isAbandoned = true;
      void stop();
    },
  };
}

/** Whether there are answers that the gateway does not have, and that are not on their way to a doctor. */
const isToStore = (intake: Intake): boolean =>
  intake.steps.length > 0 &&
  intake.before === undefined &&
  intake.case?.sent !== true &&
  intake.case?.held !== true &&
  intake.case?.stored !== true &&
  !isContinuing(intake);

/** Whether the draft is no longer as this device knows it. */
export const isOfDraft = ({ code }: Failure): boolean =>
  code === 'version_conflict' || code === 'case_state_conflict' || code === 'case_not_found';

/** Whether the gateway will refuse the same answers again. */
const isRefusal = ({ code }: Failure): boolean =>
  [
    'client_case_id_reused',
    'anamnesis_invalid',
    'age_mismatch',
    'validation_error',
    'draft_limit',
    'email_unverified',
  ].includes(code);

const withoutImages = ({ images: _images, ...answers }: MobileCase['anamnesis']) => answers;

/** For whom the draft is: the chosen person while the answers can be about them, else the owner of the account. */
async function personOf(
  intake: Intake,
  { listProfiles }: DraftPorts,
): Promise<Outcome<IntakePerson | 'own' | 'missing'>> {
  const { anamnesis } = contentOf(intake);
  const { person } = intake;
  if (person !== undefined && fits(person, anamnesis)) return { ok: true, value: person };
  if (mayBeAnother(anamnesis)) return { ok: true, value: 'missing' };
  if (person === undefined) return { ok: true, value: 'own' };
  // Another person was chosen before the answers changed.
  const listed = await listProfiles();
  if (!listed.ok) return listed;
  return { ok: true, value: listed.value.profiles.find((profile) => fits(profile, anamnesis)) ?? 'own' };
}
