import type { z } from 'zod';
import { integer } from './values.ts';

/**
 * A limit as a configuration key.
 * @param meaning the published description: what is limited, in which window, and what happens beyond the limit.
 */
function limit(standard: number, meaning: string, [least, most] = [1, 1_000_000]): z.ZodDefault<Integer> {
  return integer(least, most).default(standard).meta({ description: meaning });
}
type Integer = ReturnType<typeof integer>;

/**
 * Every rate limit. "Network" is the /24 or /64 of the client's address. The security documentation describes what an
 * attacker can still do.
 */
export const limitKeys = {
  LIMIT_FAILED_LOGINS_PER_EMAIL_AND_NETWORK: limit(
    10,
    'Failed logins for one address from one network in 15 minutes',
  ),
  LIMIT_FAILED_LOGINS_PER_NETWORK: limit(
    100,
    'Failed logins from one network in 15 minutes; not applied to accounts that recently used the network',
  ),
  LIMIT_FAILED_LOGINS_PER_EMAIL: limit(
    100,
    'Failed logins for one address from all networks in 24 hours; not applied to networks that the account recently used',
  ),
  LIMIT_EMAILS_TRIED_PER_NETWORK: limit(
    200,
    'Distinct addresses with failed logins from one network in 24 hours, registered or not',
  ),
  LIMIT_FAILED_CHANGES_PER_SESSION: limit(
    10,
    'Wrong current passwords at change-password per session in 15 minutes',
  ),
  LIMIT_FAILED_CHANGES_PER_DAY: limit(
    100,
    'Wrong current passwords at change-password per session in 24 hours',
  ),
  LIMIT_REGISTRATIONS_PER_NETWORK: limit(
    20,
    'Self-registrations from one network in an hour; registrations by invitation or by an admin do not count',
  ),
  LIMIT_REFUSED_REGISTRATIONS_PER_NETWORK: limit(
    100,
    'Registrations from one network in 15 minutes that are refused for a taken address or an invalid invitation; ' +
      'and so many taken addresses of physicians whom one admin creates',
  ),
  LIMIT_MAIL_REQUESTS_PER_NETWORK: limit(
    60,
    'Requests for a mail (password reset, email verification) from one network in an hour, counted per kind',
  ),
  LIMIT_RESET_MAILS_PER_EMAIL: limit(3, 'Reset mails to one address in an hour; further ones are not sent'),
  LIMIT_VERIFICATION_MAILS_PER_EMAIL: limit(
    3,
    'Verification mails to one address in an hour; further ones are not sent',
  ),
  LIMIT_REFUSED_CREDENTIALS_PER_NETWORK: limit(
    100,
    'Unknown or malformed tokens from one network in 15 minutes, counted separately at refresh, reset-password and verify-email',
  ),
  LIMIT_REFRESHES_PER_SESSION: limit(120, 'Refreshes of one session in an hour'),
  LIMIT_SESSIONS_PER_USER: limit(
    200,
    'Open sessions of a user; a further login ends the least recently used session',
    [1, 10_000],
  ),
  LIMIT_HASHES_PER_NETWORK: limit(
    8,
    'Concurrent requests with a password from one network per instance; further ones wait',
    [1, 64],
  ),
  LIMIT_HASH_WAIT_MS: limit(
    10_000,
    'Milliseconds that a request waits for its network’s turn (then 429), and a password for a free thread (then 503)',
    [100, 60_000],
  ),
  LIMIT_ANONYMOUS_AI_CALLS_PER_NETWORK: limit(
    300,
    'Calls of diagnosis and AI routes without a token, from one network in 5 minutes',
  ),
  LIMIT_QUESTIONS_PER_MINUTE: limit(
    60,
    'Calls of next_question and changes of cases by one user in a minute',
  ),
  LIMIT_QUESTIONS_PER_HOUR: limit(600, 'Calls of next_question and changes of cases by one user in an hour'),
  LIMIT_AI_CALLS_PER_MINUTE: limit(10, 'Diagnoses and calls of the other AI routes by one user in a minute'),
  LIMIT_AI_CALLS_PER_HOUR: limit(60, 'Diagnoses and calls of the other AI routes by one user in an hour'),
  LIMIT_UPLOADS_PER_HOUR: limit(
    60,
    'Uploads of photos, on all routes that store them, by one user in an hour',
  ),
  LIMIT_UPLOADED_MB_PER_DAY: limit(
    500,
    'Megabytes of photos that one user uploads, on all those routes, in 24 hours',
  ),
  LIMIT_DOWNLOADS_PER_HOUR: limit(
    600,
    'Photos and thumbnails that one user reads, and exports of the audit trail, in an hour',
  ),
  LIMIT_MAILS_PER_HOUR: limit(5, 'Mails that one user requests (send-email) in an hour'),
} as const;

/** The configured limits, as the domain reads them. */
export type Limits = { readonly [Key in keyof typeof limitKeys]: number };
