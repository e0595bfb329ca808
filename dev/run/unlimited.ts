/**
 * Settings for apps that one program asks in minutes what users ask in days: benchmarks, query plans, tests. Limits on
 * guessing stay as they are.
 */
export const unlimited: Readonly<Record<string, string>> = {
  LIMIT_HASH_WAIT_MS: '60000',
  LIMIT_REGISTRATIONS_PER_NETWORK: '1000000',
  LIMIT_MAIL_REQUESTS_PER_NETWORK: '1000000',
  LIMIT_QUESTIONS_PER_MINUTE: '1000000',
  LIMIT_QUESTIONS_PER_HOUR: '1000000',
  LIMIT_AI_CALLS_PER_MINUTE: '1000000',
  LIMIT_AI_CALLS_PER_HOUR: '1000000',
  LIMIT_UPLOADS_PER_HOUR: '1000000',
  LIMIT_UPLOADED_MB_PER_DAY: '1000000',
  LIMIT_DOWNLOADS_PER_HOUR: '1000000',
  LIMIT_MAILS_PER_HOUR: '1000000',
};
