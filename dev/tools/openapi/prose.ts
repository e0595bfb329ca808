import { limitKeys, type Limits } from '../../../src/lib/configuration/limits.ts';
import type { Access, AnyEndpoint, QuotaGroup } from '../../../src/lib/http/endpoint.ts';
import { defaultBodyLimit } from '../../../src/lib/http/parse-input.ts';

const callers: Record<Access, string> = {
  public: 'Anyone; a token is ignored.',
  optional: 'Anyone; a token that is sent must be valid.',
  any: 'Any user with an access token.',
  'any-unless-public-ai':
    'Any user with an access token; if the operator has set `PUBLIC_AI_ROUTES`, anyone, with at most 300 calls in ' +
    'five minutes from one network (/24 or /64).',
  'physician-level': 'Physicians and admins.',
  'admin-level': 'Admins.',
};

/** The endpoint's own description, and what its declaration implies: callers, quota, sizes, recorded events. */
export function operationDescription(endpoint: AnyEndpoint): string {
  const { description, auth } = endpoint;
  return [
    ...(description === undefined ? [] : [description]),
    [
      `- **Who may call**: ${callers[auth]}`,
      ...quota(endpoint),
      ...sizes(endpoint),
      `- **Recorded**: ${recorded(endpoint)}`,
    ].join('\n'),
  ].join('\n\n');
}

const standard = (key: keyof Limits): number => limitKeys[key].parse(undefined);

const quotas: Record<QuotaGroup, string> = {
  questions: `${standard('LIMIT_QUESTIONS_PER_MINUTE')} a minute and ${standard('LIMIT_QUESTIONS_PER_HOUR')} an hour`,
  ai:
    `${standard('LIMIT_AI_CALLS_PER_MINUTE')} a minute and ${standard('LIMIT_AI_CALLS_PER_HOUR')} an hour, diagnoses ` +
    'and AI routes together, except `next_question`',
  uploads: `${standard('LIMIT_UPLOADS_PER_HOUR')} an hour, and ${standard('LIMIT_UPLOADED_MB_PER_DAY')} MB in 24 hours`,
  downloads: `${standard('LIMIT_DOWNLOADS_PER_HOUR')} an hour`,
  mails: `${standard('LIMIT_MAILS_PER_HOUR')} an hour`,
};

function quota({ quota: group }: AnyEndpoint): string[] {
  if (group === undefined) return [];
  return [
    `- **Quota per user**: ${quotas[group]}, unless the operator has set other limits; every reply reports the rest in ` +
      '`RateLimit`.',
  ];
}

function sizes({ body, bodyLimit = defaultBodyLimit, multipart }: AnyEndpoint): string[] {
  const limits = [
    ...(multipart === undefined ? [] : [`${size(multipart.maxBytes)} as a form`]),
    ...(body === undefined ? [] : [`${size(bodyLimit)} of JSON`]),
  ];
  return limits.length === 0 ? [] : [`- **Largest body**: ${limits.join(', ')}.`];
}

function size(bytes: number): string {
  return bytes < 1024 * 1024 ? `${Math.floor(bytes / 1024)} KiB` : `${Math.floor(bytes / 1024 / 1024)} MiB`;
}

function recorded({ audit }: AnyEndpoint): string {
  const everyRequest = 'A log line with request id, function, status, duration and the caller’s uuid';
  if (audit === 'none') return `${everyRequest}; nothing in the event log.`;
  const { category, success, refusal } = audit;
  const names = success === refusal ? `\`${success}\`` : `\`${success}\`, or \`${refusal}\` when refused`;
  // ai-call.queries.ts: a code of a red flag follows from the answers.
  const derived = category === 'ai' ? ' but the codes of red flags that only our own rules raised' : '';
  return `${everyRequest}; ${names} in the event log, without any of the request’s content${derived}.`;
}
