// Every call of the portal. Each uses the current language and returns an Outcome instead of throwing.
import {
  type Anamnesis,
  createDermagate,
  createPhotoUrls,
  inIndexedDb,
  type PartialAnamnesis,
  subjectOf,
  type TokenStore,
} from 'dermagate-client';
import { language } from '../i18n/language.ts';
import type { AskedQuestion } from './asked-question.ts';
import { attempt as attemptCall, type Outcome } from './attempt.ts';
import { noteHelpLines } from './help-lines.ts';

const listeners: (() => void)[] = [];
const notifySessionLost = () => listeners.forEach((listener) => listener());

/** UUID of the user whom the portal shows; undefined while it shows none. */
let shown: string | undefined;

/** From now on a call goes out with tokens of this user only, or with anyone's while no user is shown. */
export const callOnlyAs = (uuid: string | undefined): void => void (shown = uuid);

// Tabs share the tokens; one at a time replaces them.
const shared = inIndexedDb();

/** Until it hears of a sign-in in another tab, this tab still works for the user before. */
const tokens: TokenStore = {
  ...shared,
  async load() {
    const caller = shown;
    const pair = await shared.load();
    if (pair !== undefined && caller !== undefined && subjectOf(pair) !== caller)
      throw new Error('Another user has signed in.');
    return pair;
  },
};

export const dermagate = createDermagate({
  baseUrl: __GATEWAY_URL__,
  tokens,
  language: () => language.value,
  // Every failure is shown with a button that tries again.
  retry: false,
});

const photos = createPhotoUrls(dermagate);
const { session, account, intake, images } = dermagate;

/** Calls `listener` when a call finds no session anymore. */
export function onSessionLost(listener: () => void): void {
  listeners.push(listener);
}

export const isSignedIn = () => session.isSignedIn();

/** Changes when a user leaves this browser. */
let visit = 0;
session.onChange((change) => {
  if (change === 'signed-out' || change === 'other-user') visit += 1;
});

/**
 * For work of this device after which something is stored, shown or sent: never settles when the user leaves meanwhile, because
 * that would then be done for the next one.
 */
export async function unlessLeft<Result>(work: Promise<Result>): Promise<Result> {
  const begunIn = visit;
  const result = await work;
  return begunIn === visit ? result : await new Promise<never>(() => {});
}

/**
 * Never settles when the user leaves meanwhile. Without tokens nothing is refreshed, so `session.onChange` does not report
 * that the session has ended.
 */
export const attempt: typeof attemptCall = async (call, given) => {
  const outcome = await unlessLeft(attemptCall(call, given));
  if (!outcome.ok && outcome.failure.signedOut) notifySessionLost();
  return outcome;
};

// What opens a session begins a visit, so these do not end with the one before.
export const logIn = (email: string, password: string) =>
  attemptCall(() => session.logIn({ email, password }));

export const registerPatient = (email: string, password: string) =>
  attemptCall(() => session.register({ email, password, role: 'patient' }));

export const acceptInvitation = (invitation: string, password: string) =>
  attemptCall(() => session.register({ invitation_token: invitation, password }));

export const whoAmI = () => attempt(() => session.me());

export const requestReset = (email: string) => attempt(() => account.requestPasswordReset(email));

export const resetPassword = (token: string, password: string) =>
  attempt(() => account.resetPassword({ token, new_password: password }));

export const verifyEmail = (token: string) => attempt(() => account.verifyEmail(token));

export const resendVerification = (email: string) => attempt(() => account.resendVerification(email));

export async function askNextQuestion(
  state: { anamnesis: PartialAnamnesis; skippedQuestions: readonly string[] },
  given: AbortSignal,
): Promise<Outcome<AskedQuestion>> {
  const askedIn = language.value;
  const next = await attempt((signal) => intake.nextQuestion(state, { signal }), given);
  if (!next.ok) return next;
  noteHelpLines(next.value);
  return { ok: true, value: { ...next.value, language: askedIn } };
}

export const findRedFlags = (anamnesis: PartialAnamnesis, given: AbortSignal) =>
  attempt((signal) => intake.redFlags(anamnesis, { signal }), given);

export const triage = (anamnesis: PartialAnamnesis, given: AbortSignal) =>
  attempt((signal) => intake.triage(anamnesis, { signal }), given);

/** @param key the same for every attempt to store this photo, so that a lost reply stores nothing twice. */
export const storePhoto = (photo: Blob, key: string, onProgress: (sent: number) => void) =>
  attempt(() => images.upload([photo], { idempotencyKey: key, onProgress }));

export const judgePhoto = (imageUrl: string) => attempt(() => images.check({ imageUrl }));

/** For `<img>`: places that show the same photo share it. `release` it when it no longer shows. */
export const openPhoto = (path: string, variant: 'original' | 'thumbnail', given: AbortSignal) =>
  attempt((signal) => photos.open(path, { variant, signal }), given);

/** @param path of the photo as in an anamnesis, `/api/common/images/<uuid>`. */
export const loadPhoto = (path: string, variant: 'original' | 'thumbnail', given: AbortSignal) =>
  attempt((signal) => images.get(path.split('/').at(-1) ?? '', { variant, signal }), given);

/**
 * @param anamnesis with every required answer: the questionnaire is complete.
 * @param key the same for every attempt in one language, so that a lost reply makes no second case.
 */
export const diagnose = (image: Blob, anamnesis: PartialAnamnesis, key: string, given: AbortSignal) =>
  attempt((signal) => {
    const body = { image, anamnesis: anamnesis as Anamnesis };
    return dermagate.diagnosis.create(body, { idempotencyKey: key, signal });
  }, given);
