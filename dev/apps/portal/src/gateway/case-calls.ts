// The calls about cases. Those that change something take a key, the same for every attempt.
import type { CaseCreation, CaseUpdate, NewOffspring } from 'dermagate-client';
import type { Outcome } from './attempt.ts';
import { attempt, dermagate } from './gateway.ts';

const { cases, profiles, config } = dermagate;

export const createCase = (body: CaseCreation, idempotencyKey: string) =>
  attempt(() => cases.create(body, { idempotencyKey }));

export const updateCase = (body: CaseUpdate & { version: number }) => attempt(() => cases.update(body));

export const cancelCase = (uuid: string, version: number, idempotencyKey: string) =>
  attempt(() => cases.cancel(uuid, { version }, { idempotencyKey }));

/** The answer has been read. */
export const acknowledgeCase = (uuid: string) => attempt(() => cases.acknowledge(uuid));

/** A question about an answer, which opens the case again. */
export const askAgain = (uuid: string, message: string, version: number, idempotencyKey: string) =>
  attempt(() => cases.reply(uuid, { message, version }, { idempotencyKey }));

/** @param cursor of the page before; the newest cases without one. */
export const listCases = (cursor: string | undefined, given: AbortSignal) =>
  attempt(
    (signal) =>
      cases.list({ view: 'summary', limit: 20, ...(cursor !== undefined && { cursor }) }, { signal }),
    given,
  );

export const readCase = (uuid: string, given?: AbortSignal) =>
  attempt((signal) => cases.get(uuid, { signal }), given);

export const readAnswers = (uuid: string, given: AbortSignal) =>
  attempt((signal) => cases.annotations(uuid, { signal }), given);

export const listProfiles = (given?: AbortSignal) => attempt((signal) => profiles.list({ signal }), given);

export const addProfile = (body: NewOffspring, idempotencyKey: string) =>
  attempt(() => profiles.addOffspring(body, { idempotencyKey }));

const readParameters = (branch: string, subBranch: string, given?: AbortSignal) =>
  attempt((signal) => config.parameters(branch, subBranch, { signal }), given);

/** Whether cases may be sent to a doctor. */
export async function mayCasesBeSent(): Promise<Outcome<boolean>> {
  const features = await readParameters('portal', 'features');
  if (features.ok) return { ok: true, value: features.value.parameters['cases'] === true };
  return features.failure.reason === 'parameters_not_found' ? { ok: true, value: false } : features;
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
  const text = await attempt((signal) => config.text('consent', { version, signal }), given);
  return text.ok ? { ok: true, value: { version, text: text.value } } : text;
}
