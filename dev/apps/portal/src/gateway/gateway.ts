// Every call of the portal. Each takes the language of the moment, and answers an Outcome instead of throwing.
import { type Anamnesis, createDermagate, inIndexedDb, type PartialAnamnesis } from 'dermagate-client';
import { language } from '../i18n/language.ts';
import type { AskedQuestion } from './asked-question.ts';
import { attempt as attemptCall, type Outcome } from './attempt.ts';
import { noteHelpLines } from './help-lines.ts';

/** Tabs share the tokens and take turns in replacing them. */
const tokens = inIndexedDb();

const listeners: (() => void)[] = [];
const tellLoss = () => listeners.forEach((listener) => listener());

export const dermagate = createDermagate({
  baseUrl: __GATEWAY_URL__,
  tokens,
  onSignedOut: tellLoss,
});

/** Calls `listener` when the session has ended without a sign-out in this tab. */
export function onSessionLost(listener: () => void): void {
  listeners.push(listener);
}

export const isSignedIn = async (): Promise<boolean> => (await tokens.load()) !== undefined;

/** Another tab may have signed out: then there is no token left to be refused, and nobody else tells. */
const attempt: typeof attemptCall = async (call, given) => {
  const outcome = await attemptCall(call, given);
  if (!outcome.ok && outcome.failure.signedOut) tellLoss();
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

/** @param key of this photo, the same for every attempt: then a lost answer stores nothing twice. */
export const storePhoto = (photo: Blob, key: string) =>
  attempt((signal) => {
    const params = { header: { 'idempotency-key': key } };
    return dermagate.POST('/api/common/store_images', { body: { images: [photo] }, params, signal });
  });

export const judgePhoto = (imageUrl: string) =>
  attempt((signal) => dermagate.POST('/api/ai/image_validity', { body: { imageUrl }, ...lang(), signal }));

/** @param path as an anamnesis names a photo, `/api/common/images/<uuid>`. */
export const loadPhoto = (path: string, variant: 'original' | 'thumbnail', given: AbortSignal) =>
  attempt((signal) => {
    const params = { path: { uuid: path.split('/').at(-1) ?? '' }, query: { variant } };
    return dermagate.GET('/api/common/images/{uuid}', { params, parseAs: 'blob', signal });
  }, given);

/**
 * @param anamnesis with every required answer: the questionnaire is over.
 * @param key the same for every attempt in one language: then a lost answer makes no second case.
 */
export const diagnose = (image: Blob, anamnesis: PartialAnamnesis, key: string, given: AbortSignal) =>
  attempt((signal) => {
    const body = { image, anamnesis: anamnesis as Anamnesis };
    const params = { ...lang().params, header: { 'idempotency-key': key } };
    return dermagate.POST('/api/diagnosis', { body, params, signal });
  }, given);
