// Every call of the portal. Each uses the current language and returns an Outcome instead of throwing.
import { type Anamnesis, createDermagate, inIndexedDb, type PartialAnamnesis } from 'dermagate-client';
import { language } from '../i18n/language.ts';
import type { AskedQuestion } from './asked-question.ts';
import { attempt as attemptCall, type Outcome } from './attempt.ts';
import { noteHelpLines } from './help-lines.ts';

/** Tabs share the tokens; one at a time replaces them. */
const tokens = inIndexedDb();

const listeners: (() => void)[] = [];
const notifySessionLost = () => listeners.forEach((listener) => listener());

export const dermagate = createDermagate({
  baseUrl: __GATEWAY_URL__,
  tokens,
  onSignedOut: notifySessionLost,
});

/** Calls `listener` when the session ends without a sign-out in this tab. */
export function onSessionLost(listener: () => void): void {
  listeners.push(listener);
}

export const isSignedIn = async (): Promise<boolean> => (await tokens.load()) !== undefined;

/** After a sign-out in another tab no token is left to be refused, so `onSignedOut` is not called. */
export const attempt: typeof attemptCall = async (call, given) => {
  const outcome = await attemptCall(call, given);
  if (!outcome.ok && outcome.failure.signedOut) notifySessionLost();
  return outcome;
};

const lang = () => ({ params: { query: { lang: language.value } } });

export const logIn = (email: string, password: string) =>
  attempt((signal) => dermagate.logIn({ email, password }, { signal }));

export const registerPatient = (email: string, password: string) =>
  attempt((signal) =>
    dermagate.register({ email, password, role: 'patient' }, { lang: language.value }, { signal }),
  );

export const acceptInvitation = (invitation: string, password: string) =>
  attempt((signal) =>
    dermagate.register({ invitation_token: invitation, password }, { lang: language.value }, { signal }),
  );

export const whoAmI = () => attempt((signal) => dermagate.GET('/api/auth/me', { signal }));

export const requestReset = (email: string) =>
  attempt((signal) => dermagate.POST('/api/auth/request-reset', { body: { email }, ...lang(), signal }));

export const resetPassword = (token: string, password: string) =>
  attempt((signal) =>
    dermagate.POST('/api/auth/reset-password', {
      body: { token, new_password: password },
      ...lang(),
      signal,
    }),
  );

export const verifyEmail = (token: string) =>
  attempt((signal) => dermagate.POST('/api/auth/verify-email', { body: { token }, signal }));

export const resendVerification = (email: string) =>
  attempt((signal) =>
    dermagate.POST('/api/auth/verify-email/resend', { body: { email }, ...lang(), signal }),
  );

export async function askNextQuestion(
  state: { anamnesis: PartialAnamnesis; skippedQuestions: readonly string[] },
  given: AbortSignal,
): Promise<Outcome<AskedQuestion>> {
  const askedIn = language.value;
  const next = await attempt((signal) => {
    const body = { ...state.anamnesis, skippedQuestions: [...state.skippedQuestions] };
    return dermagate.POST('/api/ai/next_question', { body, ...lang(), signal });
  }, given);
  if (!next.ok) return next;
  noteHelpLines(next.value);
  return { ok: true, value: { ...next.value, language: askedIn } };
}

export const findRedFlags = (anamnesis: PartialAnamnesis, given: AbortSignal) =>
  attempt((signal) => dermagate.POST('/api/ai/red_flags', { body: anamnesis, ...lang(), signal }), given);

export const triage = (anamnesis: PartialAnamnesis, given: AbortSignal) =>
  attempt((signal) => dermagate.POST('/api/ai/triage', { body: anamnesis, ...lang(), signal }), given);

/** @param key the same for every attempt to store this photo, so that a lost reply stores nothing twice. */
export const storePhoto = (photo: Blob, key: string) =>
  attempt((signal) => {
    const params = { header: { 'idempotency-key': key } };
    return dermagate.POST('/api/common/store_images', { body: { images: [photo] }, params, signal });
  });

export const judgePhoto = (imageUrl: string) =>
  attempt((signal) => dermagate.POST('/api/ai/image_validity', { body: { imageUrl }, ...lang(), signal }));

/** @param path of the photo as in an anamnesis, `/api/common/images/<uuid>`. */
export const loadPhoto = (path: string, variant: 'original' | 'thumbnail', given: AbortSignal) =>
  attempt((signal) => {
    const params = { path: { uuid: path.split('/').at(-1) ?? '' }, query: { variant } };
    return dermagate.GET('/api/common/images/{uuid}', { params, parseAs: 'blob', signal });
  }, given);

/**
 * @param anamnesis with every required answer: the questionnaire is complete.
 * @param key the same for every attempt in one language, so that a lost reply makes no second case.
 */
export const diagnose = (image: Blob, anamnesis: PartialAnamnesis, key: string, given: AbortSignal) =>
  attempt((signal) => {
    const body = { image, anamnesis: anamnesis as Anamnesis };
    const params = { ...lang().params, header: { 'idempotency-key': key } };
    return dermagate.POST('/api/diagnosis', { body, params, signal });
  }, given);
