/** Every error that a client can receive. The documentation's table of problems is generated from this list. */
export const problems = {
  malformed_json: { status: 400, title: 'The body is not acceptable JSON' },
  validation_error: { status: 400, title: 'Some fields are invalid' },
  current_password_invalid: { status: 400, title: 'The current password is wrong' },
  password_unchanged: { status: 400, title: 'The new password equals the current one' },
  reset_token_invalid: { status: 400, title: 'The reset token is invalid, used or expired' },
  invitation_invalid: { status: 400, title: 'The invitation is invalid, used or expired' },
  guardian_confirmation_required: { status: 400, title: 'The confirmation of a guardian is missing' },
  verification_invalid: { status: 400, title: 'The verification token is invalid, used or expired' },
  invalid_image: { status: 400, title: 'The file is not a readable JPEG or PNG image' },
  cursor_invalid: { status: 400, title: 'The cursor does not belong to this list' },
  search_too_broad: { status: 400, title: 'The search is too broad' },
  template_invalid: { status: 400, title: 'The template cannot be read' },
  template_placeholder_unknown: { status: 400, title: 'The template has a placeholder that does not exist' },
  disease_unknown: {
    status: 400,
    title: 'A diagnosis names a disease that does not exist or is no longer in use',
  },
  invalid_multipart: { status: 400, title: 'The multipart body is invalid' },
  authentication_required: { status: 401, title: 'A bearer access token is required' },
  token_invalid: { status: 401, title: 'The access token is invalid' },
  token_expired: { status: 401, title: 'The access token has expired' },
  invalid_credentials: { status: 401, title: 'Email or password is wrong' },
  refresh_token_invalid: { status: 401, title: 'The refresh token is invalid' },
  forbidden: { status: 403, title: 'Your role does not permit this' },
  role_not_allowed: { status: 403, title: 'This role is not open for self-registration' },
  account_inactive: { status: 403, title: 'The account is inactive' },
  email_unverified: { status: 403, title: 'The email address is not verified' },
  capability_required: { status: 403, title: 'This needs a capability that you do not have' },
  physician_profile_required: { status: 403, title: 'This needs the profile of a physician' },
  reason_required: { status: 403, title: 'Reading this history needs a reason' },
  claiming_disabled: { status: 403, title: 'Cases are taken from the queue only' },
  not_found: { status: 404, title: 'There is nothing at this address' },
  case_not_found: { status: 404, title: 'There is no such case' },
  profile_not_found: { status: 404, title: 'There is no such profile' },
  parameters_not_found: { status: 404, title: 'There are no such parameters' },
  resource_not_found: { status: 404, title: 'There is no such resource' },
  patient_not_found: { status: 404, title: 'There is no such patient' },
  image_not_found: { status: 404, title: 'There is no such image' },
  batch_not_found: { status: 404, title: 'There is no such batch' },
  annotation_not_found: { status: 404, title: 'There is no such annotation' },
  template_not_found: { status: 404, title: 'There is no such template' },
  disease_not_found: { status: 404, title: 'There is no such disease' },
  vendor_not_found: { status: 404, title: 'There is no such list of diseases' },
  physician_not_found: { status: 404, title: 'There is no such physician' },
  group_not_found: { status: 404, title: 'There is no such group' },
  user_not_found: { status: 404, title: 'There is no such user' },
  invitation_not_found: { status: 404, title: 'There is no such invitation' },
  tenant_not_found: { status: 404, title: 'The tenant does not exist' },
  method_not_allowed: { status: 405, title: 'This address does not support the method' },
  profile_limit: { status: 409, title: 'The account has as many profiles as it may' },
  external_id_taken: { status: 409, title: 'Another patient has this external id' },
  email_taken: { status: 409, title: 'The email address is already registered' },
  idempotency_key_reused: { status: 409, title: 'This Idempotency-Key was used for a different request' },
  idempotency_in_progress: {
    status: 409,
    title: 'The first request with this Idempotency-Key is still in progress',
  },
  case_state_conflict: { status: 409, title: 'The case does not allow this now' },
  client_case_id_reused: { status: 409, title: 'This client_case_id was used for a different case' },
  draft_limit: { status: 409, title: 'There are too many drafts' },
  image_in_use: { status: 409, title: 'A case that was submitted needs the image' },
  lease_lost: { status: 409, title: 'You no longer have this case' },
  lease_limit: { status: 409, title: 'You have as many cases open as you may' },
  physician_away: { status: 409, title: 'The physician is away' },
  annotation_exists: { status: 409, title: 'You have an annotation of this case already' },
  annotation_published: { status: 409, title: 'The annotation is published' },
  own_annotation: { status: 409, title: 'Nobody audits their own annotation' },
  red_flags_unacknowledged: { status: 409, title: 'Acknowledge every red flag before signing' },
  employee_id_taken: { status: 409, title: 'Another physician has this employee id' },
  name_taken: { status: 409, title: 'This name is in use' },
  own_account: { status: 409, title: 'Admins do not change this of their own account' },
  last_admin: { status: 409, title: 'The tenant would be left without an admin' },
  nothing_to_publish: { status: 409, title: 'There is no published answer to notify the patient of' },
  notified_recently: { status: 409, title: 'The patient was notified too often today' },
  no_channel: { status: 409, title: 'There is no channel to send this by' },
  consent_outdated: { status: 409, title: 'Another version of the consent is required' },
  length_required: { status: 411, title: 'The body needs a Content-Length' },
  case_changed: { status: 412, title: 'The case has changed since it was read' },
  version_conflict: { status: 412, title: 'The record has changed since it was read' },
  payload_too_large: { status: 413, title: 'The body is too large' },
  range_not_satisfiable: { status: 416, title: 'The range lies outside the image' },
  unsupported_media_type: { status: 415, title: 'This content type is not accepted here' },
  anamnesis_invalid: { status: 422, title: 'Some fields of the anamnesis are invalid' },
  age_mismatch: { status: 422, title: 'The age in the answers is not that of the patient' },
  case_incomplete: { status: 422, title: 'The case is not complete yet' },
  message_required: { status: 422, title: 'A message is required' },
  version_required: { status: 428, title: 'The version of the record is missing' },
  websocket_negotiate_first: { status: 400, title: 'No WebSocket is opened here' },
  stream_limit: { status: 429, title: 'The session has too many streams' },
  rate_limited: { status: 429, title: 'Too many requests' },
  internal_error: { status: 500, title: 'Something went wrong on our side' },
  ai_unavailable: { status: 502, title: 'The AI service is unavailable' },
  ai_invalid_reply: { status: 502, title: 'The AI service gave an unusable answer' },
  busy: { status: 503, title: 'The service is busy' },
  live_unavailable: { status: 503, title: 'Live messages are unavailable' },
  unavailable: { status: 503, title: 'Part of the service is unavailable' },
  ai_timeout: { status: 504, title: 'The AI service did not answer in time' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ProblemCode = keyof typeof problems;

/** One refused field: `pointer` is an RFC 6901 JSON Pointer into the submitted document. */
export interface FieldError {
  pointer: string;
  code: string;
  message: string;
}

/** What is known about a refused caller beyond the actor: for the event log and the request's log line. */
export interface RefusedParty {
  tenantId?: number | undefined;
  userId?: number | undefined;
  sessionUuid?: string | undefined;
  /** For the event log only, where the caller learns no more than a code. */
  reason?: string;
}

export interface ProblemInit {
  /** A sentence for developers. Never contains internals (SQL, stack, upstream body) or submitted values. */
  detail?: string;
  errors?: readonly FieldError[];
  headers?: Readonly<Record<string, string>>;
  /** Members of the problem object beyond the usual ones; the OpenAPI document lists them. Never personal data. */
  members?: Readonly<Record<string, unknown>>;
  /** Seconds until the same request can succeed: the header `Retry-After`. */
  retryAfter?: number;
  cause?: unknown;
  /** The object that the reply hides from this caller, existing or not: the event log gets `authz_fail` about it. */
  conceals?: { kind: string; uuid: string };
  about?: RefusedParty;
}

/** By thrown value: errors of the database or of the AI service have no room for it. */
const parties = new WeakMap<object, RefusedParty>();

/** Thrown anywhere below `serve()`, which turns it into `application/problem+json` (RFC 9457). */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly detail: string | undefined;
  readonly errors: readonly FieldError[] | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly members: Readonly<Record<string, unknown>>;
  readonly conceals: { kind: string; uuid: string } | undefined;

  constructor(code: ProblemCode, init: ProblemInit = {}) {
    super(init.detail ?? problems[code].title, { cause: init.cause });
    this.name = 'Problem';
    this.code = code;
    this.detail = init.detail;
    this.errors = init.errors;
    this.members = init.members ?? {};
    const { retryAfter } = init;
    this.headers = {
      ...init.headers,
      ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
    };
    this.conceals = init.conceals;
    if (init.about !== undefined) parties.set(this, init.about);
  }

  get status(): number {
    return problems[this.code].status;
  }
}

/** What is known about the caller whom `thrown` refuses. */
export function refusedParty(thrown: unknown): RefusedParty {
  return (typeof thrown === 'object' && thrown !== null && parties.get(thrown)) || {};
}

/** Runs `work` and adds `about` to any error it throws. What the error already carries wins. */
export async function concerning<T>(about: RefusedParty, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (typeof error === 'object' && error !== null) parties.set(error, { ...about, ...refusedParty(error) });
    throw error;
  }
}
