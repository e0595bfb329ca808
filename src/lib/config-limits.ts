import type { z } from 'zod';
import { integer } from './config-values.ts';

/**
 * A limit as a key of the configuration.
 * @param meaning what is limited, in which time, and what happens then: the line of the README's table.
 */
function limit(standard: number, meaning: string, [least, most] = [1, 1_000_000]): z.ZodDefault<Integer> {
  return integer(least, most).default(standard).meta({ description: meaning });
}
type Integer = ReturnType<typeof integer>;

/**
 * Every limit on how often something may be done. "Network" is the /24 or /64 of the client's address. The security
 * chapter of the README says what an attacker can still do.
 */
export const limitKeys = {
  LIMIT_FAILED_LOGINS_PER_EMAIL_AND_NETWORK: limit(
    10,
    'Failed logins of one address from one network in 15 minutes',
  ),
  LIMIT_FAILED_LOGINS_PER_NETWORK: limit(
    100,
    'Failed logins from one network in 15 minutes; not for accounts that the network is known for',
  ),
  LIMIT_FAILED_LOGINS_PER_EMAIL: limit(
    100,
    'Failed logins of one address from everywhere in 24 hours; not from networks that the account is known in',
  ),
  LIMIT_EMAILS_TRIED_PER_NETWORK: limit(
    200,
    'Distinct addresses with failed logins from one network in 24 hours, registered or not',
  ),
  LIMIT_FAILED_CHANGES_PER_SESSION: limit(
    10,
    'Wrong current passwords at change-password in one session in 15 minutes',
  ),
  LIMIT_FAILED_CHANGES_PER_DAY: limit(
    100,
    'Wrong current passwords at change-password in one session in 24 hours',
  ),
  LIMIT_REGISTRATIONS_PER_NETWORK: limit(
    20,
    'Self-registered accounts from one network in an hour; not by invitation or by an admin',
  ),
  LIMIT_REFUSED_REGISTRATIONS_PER_NETWORK: limit(
    100,
    'Registrations from one network in 15 minutes that are refused because of a taken address or an invalid invitation',
  ),
  LIMIT_MAIL_REQUESTS_PER_NETWORK: limit(
    60,
    'Requests for a mail (password reset, email verification) from one network in an hour, each kind',
  ),
  LIMIT_RESET_MAILS_PER_EMAIL: limit(
    3,
    'Mails with a reset link to one address in an hour; further ones are not sent',
  ),
  LIMIT_VERIFICATION_MAILS_PER_EMAIL: limit(
    3,
    'Mails with a verification link to one address in an hour; further ones are not sent',
  ),
  LIMIT_REFUSED_CREDENTIALS_PER_NETWORK: limit(
    100,
    'Unknown or malformed tokens from one network in 15 minutes at refresh, reset-password and verify-email, each',
  ),
  LIMIT_REFRESHES_PER_SESSION: limit(120, 'Refreshes of one session in an hour'),
  LIMIT_SESSIONS_PER_USER: limit(
    200,
    'Open sessions of a user; one more ends the least recently used',
    [1, 10_000],
  ),
  LIMIT_HASHES_PER_NETWORK: limit(
    8,
    'Requests with a password from one network that an instance serves at a time; further ones wait',
    [1, 64],
  ),
  LIMIT_HASH_WAIT_MS: limit(
    10_000,
    'Milliseconds that a request waits for the turn of its network (then 429), and a password for a thread (then 503)',
    [100, 60_000],
  ),
  LIMIT_ANONYMOUS_AI_CALLS_PER_NETWORK: limit(
    300,
    'Calls of diagnosis and AI routes without a token from one network in 5 minutes',
  ),
  LIMIT_QUESTIONS_PER_MINUTE: limit(60, 'Calls of next_question of one user in a minute'),
  LIMIT_QUESTIONS_PER_HOUR: limit(600, 'Calls of next_question of one user in an hour'),
  LIMIT_AI_CALLS_PER_MINUTE: limit(10, 'Diagnoses and calls of the other AI routes of one user in a minute'),
  LIMIT_AI_CALLS_PER_HOUR: limit(60, 'Diagnoses and calls of the other AI routes of one user in an hour'),
  LIMIT_UPLOADS_PER_HOUR: limit(60, 'Uploads (store_images) of one user in an hour'),
  LIMIT_UPLOADED_MB_PER_DAY: limit(500, 'Megabytes that one user uploads (store_images) in 24 hours'),
  LIMIT_DOWNLOADS_PER_HOUR: limit(600, 'Photos and thumbnails that one user reads in an hour'),
} as const;

/** The limits of an installation, as the domain reads them. */
export type Limits = { readonly [Key in keyof typeof limitKeys]: number };
