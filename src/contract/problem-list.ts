/**
 * Every error that a client can receive. The tables of the documentation are generated from this list. `description`: when
 * the code is returned and what a client does about it.
 */
export const problems = {
  malformed_json: {
    status: 400,
    title: 'The body is not acceptable JSON',
    description: 'The JSON has a syntax error or a duplicate key, or is not UTF-8.',
  },
  validation_error: {
    status: 400,
    title: 'Some fields are invalid',
    description: '`errors` names every refused field, including unknown ones.',
  },
  current_password_invalid: {
    status: 400,
    title: 'The current password is wrong',
    description: '`current_password` is not the password of this account. Counts as a failed attempt.',
  },
  password_unchanged: {
    status: 400,
    title: 'The new password equals the current one',
    description: 'Choose another password.',
  },
  reset_token_invalid: {
    status: 400,
    title: 'The reset token is invalid, used or expired',
    description: 'Request a new link with `POST /api/auth/request-reset`.',
  },
  invitation_invalid: {
    status: 400,
    title: 'The invitation is invalid, used or expired',
    description: 'Ask the admin for a new invitation.',
  },
  guardian_confirmation_required: {
    status: 400,
    title: 'The confirmation of a guardian is missing',
    description: 'Send `guardian_confirmed: true` once the user has confirmed it.',
  },
  verification_invalid: {
    status: 400,
    title: 'The verification token is invalid, used or expired',
    description: 'Request a new link with `POST /api/auth/verify-email/resend`.',
  },
  invalid_image: {
    status: 400,
    title: 'The file is not a readable JPEG or PNG image',
    description: 'A file is not a JPEG or PNG, or cannot be decoded; `errors` names the file and the reason.',
  },
  cursor_invalid: {
    status: 400,
    title: 'The cursor does not belong to this list',
    description: 'Read the list from its beginning, without a cursor.',
  },
  search_too_broad: {
    status: 400,
    title: 'The search is too broad',
    description: 'Narrow it: name the patient more exactly, or add a filter.',
  },
  template_invalid: {
    status: 400,
    title: 'The template cannot be read',
    description: '`errors` names language, line and column of what the template engine refuses.',
  },
  template_placeholder_unknown: {
    status: 400,
    title: 'The template has a placeholder that does not exist',
    description: '`errors` names every placeholder that is not in the list of them.',
  },
  disease_unknown: {
    status: 400,
    title: 'A diagnosis names a disease that does not exist or is no longer in use',
    description:
      '`errors` names the diagnosis whose disease is not in the catalogue, or there for old answers only (`disease_retired`).',
  },
  invalid_multipart: {
    status: 400,
    title: 'The multipart body is invalid',
    description:
      'A part is missing, unknown or sent twice, or the body is cut short; `errors` names the parts.',
  },
  authentication_required: {
    status: 401,
    title: 'A bearer access token is required',
    description: 'The request has no `Authorization: Bearer …` header.',
  },
  token_invalid: {
    status: 401,
    title: 'The access token is invalid',
    description:
      'It is forged or damaged, or its session or account has ended; `reason` is `session_replaced` where another login has ended it. Refresh the session, or log in again.',
  },
  token_expired: {
    status: 401,
    title: 'The access token has expired',
    description: 'Refresh the session and send the request again.',
  },
  invalid_credentials: {
    status: 401,
    title: 'Email or password is wrong',
    description: 'The reply is the same for a wrong password and for an unknown address.',
  },
  refresh_token_invalid: {
    status: 401,
    title: 'The refresh token is invalid',
    description:
      'It is unknown, expired or already used, or its session has ended; `reason` is `session_replaced` where another login has ended it. Log in again.',
  },
  forbidden: {
    status: 403,
    title: 'Your role does not permit this',
    description: 'Only users of another role may do this. The attempt is recorded.',
  },
  role_not_allowed: {
    status: 403,
    title: 'This role is not open for self-registration',
    description: 'The role needs an invitation or an admin, or the tenant is closed to self-registration.',
  },
  account_inactive: {
    status: 403,
    title: 'The account is inactive',
    description: 'The password is correct, but the account or its tenant is deactivated.',
  },
  email_unverified: {
    status: 403,
    title: 'The email address is not verified',
    description:
      'Only accounts with a verified address may send health data. Open the link in the mail, or request a new one.',
  },
  capability_required: {
    status: 403,
    title: 'This needs a capability that you do not have',
    description: '`capability` is missing: an admin adds the caller to a group that has it.',
  },
  physician_profile_required: {
    status: 403,
    title: 'This needs the profile of a physician',
    description: 'Only accounts with the profile of a physician take cases.',
  },
  reason_required: {
    status: 403,
    title: 'Reading this history needs a reason',
    description:
      'The caller does not treat this patient. With `reason` the history is shown, and the event log keeps why.',
  },
  claiming_disabled: {
    status: 403,
    title: 'Cases are taken from the queue only',
    description: 'The clinic lets physicians take cases with `next-case` only.',
  },
  not_found: {
    status: 404,
    title: 'There is nothing at this address',
    description: 'It does not exist, or this caller may not see it; the reply is the same for both.',
  },
  case_not_found: {
    status: 404,
    title: 'There is no such case',
    description: 'It does not exist, or this caller may not see it; the reply is the same for both.',
  },
  profile_not_found: {
    status: 404,
    title: 'There is no such profile',
    description:
      'It does not exist, is no longer in use or belongs to someone else; the reply is the same for all.',
  },
  parameters_not_found: {
    status: 404,
    title: 'There are no such parameters',
    description: 'They do not exist, or this caller may not see them; the reply is the same for both.',
  },
  resource_not_found: {
    status: 404,
    title: 'There is no such resource',
    description: 'No such text or file is published.',
  },
  patient_not_found: {
    status: 404,
    title: 'There is no such patient',
    description: 'It does not exist, or belongs to another account; the reply is the same for both.',
  },
  image_not_found: {
    status: 404,
    title: 'There is no such image',
    description: 'It does not exist, or this caller may not see it; the reply is the same for both.',
  },
  batch_not_found: {
    status: 404,
    title: 'There is no such batch',
    description: 'It does not exist, or this caller may not see it; the reply is the same for both.',
  },
  annotation_not_found: {
    status: 404,
    title: 'There is no such annotation',
    description: 'It does not exist, or this caller may not see it; the reply is the same for both.',
  },
  template_not_found: {
    status: 404,
    title: 'There is no such template',
    description: 'It does not exist, or this caller may not see it; the reply is the same for both.',
  },
  disease_not_found: {
    status: 404,
    title: 'There is no such disease',
    description: 'The catalogue has no such disease.',
  },
  vendor_not_found: {
    status: 404,
    title: 'There is no such list of diseases',
    description: 'The clinic has no list of this vendor; `dermagate` is the own catalogue.',
  },
  physician_not_found: {
    status: 404,
    title: 'There is no such physician',
    description: 'No physician of the tenant has this id or address.',
  },
  group_not_found: {
    status: 404,
    title: 'There is no such group',
    description: 'It does not exist in this tenant.',
  },
  user_not_found: {
    status: 404,
    title: 'There is no such user',
    description: 'It does not exist in this tenant.',
  },
  invitation_not_found: {
    status: 404,
    title: 'There is no such invitation',
    description: 'It does not exist in this tenant, or is used or withdrawn.',
  },
  tenant_not_found: {
    status: 404,
    title: 'The tenant does not exist',
    description: 'No active tenant has the slug that the request names.',
  },
  method_not_allowed: {
    status: 405,
    title: 'This address does not support the method',
    description: '`Allow` lists the methods of this address.',
  },
  profile_limit: {
    status: 409,
    title: 'The account has as many profiles as it may',
    description: 'An account acts for at most 20 people besides its owner.',
  },
  external_id_taken: {
    status: 409,
    title: 'Another patient has this external id',
    description: 'External ids are unique within a tenant.',
  },
  email_taken: {
    status: 409,
    title: 'The email address is already registered',
    description: 'Log in instead, or reset the password.',
  },
  idempotency_key_reused: {
    status: 409,
    title: 'This Idempotency-Key was used for a different request',
    description:
      'The key was sent with different content within the last 24 hours. Create a new key for each upload.',
  },
  idempotency_in_progress: {
    status: 409,
    title: 'The first request with this Idempotency-Key is still in progress',
    description: 'Try again after `Retry-After` to get the reply of the first request.',
  },
  case_state_conflict: {
    status: 409,
    title: 'The case does not allow this now',
    description: '`current_status` is the status of the case, `allowed_actions` what is possible in it.',
  },
  client_case_id_reused: {
    status: 409,
    title: 'This client_case_id was used for a different case',
    description: 'The account has another case with this id. Create a new id for each case.',
  },
  draft_limit: {
    status: 409,
    title: 'There are too many drafts',
    description: 'Submit or cancel a draft first; an account has 20 at most.',
  },
  image_in_use: {
    status: 409,
    title: 'A case that was submitted needs the image',
    description: 'It is part of the medical record.',
  },
  lease_lost: {
    status: 409,
    title: 'You no longer have this case',
    description:
      'The lease has ended, and the case is no longer the caller’s. The draft is kept for its author.',
  },
  lease_limit: {
    status: 409,
    title: 'You have as many cases open as you may',
    description: 'Answer, hold or release a case first.',
  },
  physician_away: { status: 409, title: 'The physician is away', description: 'End the vacation first.' },
  annotation_exists: {
    status: 409,
    title: 'You have an annotation of this case already',
    description: 'Change the draft with PUT instead.',
  },
  annotation_published: {
    status: 409,
    title: 'The annotation is published',
    description: 'Its patient may have read it: amend it instead.',
  },
  own_annotation: {
    status: 409,
    title: 'Nobody audits their own annotation',
    description: 'Another auditor must read it.',
  },
  red_flags_unacknowledged: {
    status: 409,
    title: 'Acknowledge every red flag before signing',
    description: '`missing` names every flag of high or emergency urgency to acknowledge.',
  },
  answer_contradicts_urgency: {
    status: 409,
    title: 'The answer is less urgent than the danger, or surer than the photos',
    description:
      'Correct the answer; or give a reason for each of `contradictions` in `contradiction_reasons`, and `confirm_emergency` ' +
      'where one `is_emergency`.',
  },
  employee_id_taken: {
    status: 409,
    title: 'Another physician has this employee id',
    description: 'Employee ids are unique within a tenant.',
  },
  name_taken: { status: 409, title: 'This name is in use', description: 'Choose another name.' },
  own_account: {
    status: 409,
    title: 'Admins do not change this of their own account',
    description: 'Another admin must do it.',
  },
  last_admin: {
    status: 409,
    title: 'The tenant would be left without an admin',
    description: 'Make someone else an admin first.',
  },
  nothing_to_publish: {
    status: 409,
    title: 'There is no published answer to notify the patient of',
    description: 'The case has no answer that its patient can read.',
  },
  notified_recently: {
    status: 409,
    title: 'The patient was notified too often today',
    description:
      'Staff repeat a message three times in 24 hours at most; `retry_at` is when the next may follow.',
  },
  no_channel: {
    status: 409,
    title: 'There is no channel to send this by',
    description:
      'The clinic does not use the channels asked for, they are not configured, the patient does not want them, or there is no device or address to send to.',
  },
  consent_outdated: {
    status: 409,
    title: 'Another version of the consent is required',
    description: 'Show the consent of `version`, and send that version once the user has accepted it.',
  },
  length_required: {
    status: 411,
    title: 'The body needs a Content-Length',
    description: 'The body uses chunked transfer encoding. Send it in one piece with its length.',
  },
  case_changed: {
    status: 412,
    title: 'The case has changed since it was read',
    description:
      'Read the case again and check what you have written; `current_version` is its version now. Nothing was stored.',
  },
  version_conflict: {
    status: 412,
    title: 'The record has changed since it was read',
    description:
      'Someone else has changed the record. Read it again and repeat the change; `current_version` is the version now.',
  },
  payload_too_large: {
    status: 413,
    title: 'The body is too large',
    description: 'The body has too many bytes, or an image has too many pixels; `detail` names the limit.',
  },
  range_not_satisfiable: {
    status: 416,
    title: 'The range lies outside the image',
    description: 'The range starts after the last byte; `Content-Range` names the size.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'This content type is not accepted here',
    description:
      'The body has another content type or charset, or is compressed; `detail` names what is accepted.',
  },
  anamnesis_invalid: {
    status: 422,
    title: 'Some fields of the anamnesis are invalid',
    description: '`errors` names every field that is wrong or contradicts another field.',
  },
  age_mismatch: {
    status: 422,
    title: 'The age in the answers is not that of the patient',
    description: 'It differs from the birth date of the profile by more than a year. Ask for both again.',
  },
  case_incomplete: {
    status: 422,
    title: 'The case is not complete yet',
    description: '`errors` names every answer that is missing, and `/images` where a photo is.',
  },
  message_required: {
    status: 422,
    title: 'A message is required',
    description: 'Write in `message` what is needed.',
  },
  version_required: {
    status: 428,
    title: 'The version of the record is missing',
    description: 'Send `If-Match` with the `ETag` of the record, or its `version`.',
  },
  websocket_negotiate_first: {
    status: 400,
    title: 'No WebSocket is opened here',
    description: 'Ask with an ordinary request first, and open the WebSocket at the address in the reply.',
  },
  stream_limit: {
    status: 429,
    title: 'The session has too many streams',
    description: 'Three streams of the session are open. Try again after `Retry-After`, or close one.',
  },
  rate_limited: { status: 429, title: 'Too many requests', description: 'Try again after `Retry-After`.' },
  internal_error: {
    status: 500,
    title: 'Something went wrong on our side',
    description: 'A defect of the gateway; the log has the details under `requestId`.',
  },
  ai_unavailable: {
    status: 502,
    title: 'The AI service is unavailable',
    description:
      'It could not be reached or failed, and so did the retry. The gateway never invents a result.',
  },
  ai_invalid_reply: {
    status: 502,
    title: 'The AI service gave an unusable answer',
    description: 'Its reply broke the contract. The gateway passes none of it on.',
  },
  busy: {
    status: 503,
    title: 'The service is busy',
    description: 'A queue is full. Try again after `Retry-After`.',
  },
  live_unavailable: {
    status: 503,
    title: 'Live messages are unavailable',
    description: 'Web PubSub is not configured or cannot be reached. Ask again after `poll_after_seconds`.',
  },
  unavailable: {
    status: 503,
    title: 'Part of the service is unavailable',
    description:
      'The database or the image store cannot be reached. Try again after `Retry-After`; do not log the user out.',
  },
  ai_timeout: {
    status: 504,
    title: 'The AI service did not answer in time',
    description: 'The call exceeded its deadline. A retry can help.',
  },
} as const satisfies Record<string, { status: number; title: string; description: string }>;
