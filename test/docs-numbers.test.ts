import { expect, test } from 'vitest';
import { readDocument as read } from './support/documents.ts';

/*
 * Times, limits and quotas that people rely on are written by hand in the documents. Here each is held to the code that makes
 * it true: who changes one is sent to the sentence about it.
 */

const kiB = 1024;
const seconds = 1000;
const minutes = 60 * seconds;
const hours = 60 * minutes;
const days = 24 * hours;

type Sentence = [document: 'api' | 'operations' | 'security', sentence: RegExp, unit?: number];

/** By source file, then by the name before the number there. */
const numbers: Record<string, Record<string, Sentence>> = {
  'src/domain/records/retention/sweep.ts': {
    devicesMs: ['security', /until their session ends, (\d+) days/, days],
    evidenceMs: ['security', /failed mails \| PostgreSQL \| (\d+) days/, days],
    deadMessagesMs: ['security', /failed mails \| PostgreSQL \| (\d+) days/, days],
    waitingMailsMs: ['operations', /wait for a mail server, at most (\d+) days/, days],
    draftsMs: ['security', /until they are signed \| PostgreSQL \| (\d+) days/, days],
  },
  'src/lib/idempotency/idempotency.ts': {
    lifetimeMs: ['security', /ids, codes, times \| PostgreSQL \| (\d+) hours/, hours],
  },
  'migrations/functions/add_notices.sql': {
    "\\+ interval '": ['security', /ids, codes, times \| PostgreSQL \| (\d+) hours/],
  },
  'src/domain/platform/parameters/parameter-schemas.ts': {
    'draft_days: days': ['security', /drafts expire (\d+) days/],
    'pending_days: days': ['api', /reminders after 3 and 10 days; expiry after (\d+)/],
    'lease_minutes: minutes': ['api', /in one physician's hand for (\d+) minutes/],
  },
  'migrations/functions/sweep_request_records.sql': {
    "- interval '": ['security', /(\d+) days after that, or after the patient/],
  },
  'migrations/functions/sweep_user_check_logs.sql': {
    "- interval '": ['security', /eligibility: codes \| PostgreSQL \| (\d+) years/],
  },
  'migrations/functions/sweep_ml_diagnosis_results.sql': {
    "IS NULL AND created_at <= v_now - interval '": [
      'security',
      /with the account \| PostgreSQL \| (\d+) years/,
    ],
    "IS NOT NULL\\s+AND created_at <= v_now - interval '": [
      'security',
      /PostgreSQL \| (\d+) days, then blanked/,
    ],
  },
  'migrations/functions/event_log_retention.sql': {
    "'system' THEN interval '": ['security', /system (\d+) days, authentication/],
    "'auth' THEN interval '": ['security', /authentication (\d+) year/],
    "'ai' THEN interval '": ['security', /AI calls (\d+), administration/],
    "'admin' THEN interval '": ['security', /administration (\d+), access/],
    "'access' THEN interval '": ['security', /access to cases (\d+), cases/],
    "ELSE interval '": ['security', /access to cases \d+, cases (\d+) \|/],
  },
  'src/lib/configuration/limits.ts': {
    'PER_EMAIL_AND_NETWORK: limit': ['security', /of one email from one network \| (\d+) in 15/],
    'LOGINS_PER_NETWORK: limit': ['security', /whatever the email \| (\d+) in 15/],
    'LOGINS_PER_EMAIL: limit': ['security', /from all networks \| (\d+) in 24/],
    'EMAILS_TRIED_PER_NETWORK: limit': ['security', /distinct emails .* \| (\d+) in 24/],
    'FAILED_CHANGES_PER_SESSION: limit': ['security', /by session \| (\d+) in 15/],
    'FAILED_CHANGES_PER_DAY: limit': ['security', /by session \| \d+ in 15 minutes, (\d+) in 24/],
    'LIMIT_REGISTRATIONS_PER_NETWORK: limit': ['security', /self-registered .* network \| (\d+) an hour/],
    'REFUSED_REGISTRATIONS_PER_NETWORK: limit': ['security', /invalid invitation\) \| (\d+) in 15/],
    'MAIL_REQUESTS_PER_NETWORK: limit': ['security', /from one network \| (\d+) an hour each/],
    'RESET_MAILS_PER_EMAIL: limit': ['security', /to one email, each kind \| (\d+) an hour/],
    'VERIFICATION_MAILS_PER_EMAIL: limit': ['security', /to one email, each kind \| (\d+) an hour/],
    'REFUSED_CREDENTIALS_PER_NETWORK: limit': ['security', /`verify-email`, each \| (\d+) in 15/],
    'REFRESHES_PER_SESSION: limit': ['security', /refreshes of one session \| (\d+) an hour/],
    'SESSIONS_PER_USER: limit': ['security', /an account has at most (\d+) open\s+sessions/],
    'HASHES_PER_NETWORK: limit': ['security', /in an instance \| (\d+) at a time/],
    'HASH_WAIT_MS: limit': ['security', /the others wait, (\d+) seconds/, seconds],
    'QUESTIONS_PER_MINUTE: limit': ['api', /by patient, together \| (\d+) a minute/],
    'QUESTIONS_PER_HOUR: limit': ['api', /by patient, together \| \d+ a minute, (\d+) an hour/],
    'LIMIT_AI_CALLS_PER_MINUTE: limit': ['api', /other AI routes, by user \| (\d+) a minute/],
    'LIMIT_AI_CALLS_PER_HOUR: limit': ['api', /other AI routes, by user \| \d+ a minute, (\d+) an hour/],
    'UPLOADS_PER_HOUR: limit': ['api', /uploads, by user \| (\d+) an hour/],
    'UPLOADED_MB_PER_DAY: limit': ['api', /uploads, by user \| \d+ an hour, (\d+) MB/],
    'DOWNLOADS_PER_HOUR: limit': ['api', /audit trail, by user \| (\d+) an hour/],
    'LIMIT_MAILS_PER_HOUR: limit': ['api', /mails on request, by user \| (\d+) an hour/],
    'ANONYMOUS_AI_CALLS_PER_NETWORK: limit': ['api', /where open \| (\d+) in 5 minutes/],
  },
  'src/lib/http/parse-input.ts': {
    defaultBodyLimit: ['security', /what its route takes: (\d+) KiB/, kiB],
  },
  'src/domain/answers/annotations/annotation-input.schemas.ts': {
    annotationBodyLimit: ['security', /(\d+) KiB for a questionnaire or an answer/, kiB],
  },
  'src/domain/cases/patient/case-input.schemas.ts': {
    caseBodyLimit: ['security', /(\d+) KiB for a case/, kiB],
  },
  'src/domain/answers/templates/template.schemas.ts': {
    templateBodyLimit: ['security', /(\d+) KiB for a template/, kiB],
  },
  'src/functions/v1/backoffice/parameters/replace-parameters.ts': {
    bodyLimit: ['security', /(\d+) KiB for parameters/, kiB],
  },
  'src/functions/v1/backoffice/cases/change-pending-statuses.ts': {
    bodyLimit: ['security', /(\d+) KiB for parameters and for changes of many cases/, kiB],
  },
  'src/domain/media/images/accept-image.ts': {
    'imageLimits = {\\s+maxBytes': ['security', /pixels of a photo \| (\d+) MB/, kiB * kiB],
    maxPixels: ['security', /pixels of a photo \| \d+ MB, (\d+) megapixels/, 1e6],
    maxFiles: ['api', /upload \| (\d+) files/],
    'uploadLimits = {\\s+maxFiles: \\d+,\\s+maxBytes': ['api', /files and (\d+) MB together/, kiB * kiB],
  },
  'src/lib/json/json-outline.ts': {
    maximumDepth: ['security', /JSON \| depth (\d+)/],
    maximumKeys: ['security', /depth \d+, ([\d,]+) keys/],
    maximumTokens: ['security', /keys, ([\d,]+) strings/],
    maximumShortBytes: ['security', /commas, (\d+) MiB/, kiB * kiB],
  },
  'src/lib/http/multipart.ts': { pieceBytes: ['security', /in pieces of (\d+) KiB/, kiB] },
  'src/lib/image/inspect-jpeg.ts': {
    MAX_SCANS: ['security', /JPEG \| (\d+) scans/],
    MAX_SCANNED_PIXELS: ['security', /scans, (\d+) million pixels/, 1e6],
  },
  'src/lib/image/decode.ts': {
    timeoutMs: ['security', /decoding one photo \| (\d+) seconds/, seconds],
    MAX_WAITING_THUMBNAILS: ['security', /for the first time: (\d+) more/],
  },
  'src/app.ts': {
    maxQueued: ['security', /callers that wait \| (\d+), for/],
    maxWaitMs: ['security', /callers that wait \| \d+, for (\d+) seconds/, seconds],
  },
  'src/lib/auth/access-token.ts': {
    accessTokenSeconds: ['security', /An access token lives (\d+) minutes/, minutes / seconds],
  },
  'src/domain/identity/sessions/session.queries.ts': {
    refreshTokenLifetimeMs: ['security', /a refresh token (\d+) days from its issue/, days],
  },
  'src/domain/platform/throttle/known-network.ts': {
    knownForMs: ['security', /opened there was used in\s+the last (\d+) days/, days],
  },
  'src/domain/announce/news/news.ts': {
    sentWithinMs: ['operations', /a message that is older than (\d+) hours/, hours],
  },
  'src/lib/live/web-pubsub.ts': { tokenMinutes: ['operations', /gives out for (\d+) minutes/] },
  'src/domain/cases/admission/record-analysis.ts': {
    analysedWithinMs: ['operations', /without the AI service, (\d+) minutes after they/, minutes],
  },
  'src/domain/media/images/reconcile-images.ts': {
    'plausibleOrphans = { count': ['operations', /It warns only of more than (\d+)/],
  },
};

/** The number behind a name, multiplied out: `30 * 24 * 60 * 60 * 1000`. */
function numberIn(file: string, name: string): number {
  const pattern = `${name.replaceAll('{', '\\{')}[:=(\\s]*([\\d_]+(?: \\* [\\d_]+)*)`;
  const [, factors = 'none'] = new RegExp(pattern).exec(read(file)) ?? [];
  return factors.split(' * ').reduce((product, factor) => product * Number(factor.replaceAll('_', '')), 1);
}

const rows = Object.entries(numbers).flatMap(([file, names]) =>
  Object.entries(names).map(([name, [document, sentence, unit = 1]]) => ({
    file,
    name,
    document,
    sentence,
    unit,
  })),
);

test.each(rows)('$document: $name of $file', ({ file, name, document, sentence, unit }) => {
  const [, documented = 'none'] = sentence.exec(read(`docs/${document}.md`)) ?? [];
  expect(Number(documented.replaceAll(',', ''))).toBe(numberIn(file, name) / unit);
});
