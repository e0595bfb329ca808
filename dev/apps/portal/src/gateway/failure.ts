import type { Contradiction, DermagateError, ErrorCode } from 'dermagate-client';
import type { Texts } from '../i18n/en.ts';
import { en } from '../i18n/en.ts';

export type FailureCode = keyof Texts['problems'];

/** Why a call failed, in a form that every page can show. */
export interface Failure {
  code: FailureCode;
  /** The code of the gateway, the client or the page, for pages that have a text of their own for it. */
  reason?: ErrorCode | 'draft_unsaved';
  /** Codes of refused fields by their JSON Pointer, such as `/password`. */
  fields: Readonly<Record<string, string>>;
  /** Seconds until the gateway accepts another attempt. */
  retryAfter?: number;
  /** Support finds the request by it. */
  requestId?: string;
  /** What of an answer contradicts the danger of its case. */
  contradictions?: readonly Contradiction[];
  /** The session has ended. */
  signedOut?: boolean;
}

/** Of this device, such as storage that is full or not allowed. */
export const unexpected: Failure = { code: 'unexpected', fields: {} };

/** The failure behind the error of a call. */
export function failureOf({ code, status, errors, retryAfter, requestId, problem }: DermagateError): Failure {
  // The page of a proxy proves nothing about the session.
  const isSignedOut = status === 401 && code !== 'invalid_credentials' && code !== 'unexpected_reply';
  const fields = errors.map((error) => [error.pointer, error.code]);
  return {
    code: shownCode(code, status),
    reason: code,
    fields: Object.fromEntries(fields) as Record<string, string>,
    ...(retryAfter !== undefined && { retryAfter }),
    ...(requestId !== undefined && { requestId }),
    ...(problem?.contradictions !== undefined && { contradictions: problem.contradictions }),
    ...(isSignedOut && { signedOut: true }),
  };
}

/** Codes that a patient cannot act on share a text; so do codes newer than this portal. */
function shownCode(code: ErrorCode, status: number | undefined): FailureCode {
  if (code === 'no_reply') return 'offline';
  if (code === 'timeout') return 'no_answer';
  if (code in en.problems) return code as FailureCode;
  return status !== undefined && status >= 500 ? 'internal_error' : 'unexpected';
}
