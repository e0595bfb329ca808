// The calls about cases. Those that change something take a key, the same for every attempt.
import type { CaseAction, CaseCreation, CaseUpdate, NewOffspring } from 'dermagate-client';
import { language } from '../i18n/language.ts';
import type { Outcome } from './attempt.ts';
import { attempt, dermagate } from './gateway.ts';

const query = () => ({ lang: language.value });

export const createCase = (body: CaseCreation, key: string) =>
  attempt((signal) => {
    const params = { query: query(), header: { 'idempotency-key': key } };
    return dermagate.POST('/api/v1/mobile/cases/create', { body, params, signal });
  });

export const updateCase = (body: CaseUpdate) =>
  attempt((signal) =>
    dermagate.POST('/api/v1/mobile/cases/update', { body, params: { query: query() }, signal }),
  );

export const actOnCase = (uuid: string, body: CaseAction, key: string) =>
  attempt((signal) => {
    const params = { path: { uuid }, query: query(), header: { 'idempotency-key': key } };
    return dermagate.POST('/api/v1/mobile/cases/{uuid}/status', { body, params, signal });
  });

/** @param cursor of the page before; the newest cases without one. */
export const listCases = (cursor: string | undefined, given: AbortSignal) =>
  attempt((signal) => {
    const params = { query: { ...query(), limit: 20, ...(cursor !== undefined && { cursor }) } };
    return dermagate.GET('/api/v1/mobile/cases', { params, signal });
  }, given);

export const readCase = (uuid: string, given: AbortSignal) =>
  attempt((signal) => {
    const params = { path: { uuid }, query: query() };
    return dermagate.GET('/api/v1/mobile/cases/{uuid}', { params, signal });
  }, given);

export const readAnswers = (uuid: string, given: AbortSignal) =>
  attempt((signal) => {
    const params = { path: { uuid }, query: query() };
    return dermagate.GET('/api/v1/mobile/cases/{uuid}/annotations', { params, signal });
  }, given);

export const listProfiles = (given: AbortSignal) =>
  attempt((signal) => dermagate.GET('/api/v1/mobile/users/profiles', { signal }), given);

export const addProfile = (body: NewOffspring, key: string) =>
  attempt((signal) => {
    const params = { header: { 'idempotency-key': key } };
    return dermagate.POST('/api/v1/mobile/users/offsprings', { body, params, signal });
  });

const readParameters = (branch: string, subBranch: string, given?: AbortSignal) =>
  attempt((signal) => {
    const params = { path: { branch, sub_branch: subBranch } };
    return dermagate.GET('/api/v1/mobile/config/parameters/{branch}/{sub_branch}', { params, signal });
  }, given);

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
    const params = { path: { name: 'consent' as const }, query: { ...query(), version } };
    return dermagate.GET('/api/v1/frontend/download_resource/{name}', { params, parseAs: 'text', signal });
  }, given);
  return text.ok ? { ok: true, value: { version, text: text.value } } : text;
}
