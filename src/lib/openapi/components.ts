import { z } from 'zod';
import { type ProblemCode, problems } from '../../contract/problem.ts';
import { Language } from '../../contract/language.ts';

const FieldErrorSchema = z
  .object({
    pointer: z
      .string()
      .meta({ description: 'RFC 6901 JSON Pointer into what was sent; empty for the whole of it.' }),
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
    detail: z.string().optional().meta({ description: 'What happened here, in English; for developers.' }),
    code: z
      .enum(Object.keys(problems) as [ProblemCode, ...ProblemCode[]])
      .meta({ id: 'ProblemCode', description: 'What went wrong; stable, for programs.' }),
    requestId: z
      .string()
      .meta({ description: 'As in the header `x-request-id`; quote it when you ask for help.' }),
    errors: z.array(FieldErrorSchema).optional().meta({ description: 'Every refused field.' }),
  })
  .meta({ id: 'Problem', description: 'Problem details as RFC 9457 has them, with a stable `code`.' });

export const tags = {
  Health: 'Whether the process answers, and whether its database does: for probes and monitors.',
  Authentication:
    'Accounts, sessions and tokens. An access token (a JWT) is good for 30 minutes; a refresh token works once and ' +
    'answers the next pair. Keep both together, replace both together, and let one refresh run at a time.',
  Diagnosis: 'A photo and a questionnaire in, a diagnosis out. Not for clinical use.',
  Images: 'Photos, stored once without their metadata and seen only by those who may.',
  AI:
    'The guided intake, red flags, triage, predictions and the verdict on a photo, one by one. An unfinished ' +
    'questionnaire is welcome. Not for clinical use.',
  Discovery: 'This documentation, as a document and as a page.',
};

/** What an endpoint may say it `reads`, as parameters. */
export const parameters = {
  'x-request-id': {
    name: 'x-request-id',
    in: 'header',
    description:
      'Comes back in the reply and in every log line; made up where it is absent or of another form.',
    schema: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,64}$' },
  },
  lang: {
    name: 'lang',
    in: 'query',
    description: 'Language of texts; before `Accept-Language`. Unknown ones fall back to English.',
    schema: { type: 'string', enum: Language.options },
  },
  tenant: {
    name: 'tenant',
    in: 'query',
    description:
      'Slug of the tenant (clinic) that a caller without a token speaks to; the header `X-Tenant` does the same. ' +
      'With a token the tenant is the caller’s own.',
    schema: { type: 'string', default: 'default' },
  },
  'idempotency-key': {
    name: 'idempotency-key',
    in: 'header',
    description:
      'Made up by the client, once for each upload. A retry with the same key within 24 hours gets the first answer.',
    schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{8,64}$' },
  },
  'if-none-match': {
    name: 'if-none-match',
    in: 'header',
    description:
      'Entity tags of what the client has: answered 304 without a body when one of them still holds.',
    schema: { type: 'string' },
  },
  range: {
    name: 'range',
    in: 'header',
    description: 'One range of bytes, such as `bytes=0-65535`; anything else is answered in full.',
    schema: { type: 'string' },
  },
  'if-range': {
    name: 'if-range',
    in: 'header',
    description: 'Entity tag of the part that the client has: when it no longer holds, `range` is ignored.',
    schema: { type: 'string' },
  },
} as const;

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
      'What is left of the caller’s quotas, by policy: `r` requests (or bytes), and `t` seconds until the whole quota is ' +
      'there again. Absent for callers without a token.',
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
    description: 'Strong entity tag of the bytes.',
    schema: { type: 'string' },
  },
  'Cache-Control': {
    description: 'Who may keep the bytes, and whether to ask again before using them.',
    schema: { type: 'string', examples: ['no-store'] },
  },
  'Accept-Ranges': {
    description: '`bytes` where a part can be asked for, else `none`.',
    schema: { type: 'string', enum: ['bytes', 'none'] },
  },
  'Content-Disposition': {
    description: 'A file name made from the image’s uuid.',
    schema: { type: 'string' },
  },
  'Content-Range': {
    description: 'Which bytes these are, and of how many.',
    schema: { type: 'string', examples: ['bytes 0-65535/204800'] },
  },
  'Idempotency-Replayed': {
    description: '`true` where this is the answer of an earlier request with the same key; else absent.',
    schema: { type: 'string', enum: ['true'] },
  },
} as const;

export type ReadFact = Exclude<keyof typeof parameters, 'x-request-id'>;
export type HeaderName = keyof typeof headers;

/** Where the name itself would be that of a schema or of a browser's type. */
const otherNames: Readonly<Record<string, string>> = {
  'x-request-id': 'RequestId',
  tenant: 'TenantSlug',
  range: 'ByteRange',
};

/** `idempotency-key` → `IdempotencyKey`: generators make a type's name of it. */
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
