// Every call of the portal. Each uses the current language and returns an Outcome instead of throwing.
import {
  type Anamnesis,
  createDermagate,
  createPhotoUrls,
  inIndexedDb,
  type PartialAnamnesis,
} from 'dermagate-client';
import { language } from '../i18n/language.ts';
import type { AskedQuestion } from './asked-question.ts';
import { attempt as attemptCall, type Outcome } from './attempt.ts';
import { noteHelpLines } from './help-lines.ts';

const listeners: (() => void)[] = [];
const notifySessionLost = () => listeners.forEach((listener) => listener());

export const dermagate = createDermagate({
  baseUrl: __GATEWAY_URL__,
  // Tabs share the tokens; one at a time replaces them.
  tokens: inIndexedDb(),
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
 * Never settles when the user leaves meanwhile: a late reply must not store or show anything of theirs again. Without
 * tokens nothing is refreshed, so `session.onChange` does not report that the session has ended.
 */
export const attempt: typeof attemptCall = async (call, given) => {
  const begunIn = visit;
  const outcome = await attemptCall(call, given);
  if (begunIn !== visit) return await new Promise<never>(() => {});
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
