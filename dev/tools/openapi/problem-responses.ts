import { type ProblemCode, problems } from '../../../src/contract/problem.ts';
import type { AnyEndpoint } from '../../../src/lib/http/endpoint.ts';
import { problemsOf } from '../../../src/lib/http/endpoint-problems.ts';
import type { HeaderName } from '../../../src/lib/http/documented-facts.ts';
import { headerRefs } from './components.ts';
import { type OperationExamples, exampleRefs } from './examples.ts';

/** When each code is returned and what a client does about it; for the OpenAPI document. */
export const problemDescriptions: Readonly<Record<ProblemCode, string>> = {
  malformed_json: 'The JSON has a syntax error or a duplicate key, or is not UTF-8.',
  validation_error: '`errors` names every refused field, including unknown ones.',
  current_password_invalid:
    '`current_password` is not the password of this account. Counts as a failed attempt.',
  password_unchanged: 'Choose another password.',
  reset_token_invalid: 'Request a new link with `POST /api/auth/request-reset`.',
  invitation_invalid: 'Ask the admin for a new invitation.',
  verification_invalid: 'Request a new link with `POST /api/auth/verify-email/resend`.',
  invalid_image: 'A file is not a JPEG or PNG, or cannot be decoded; `errors` names the file and the reason.',
  cursor_invalid: 'Read the list from its beginning, without a cursor.',
  invalid_multipart:
    'A part is missing, unknown or sent twice, or the body is cut short; `errors` names the parts.',
  authentication_required: 'The request has no `Authorization: Bearer …` header.',
  token_invalid:
    'It is forged or damaged, or its session or account has ended; `reason` is `session_replaced` where another login has ' +
    'ended it. Refresh the session, or log in again.',
  token_expired: 'Refresh the session and send the request again.',
  invalid_credentials: 'The reply is the same for a wrong password and for an unknown address.',
  refresh_token_invalid:
    'It is unknown, expired or already used, or its session has ended; `reason` is `session_replaced` where another login ' +
    'has ended it. Log in again.',
  forbidden: 'Only users of another role may do this. The attempt is recorded.',
  role_not_allowed: 'The role needs an invitation or an admin, or the tenant is closed to self-registration.',
  account_inactive: 'The password is correct, but the account or its tenant is deactivated.',
  email_unverified:
    'Only accounts with a verified address may send health data. Open the link in the mail, or request a new one.',
  not_found: 'It does not exist, or this caller may not see it; the reply is the same for both.',
  case_not_found: 'It does not exist, or this caller may not see it; the reply is the same for both.',
  patient_not_found: 'It does not exist, or belongs to another account; the reply is the same for both.',
  image_not_found: 'It does not exist, or this caller may not see it; the reply is the same for both.',
  tenant_not_found: 'No active tenant has the slug that the request names.',
  method_not_allowed: '`Allow` lists the methods of this address.',
  profile_not_found:
    'It does not exist, is no longer in use or belongs to someone else; the reply is the same for all.',
  parameters_not_found: 'They do not exist, or this caller may not see them; the reply is the same for both.',
  resource_not_found: 'No such text or file is published.',
  guardian_confirmation_required: 'Send `guardian_confirmed: true` once the user has confirmed it.',
  profile_limit: 'An account acts for at most 20 people besides its owner.',
  external_id_taken: 'External ids are unique within a tenant.',
  email_taken: 'Log in instead, or reset the password.',
  idempotency_key_reused:
    'The key was sent with different content within the last 24 hours. Create a new key for each upload.',
  idempotency_in_progress: 'Try again after `Retry-After` to get the reply of the first request.',
  case_state_conflict:
    '`current_status` is the status of the case, `allowed_actions` what is possible in it.',
  nothing_to_publish: 'The case has no answer that its patient can read.',
  notified_recently:
    'Staff repeat a message three times in 24 hours at most; `retry_at` is when the next may follow.',
  no_channel:
    'The clinic does not use the channels asked for, they are not configured, the patient does not want them, or there is no ' +
    'device or address to send to.',
  client_case_id_reused: 'The account has another case with this id. Create a new id for each case.',
  draft_limit: 'Submit or cancel a draft first; an account has 20 at most.',
  image_in_use: 'It is part of the medical record.',
  search_too_broad: 'Narrow it: name the patient more exactly, or add a filter.',
  template_invalid: '`errors` names language, line and column of what the template engine refuses.',
  template_placeholder_unknown: '`errors` names every placeholder that is not in the list of them.',
  disease_unknown:
    '`errors` names the diagnosis whose disease is not in the catalogue, or there for old answers only (`disease_retired`).',
  capability_required: '`capability` is missing: an admin adds the caller to a group that has it.',
  physician_profile_required: 'Only accounts with the profile of a physician take cases.',
  reason_required:
    'The caller does not treat this patient. With `reason` the history is shown, and the event log keeps why.',
  claiming_disabled: 'The clinic lets physicians take cases with `next-case` only.',
  batch_not_found: 'It does not exist, or this caller may not see it; the reply is the same for both.',
  annotation_not_found: 'It does not exist, or this caller may not see it; the reply is the same for both.',
  template_not_found: 'It does not exist, or this caller may not see it; the reply is the same for both.',
  disease_not_found: 'The catalogue has no such disease.',
  vendor_not_found: 'The clinic has no list of this vendor; `dermagate` is the own catalogue.',
  physician_not_found: 'No physician of the tenant has this id or address.',
  group_not_found: 'It does not exist in this tenant.',
  user_not_found: 'It does not exist in this tenant.',
  invitation_not_found: 'It does not exist in this tenant, or is used or withdrawn.',
  lease_lost:
    'The lease has ended, and the case is no longer the caller’s. The draft is kept for its author.',
  lease_limit: 'Answer, hold or release a case first.',
  physician_away: 'End the vacation first.',
  annotation_exists: 'Change the draft with PUT instead.',
  annotation_published: 'Its patient may have read it: amend it instead.',
  own_annotation: 'Another auditor must read it.',
  red_flags_unacknowledged: '`missing` names every flag of high or emergency urgency to acknowledge.',
  employee_id_taken: 'Employee ids are unique within a tenant.',
  name_taken: 'Choose another name.',
  own_account: 'Another admin must do it.',
  last_admin: 'Make someone else an admin first.',
  message_required: 'Write in `message` what is needed.',
  consent_outdated: 'Show the consent of `version`, and send that version once the user has accepted it.',
  length_required: 'The body uses chunked transfer encoding. Send it in one piece with its length.',
  payload_too_large:
    'The body has too many bytes, or an image has too many pixels; `detail` names the limit.',
  unsupported_media_type:
    'The body has another content type or charset, or is compressed; `detail` names what is accepted.',
  range_not_satisfiable: 'The range starts after the last byte; `Content-Range` names the size.',
  anamnesis_invalid: '`errors` names every field that is wrong or contradicts another field.',
  case_changed:
    'Read the case again and check what you have written; `current_version` is its version now. Nothing was stored.',
  version_conflict:
    'Someone else has changed the record. Read it again and repeat the change; `current_version` is the version now.',
  version_required: 'Send `If-Match` with the `ETag` of the record, or its `version`.',
  age_mismatch: 'It differs from the birth date of the profile by more than a year. Ask for both again.',
  case_incomplete: '`errors` names every answer that is missing, and `/images` where a photo is.',
  websocket_negotiate_first:
    'Ask with an ordinary request first, and open the WebSocket at the address in the reply.',
  live_unavailable:
    'Web PubSub is not configured or cannot be reached. Ask again after `poll_after_seconds`.',
  stream_limit: 'Three streams of the session are open. Try again after `Retry-After`, or close one.',
  rate_limited: 'Try again after `Retry-After`.',
  internal_error: 'A defect of the gateway; the log has the details under `requestId`.',
  ai_unavailable:
    'It could not be reached or failed, and so did the retry. The gateway never invents a result.',
  ai_invalid_reply: 'Its reply broke the contract. The gateway passes none of it on.',
  busy: 'A queue is full. Try again after `Retry-After`.',
  unavailable:
    'The database or the image store cannot be reached. Try again after `Retry-After`; do not log the user out.',
  ai_timeout: 'The call exceeded its deadline. A retry can help.',
};

const withRetryAfter = new Set<ProblemCode>([
  'live_unavailable',
  'stream_limit',
  'rate_limited',
  'busy',
  'unavailable',
  'ai_unavailable',
  'ai_timeout',
  'idempotency_in_progress',
]);

/** The problem responses of an endpoint by status, except for `taken`, the statuses of its own replies. */
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
  return `- \`${code}\`: ${problems[code].title}. ${problemDescriptions[code]}`;
}
