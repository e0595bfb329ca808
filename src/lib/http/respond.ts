import type { HttpResponseInit } from '@azure/functions';
import type { Problem, ProblemCode } from '../../contract/problem.ts';
import { problems } from '../../contract/problem-list.ts';

/** Headers of every reply; an endpoint may override some (the docs page its policy, images their caching). */
const securityHeaders = {
  'strict-transport-security': 'max-age=63072000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
};

export function jsonResponse(
  status: number,
  body: unknown,
  headers: Record<string, string>,
): HttpResponseInit {
  return {
    status,
    headers: { ...securityHeaders, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  };
}

export function emptyResponse(status: number, headers: Record<string, string>): HttpResponseInit {
  return { status, headers: { ...securityHeaders, ...headers } };
}

export function rawResponse(
  status: number,
  body: string | Uint8Array,
  headers: Record<string, string>,
): HttpResponseInit {
  return { status, headers: { ...securityHeaders, ...headers }, body: body as string };
}

/** A problem reply (RFC 9457). `code` is stable for programs; `title` and `detail` are prose. */
export function problemResponse(
  problem: Problem,
  requestId: string,
  headers: Record<string, string>,
): HttpResponseInit {
  const { status, title } = problems[problem.code];
  const challenge = status === 401 ? { 'www-authenticate': challengeOf(problem.code) } : {};
  const body = {
    type: problemType(problem.code),
    title,
    status,
    ...(problem.detail !== undefined && { detail: problem.detail }),
    code: problem.code,
    requestId,
    ...(problem.errors !== undefined && { errors: problem.errors }),
    ...problem.members,
  };
  return {
    status,
    headers: {
      ...securityHeaders,
      'content-type': 'application/problem+json',
      ...headers,
      ...challenge,
      ...problem.headers,
    },
    body: JSON.stringify(body),
  };
}

/** A URN, which cannot be fetched; the documentation's table of problems explains each code. */
export function problemType(code: string): string {
  return `urn:dermagate:problem:${code}`;
}

/** RFC 6750 §3.1: an error code only when an access token was sent. */
function challengeOf(code: ProblemCode): string {
  const isTokenRefused = code === 'token_invalid' || code === 'token_expired';
  return `Bearer realm="dermagate"${isTokenRefused ? ', error="invalid_token"' : ''}`;
}
