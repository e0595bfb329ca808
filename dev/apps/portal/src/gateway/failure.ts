import { isProblem, type Problem } from 'dermagate-client';
import type { Texts } from '../i18n/en.ts';
import { en } from '../i18n/en.ts';

export type FailureCode = keyof Texts['problems'];

/** Why something was not answered, in a form that every page can show. */
export interface Failure {
  code: FailureCode;
  /** Codes of refused fields by their JSON Pointer, such as `/password`. */
  fields: Readonly<Record<string, string>>;
  /** Seconds to wait before another attempt, where the gateway says so. */
  retryAfter?: number;
  /** What support asks for. */
  requestId?: string;
  /** The session is over. */
  signedOut?: boolean;
}

/** Of a reply that is no success. `error` is its body: a problem, or what a proxy in between has written. */
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

/** Of a call that got no reply at all. */
export function failureOfNoReply(reason: unknown): Failure {
  const timedOut = reason instanceof DOMException && reason.name === 'TimeoutError';
  return { code: timedOut ? 'no_answer' : 'offline', fields: {} };
}

/** Codes that no person can act on share a text; so do those that are newer than this portal. */
function shownCode(code: string | undefined, status: number): FailureCode {
  if (code !== undefined && code in en.problems) return code as FailureCode;
  return status >= 500 ? 'internal_error' : 'unexpected';
}

/** `Retry-After` is a number of seconds, or a date when a proxy wrote it. */
function secondsOf(value: string | null): number | undefined {
  if (value === null) return undefined;
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, Math.ceil(seconds));
}
