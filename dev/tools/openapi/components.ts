import { z } from 'zod';
import { Contradiction } from '../../../src/domain/answers/annotations/contradictions.ts';
import type { ProblemCode } from '../../../src/contract/problem.ts';
import { problems } from '../../../src/contract/problem-list.ts';
import { Language } from '../../../src/contract/language.ts';
import type { HeaderName, ReadFact } from '../../../src/lib/http/documented-facts.ts';

const FieldErrorSchema = z
  .object({
    pointer: z
      .string()
      .meta({ description: 'RFC 6901 JSON Pointer into the request; empty for the whole of it.' }),
    code: z.string().meta({ description: 'What is wrong, such as `invalid_value`; stable, for programs.' }),
    message: z.string().meta({ description: 'What is wrong in English; for developers.' }),
  })
  .meta({ id: 'FieldError', description: 'One refused field. Never repeats the refused value.' });

export const ProblemSchema = z
  .object({
    type: z.string().meta({ description: 'A URN that names the code.', format: 'uri' }),
    title: z
      .string()
      .meta({ description: 'What the code means, in English; the same for every occurrence.' }),
    status: z.int().min(400).max(599).meta({ description: 'The HTTP status.' }),
    detail: z
      .string()
      .optional()
      .meta({ description: 'What went wrong in this case, in English; for developers.' }),
    code: z
      .enum(Object.keys(problems) as [ProblemCode, ...ProblemCode[]])
      .meta({ id: 'ProblemCode', description: 'What went wrong; stable, for programs.' }),
    requestId: z
      .string()
      .meta({ description: 'The same as the header `x-request-id`; quote it when you ask for help.' }),
    errors: z.array(FieldErrorSchema).optional().meta({ description: 'Every refused field.' }),
    current_version: z.int().optional().meta({
      description: 'With `version_conflict` and `case_changed`: the version that the record has now.',
    }),
    current_status: z.string().optional().meta({
      description: 'With `case_state_conflict`: the status of the case, as this caller sees it.',
    }),
    allowed_actions: z.array(z.string()).optional().meta({
      description: 'With `case_state_conflict`: what this caller may do with the case now.',
    }),
    retry_at: z.iso.datetime().optional().meta({
      description: 'With `notified_recently`: when the message may be repeated next.',
    }),
    poll_after_seconds: z.int().min(1).max(3600).optional().meta({
      description: 'With `live_unavailable`: how often to ask for what would have been told.',
    }),
    reason: z
      .literal('session_replaced')
      .optional()
      .meta({
        description:
          'With `token_invalid` and `refresh_token_invalid`: another login has ended the session, because the account may ' +
          'have one only.',
      }),
    version: z.string().optional().meta({
      description: 'With `consent_outdated`: the version of the consent that counts now.',
    }),
    capability: z.string().optional().meta({
      description: 'With `capability_required`: what a group or the role of an admin would have to grant.',
    }),
    missing: z.array(z.string()).optional().meta({
      description: 'With `red_flags_unacknowledged`: the codes of the red flags to acknowledge.',
    }),
    contradictions: z.array(Contradiction).optional().meta({
      description: 'With `answer_contradicts_urgency`: what needs a reason.',
    }),
  })
  .meta({ id: 'Problem', description: 'Problem details of RFC 9457, with a stable `code`.' });

export const tags = {
  Health: 'State of the process and of its database, for probes and monitors.',
  Authentication:
    'Accounts, sessions and tokens. An access token (a JWT) is valid for 30 minutes; a refresh token works once and ' +
    'returns the next pair. Store both together, replace both together, and run one refresh at a time.',
  Diagnosis: 'Send a photo and a questionnaire, get a diagnosis. Not for clinical use.',
  Cases:
    'A skin problem of one person at one time: drafted, photographed, analysed, and queued for a physician. Not for ' +
    'clinical use.',
  Images: 'Photos, stored without their metadata and visible only to permitted users.',
  AI:
    'The guided intake, red flags, triage, predictions and photo validity as separate calls. An incomplete ' +
    'questionnaire is accepted. Not for clinical use.',
  Profiles: 'The people whom an account may act for: its owner, children, wards.',
  Configuration: 'What an app has to know before anyone logs in: versions, texts, switches.',
  Devices: 'Phones and browsers that get push messages.',
  Backoffice: 'For physicians and admins of a tenant.',
  Office: 'For admins: groups, accounts, invitations, parameters and the audit trail of a tenant.',
  Notifications: 'Messages to patients and staff: channels, repeats, and mails that a user asks for.',
  Discovery: 'This documentation, as a document and as a page.',
};

