import { isProblem, type Problem } from 'dermagate-client';
import type { Texts } from '../i18n/en.ts';
import { en } from '../i18n/en.ts';

export type FailureCode = keyof Texts['problems'];

/** Why a call failed, in a form that every page can show. */
export interface Failure {
  code: FailureCode;
  /** Codes of refused fields by their JSON Pointer, such as `/password`. */
  fields: Readonly<Record<string, string>>;
  /** Seconds until the gateway accepts another attempt. */
  retryAfter?: number;
  /** Support finds the request by it. */
  requestId?: string;
  /** The session has ended. */
  signedOut?: boolean;
}

/** The failure behind an unsuccessful reply. `error` is its body: a problem, or the page of a proxy. */
export function failureOf(error: unknown, { status, headers }: Response): Failure {
  const problem: Problem | undefined = isProblem(error) ? error : undefined;
  const retryAfter = secondsOf(headers.get('retry-after'));
  const requestId = problem?.requestId ?? headers.get('x-request-id') ?? undefined;
  const fields = (problem?.errors ?? []).map(({ pointer, code }) => [pointer, code]);
  return {
    code: shownCode(problem?.code, status),
    fields: Object.fromEntries(fields) as Record<string, string>,
    ...(retryAfter !== undefined && { retryAfter }),
    ...(requestId !== undefined && { requestId }),
    ...(status === 401 && problem?.code !== 'invalid_credentials' && { signedOut: true }),
  };
}

/** The failure behind a call without a reply. */
export function failureOfNoReply(reason: unknown): Failure {
  const timedOut = reason instanceof DOMException && reason.name === 'TimeoutError';
  return { code: timedOut ? 'no_answer' : 'offline', fields: {} };
}

/** Codes that a patient cannot act on share a text; so do codes newer than this portal. */
function shownCode(code: string | undefined, status: number): FailureCode {
  if (code !== undefined && code in en.problems) return code as FailureCode;
  return status >= 500 ? 'internal_error' : 'unexpected';
}

/** `Retry-After` is a number of seconds; proxies may also send a date. */
function secondsOf(value: string | null): number | undefined {
  if (value === null) return undefined;
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, Math.ceil(seconds));
}
