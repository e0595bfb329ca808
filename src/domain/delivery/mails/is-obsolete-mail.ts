import type { Tx } from '../../../lib/db/connect.ts';
import { isTooOld } from '../news/judge-news.ts';
import { NewsPayload, newsTopic } from '../../announce/news/news.ts';
import { resetTokenLifetimeMs } from '../../identity/users/reset-token.queries.ts';
import { findInvited, findResetAddressee, findUnverified } from './mail-addressees.queries.ts';
import { mailPayloads } from '../../announce/mails/mail-payloads.ts';

/** A link that is requested now and comes a day later would frighten its reader. */
export function isOldLinkRequest(createdAt: Date, now: Date): boolean {
  return now.getTime() - createdAt.getTime() >= resetTokenLifetimeMs;
}

/**
 * Whether a dead mail is obsolete: its link would not work, or the request is so old
 * that a link would frighten its reader.
 *
 * @param tx a transaction in the tenant of the message.
 */
export async function isObsoleteMail(
  tx: Tx,
  { topic, payload, createdAt }: { topic: string; payload: unknown; createdAt: Date },
  now: Date,
): Promise<boolean> {
  switch (topic) {
    case 'password_reset_requested':
    case 'email_verification_requested':
      return isOldLinkRequest(createdAt, now);
    case 'password_reset': {
      const { data } = mailPayloads.password_reset.safeParse(payload);
      return data !== undefined && (await findResetAddressee(tx, data.reset_token_id, now)) === undefined;
    }
    case 'email_verification': {
      const { data } = mailPayloads.email_verification.safeParse(payload);
      return data !== undefined && (await findUnverified(tx, data.verification_token_id, now)) === undefined;
    }
    case 'invitation': {
      const { data } = mailPayloads.invitation.safeParse(payload);
      return data !== undefined && (await findInvited(tx, data.invitation_uuid, now)) === undefined;
    }
    case newsTopic: {
      const { data } = NewsPayload.safeParse(payload);
      return data !== undefined && isTooOld(data, now);
    }
    case 'support_request':
    case 'case_answer_link':
      return isTooOld({ at: createdAt.toISOString() }, now);
    default:
      return false;
  }
}
