// The calls about cases. Those that change something take a key, the same for every attempt.
import type { CaseActionDetails, CaseCreation, CaseUpdate, NewOffspring } from 'dermagate-client';
import { language } from '../i18n/language.ts';
import type { Outcome } from './attempt.ts';
import { attempt, dermagate } from './gateway.ts';

const { cases, profiles, config } = dermagate;

export const createCase = (body: CaseCreation, idempotencyKey: string) =>
  attempt((signal) => cases.create(body, { lang: language.value, idempotencyKey, signal }));

export const updateCase = (body: CaseUpdate & { version: number }) =>
  attempt((signal) => cases.update(body, { lang: language.value, signal }));

export const cancelCase = (uuid: string, details: CaseActionDetails, idempotencyKey: string) =>
  attempt((signal) => cases.cancel(uuid, details, { lang: language.value, idempotencyKey, signal }));

/** @param cursor of the page before; the newest cases without one. */
export const listCases = (cursor: string | undefined, given: AbortSignal) =>
  attempt((signal) => {
    const query = { limit: 20, ...(cursor !== undefined && { cursor }) };
    return cases.list(query, { lang: language.value, signal });
  }, given);

export const readCase = (uuid: string, given: AbortSignal) =>
  attempt((signal) => cases.get(uuid, { lang: language.value, signal }), given);

export const readAnswers = (uuid: string, given: AbortSignal) =>
  attempt((signal) => cases.annotations(uuid, { lang: language.value, signal }), given);

export const listProfiles = (given: AbortSignal) => attempt((signal) => profiles.list({ signal }), given);

export const addProfile = (body: NewOffspring, idempotencyKey: string) =>
  attempt((signal) => profiles.addOffspring(body, { idempotencyKey, signal }));

const readParameters = (branch: string, subBranch: string, given?: AbortSignal) =>
  attempt((signal) => config.parameters(branch, subBranch, { signal }), given);

/** Whether cases may be sent to a doctor; not where that cannot be known. */
export async function mayCasesBeSent(): Promise<boolean> {
  const features = await readParameters('portal', 'features');
  return features.ok && features.value.parameters['cases'] === true;
}

export interface ConsentText {
  version: string;
  text: string;
}

/** The text that counts now, in the current language. */
export async function readConsent(given: AbortSignal): Promise<Outcome<ConsentText>> {
  const consent = await readParameters('legal', 'consent', given);
  if (!consent.ok) return consent;
  const version = String(consent.value.parameters['version']);
  const text = await attempt((signal) => {
    const params = { path: { name: 'consent' as const }, query: { lang: language.value, version } };
    return dermagate.GET('/api/v1/frontend/download_resource/{name}', { params, parseAs: 'text', signal });
  }, given);
  return text.ok ? { ok: true, value: { version, text: text.value } } : text;
}
