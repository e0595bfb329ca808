import { type ProblemCode, problems } from '../../contract/problem.ts';
import type { AnyEndpoint } from '../http/endpoint.ts';
import { problemsOf } from '../http/endpoint-problems.ts';
import { type HeaderName, headerRefs } from './components.ts';
import { type OperationExamples, exampleRefs } from './examples.ts';

/** When each code is answered and what a client does about it; for the OpenAPI document. */
export const occasions: Readonly<Record<ProblemCode, string>> = {
  malformed_json: 'The JSON cannot be read: a syntax error, a key twice, or text that is not UTF-8.',
  validation_error: '`errors` names every refused field, unknown ones among them.',
  current_password_invalid:
    '`current_password` is not the password of this account. Counts as a failed attempt.',
  password_unchanged: 'Choose another password.',
  reset_token_invalid: 'Have a new link mailed.',
  invitation_invalid: 'Ask the admin for a new invitation.',
  verification_invalid: 'Ask for a new link with `POST /api/auth/verify-email/resend`.',
  invalid_image: 'The bytes are no JPEG or PNG, or cannot be decoded; `errors` says which file and why.',
  invalid_multipart:
    'A part is missing, unknown or sent twice, or the body is cut short; `errors` names the parts.',
  authentication_required: 'No `Authorization: Bearer …` was sent where it is needed.',
  token_invalid:
    'The access token is forged or damaged, or its session or account has ended. Refresh, or log in again.',
  token_expired: 'Refresh the session and send the request again.',
  invalid_credentials: 'The same for a wrong password and for an address that nobody has registered.',
  refresh_token_invalid: 'It is unknown, expired or used up, or its session has ended. Log in again.',
  forbidden: 'Only users of another role may do this. The attempt is recorded.',
  role_not_allowed: 'The role needs an invitation or an admin, or the tenant is closed to self-registration.',
  account_inactive: 'The password is right, but the account or its tenant is switched off.',
  email_unverified:
    'Health data is taken only from accounts whose address is verified. Open the link of the mail, or ask for a new one.',
  not_found: 'It does not exist, or not for this caller; nobody is told which.',
  tenant_not_found: 'No active tenant has the slug that a caller without a token named.',
  method_not_allowed: '`Allow` lists the methods of this address.',
  email_taken: 'Log in instead, or have the password reset.',
  idempotency_key_reused:
    'Within 24 hours the key was sent with other content. Make a new key for each upload.',
  idempotency_in_progress: 'Try again after `Retry-After` to get the answer of the first request.',
  length_required: 'The body was sent in chunks. Send it in one piece.',
  payload_too_large:
    'More bytes, or an image with more pixels, than this operation takes; `detail` says how many.',
  unsupported_media_type:
    'Another content type or charset, or a compressed body; `detail` names what is accepted.',
  range_not_satisfiable: 'The range starts behind the last byte; `Content-Range` says how many there are.',
  anamnesis_invalid: '`errors` names every field that is wrong or that contradicts another one.',
  rate_limited: 'Try again after `Retry-After`.',
  internal_error: 'A mistake of ours; it is in the log under `requestId`.',
  ai_unavailable:
    'It could not be reached or failed, also when tried again. Nothing is made up in its place.',
  ai_invalid_reply: 'Its answer broke the contract. Nothing of it is passed on.',
  busy: 'A queue is full. Try again after `Retry-After`.',
  unavailable:
    'The database or the image store cannot be reached. Try again after `Retry-After`; never log out.',
  ai_timeout: 'The deadline of the call is over. Trying again can help.',
};

const withRetryAfter = new Set<ProblemCode>([
  'rate_limited',
  'busy',
  'unavailable',
  'ai_unavailable',
  'ai_timeout',
  'idempotency_in_progress',
]);

/** The responses that are problems, by status; `taken` are statuses that the endpoint answers by itself. */
export function problemResponses(
  endpoint: AnyEndpoint,
  taken: ReadonlySet<number>,
  problem: object,
  examples: OperationExamples | undefined,
): Record<string, object> {
  const byStatus = Map.groupBy(problemsOf(endpoint), (code) => problems[code].status);
  return Object.fromEntries(
    [...byStatus]
      .filter(([status]) => !taken.has(status))
      .toSorted(([a], [b]) => a - b)
      .map(([status, codes]) => [
        String(status),
        {
          description: codes.map(describe).join('\n'),
          headers: headerRefs('x-request-id', ...headersOf(endpoint, status, codes)),
          content: {
            'application/problem+json': { schema: problem, ...exampleRefs(examples?.responses[status]) },
          },
        },
      ]),
  );
}

function headersOf({ quota }: AnyEndpoint, status: number, codes: readonly ProblemCode[]): HeaderName[] {
  return [
    ...(quota !== undefined && codes.includes('rate_limited')
      ? (['RateLimit', 'RateLimit-Policy'] as const)
      : []),
    ...(codes.some((code) => withRetryAfter.has(code)) ? (['Retry-After'] as const) : []),
    ...(status === 401 ? (['WWW-Authenticate'] as const) : []),
    ...(status === 416 ? (['Content-Range'] as const) : []),
  ];
}

function describe(code: ProblemCode): string {
  return `- \`${code}\`: ${problems[code].title}. ${occasions[code]}`;
}
