import type { ProblemCode } from '../../contract/problem.ts';
import type { AnyEndpoint } from './endpoint.ts';

/** Every problem code of an endpoint, sorted: the ones it declares and the ones its declaration implies. */
export function problemsOf(endpoint: AnyEndpoint): ProblemCode[] {
  const codes: ProblemCode[] = [...endpoint.problems, 'internal_error', 'unavailable'];
  if (endpoint.auth !== 'public') codes.push('authentication_required', 'token_invalid', 'token_expired');
  // For admitted callers without a token by network, for all others by quota.
  if (endpoint.auth === 'any-unless-public-ai' || endpoint.quota !== undefined) codes.push('rate_limited');
  if (endpoint.perNetwork !== undefined) codes.push('rate_limited');
  if (endpoint.auth === 'physician-level' || endpoint.auth === 'admin-level') codes.push('forbidden');
  if (endpoint.reads?.includes('tenant') === true) codes.push('tenant_not_found');
  if (endpoint.reads?.includes('idempotency-key') === true) {
    codes.push('validation_error', 'idempotency_key_reused', 'idempotency_in_progress');
  }
  if (endpoint.reads?.includes('if-match') === true) {
    codes.push('validation_error', 'version_required', 'version_conflict');
  }
  if (endpoint.verifiedOnly === true) codes.push('email_unverified');
  if (endpoint.params !== undefined) codes.push(endpoint.missing ?? 'not_found');
  if (endpoint.query !== undefined) codes.push('validation_error');
  if (endpoint.body !== undefined) codes.push('malformed_json', 'validation_error');
  if (endpoint.multipart !== undefined) codes.push('invalid_multipart');
  if (endpoint.body !== undefined || endpoint.multipart !== undefined) {
    codes.push('length_required', 'payload_too_large', 'unsupported_media_type');
  }
  return [...new Set(codes)].toSorted();
}