/** The parameters that an endpoint declares in `reads`. */
export const parameters = {
  'x-request-id': {
    name: 'x-request-id',
    in: 'header',
    description:
      'Returned in the reply and logged with every line; generated when it is absent or has another form.',
    schema: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,64}$' },
  },
  lang: {
    name: 'lang',
    in: 'query',
    description:
      'Language of texts; takes precedence over `Accept-Language`. An unknown language falls back to English.',
    schema: { type: 'string', enum: Language.options },
  },
  tenant: {
    name: 'tenant',
    in: 'query',
    description:
      'Slug of the tenant (clinic) that a caller without a token addresses; the header `X-Tenant` does the same. ' +
      'A caller with a token always uses their own tenant.',
    schema: { type: 'string', default: 'default' },
  },
  'idempotency-key': {
    name: 'idempotency-key',
    in: 'header',
    description:
      'Generated by the client, a new one for each change that it makes. A retry with the same key and content within ' +
      '24 hours gets the first reply.',
    schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{8,64}$' },
  },
  'if-none-match': {
    name: 'if-none-match',
    in: 'header',
    description:
      'Entity tags of the client’s cached copies; if one of them is current, the reply is 304 without a body.',
    schema: { type: 'string' },
  },
  'if-match': {
    name: 'if-match',
    in: 'header',
    description:
      'The `ETag` of the record as the client has read it, such as `"3"`. This or `version` in the body is required; ' +
      'the record is changed only if it still has that version.',
    schema: { type: 'string', pattern: '^"[1-9][0-9]{0,8}"$' },
  },
  'last-event-id': {
    name: 'last-event-id',
    in: 'header',
    description: 'The last `id` that the client has seen. Anything but a number counts as absent.',
    schema: { type: 'string', pattern: '^[0-9]{1,15}$' },
  },
  range: {
    name: 'range',
    in: 'header',
    description: 'One byte range, such as `bytes=0-65535`; for anything else the reply is the whole file.',
    schema: { type: 'string' },
  },
  'if-range': {
    name: 'if-range',
    in: 'header',
    description: 'Entity tag of the part that the client has; if it is not current, `range` is ignored.',
    schema: { type: 'string' },
  },
} as const satisfies Record<ReadFact | 'x-request-id', object>;

/** Headers of replies. */
export const headers = {
  'x-request-id': {
    description: 'Id of this request.',
    schema: { type: 'string', examples: ['0193a8f0-0000-7000-8000-000000000001'] },
  },
  'Retry-After': {
    description: 'Seconds to wait before trying again. Not on every reply of this status.',
    schema: { type: 'integer', minimum: 1, maximum: 86_400, examples: [2] },
  },
  RateLimit: {
    description:
      'The rest of the caller’s quotas by policy: `r` requests (or bytes), and `t` seconds until the whole quota is ' +
      'available again. Absent for callers without a token.',
    schema: { type: 'string', examples: ['"ai-minute";r=9;t=60, "ai-hour";r=59;t=3600'] },
  },
  'RateLimit-Policy': {
    description:
      'The caller’s quotas: `q` requests (or bytes, where `qu` says so) in `w` seconds. Absent for callers without a token.',
    schema: { type: 'string', examples: ['"ai-minute";q=10;w=60, "ai-hour";q=60;w=3600'] },
  },
  'WWW-Authenticate': {
    description: 'The challenge of RFC 6750, with `error="invalid_token"` when the token was refused.',
    schema: { type: 'string', examples: ['Bearer realm="dermagate"'] },
  },
  ETag: {
    description: 'Strong entity tag: of the bytes, or the version of the record, such as `"3"`.',
    schema: { type: 'string' },
  },
  Location: {
    description: 'Path of the new record.',
    schema: { type: 'string' },
  },
  'Cache-Control': {
    description: 'Who may cache the bytes, and whether a cache must revalidate them before use.',
    schema: { type: 'string', examples: ['no-store'] },
  },
  'Accept-Ranges': {
    description: '`bytes` where range requests are supported, else `none`.',
    schema: { type: 'string', enum: ['bytes', 'none'] },
  },
  'Content-Disposition': {
    description: 'A file name made from the image’s uuid.',
    schema: { type: 'string' },
  },
  'Content-Range': {
    description: 'The byte range of the reply, and the total size.',
    schema: { type: 'string', examples: ['bytes 0-65535/204800'] },
  },
  'Content-Language': {
    description: 'Of the texts for people in the reply.',
    schema: { $ref: '#/components/schemas/Language' },
  },
  'Idempotency-Replayed': {
    description: '`true` if this is the reply of an earlier request with the same key; else absent.',
    schema: { type: 'string', enum: ['true'] },
  },
} as const satisfies Record<HeaderName, object>;

/** Names that would otherwise collide with a schema or with a browser's type. */
const otherNames: Readonly<Record<string, string>> = {
  'x-request-id': 'RequestId',
  tenant: 'TenantSlug',
  range: 'ByteRange',
};

/** `idempotency-key` → `IdempotencyKey`: generators derive a type name from it. */
function componentName(name: string): string {
  const words = name.split('-').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return otherNames[name] ?? words.join('');
}

export const parameterRef = (name: keyof typeof parameters) => ({
  $ref: `#/components/parameters/${componentName(name)}`,
});

export const headerRefs = (...names: readonly HeaderName[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${componentName(name)}` }]));

export function named<T>(components: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(
    Object.entries(components).map(([name, component]) => [componentName(name), component]),
  );
}
