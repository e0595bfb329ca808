import { ZodError } from 'zod';
import type { Tx } from '../../../lib/db/connect.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { FieldCryptoError } from '../../../lib/crypto/field-crypto.ts';
import { MailRejected } from '../../../lib/mail/mailer.ts';
import { type ConsumerWork, type OutboxMessage, Undeliverable } from '../../../lib/outbox/message.ts';
import type { Language } from '../../../contract/language.ts';
import { deliverNews } from '../news/deliver-news.ts';
import { newsTopic } from '../../announce/news/news.ts';
import { acceptFailure } from '../news/news-outcome.ts';
import { sendRequestedMail } from '../requests/send-requested-mail.ts';
import { findAddressOwner } from '../../membership/users/account.queries.ts';
import type { MailDelivery } from '../../announce/mails/mail-delivery.ts';
import { issueResetToken } from './issue-reset-token.ts';
import { issueVerificationToken } from './issue-verification-token.ts';
import { isOldLinkRequest } from './is-obsolete-mail.ts';
import {
  findAccountOwner,
  findInvited,
  findResetAddressee,
  findUnverified,
} from './mail-addressees.queries.ts';
import {
  type MailPayload,
  mailPayloads,
  type MailTopic,
  openSealed,
} from '../../announce/mails/mail-payloads.ts';
import type { RenderedMail } from './mail-layout.ts';
import { renderMail } from './render-mail.ts';

interface AddressedMail extends RenderedMail {
  to: string;
  language: Language;
}

/** The outbox's consumer `mail`. */
export function createMailWork(delivery: MailDelivery): ConsumerWork {
  return {
    ...(delivery.mailer === undefined && { topics: topicsWithoutMailServer(delivery) }),
    acceptFailure,
    async deliver(message) {
      try {
        await deliverByTopic(delivery, message);
      } catch (error) {
        throw isFinal(error) ? new Undeliverable(finalCode(error), { cause: error }) : error;
      }
    },
  };
}

/**
 * While settings change, instances with and without a mail server run side by side: those without leave the mails to the
 * others, at most 30 days (records/retention/sweep.ts), but for news of cases, which they drop. In development resets and verifications work without one as well, because
 * the log has the token.
 */
function topicsWithoutMailServer({ production }: MailDelivery): readonly string[] {
  return [newsTopic, ...(production ? [] : ['password_reset_requested', 'email_verification_requested'])];
}

async function deliverByTopic(delivery: MailDelivery, message: OutboxMessage): Promise<void> {
  switch (message.topic) {
    case 'password_reset_requested':
      if (isOldRequest(delivery, message)) return;
      return await issueResetToken(delivery, message, payloadOf(message, 'password_reset_requested'));
    case 'password_reset':
      return await send(delivery, message, composePasswordReset);
    case 'email_verification_requested':
      if (isOldRequest(delivery, message)) return;
      return await issueVerificationToken(
        delivery,
        message,
        payloadOf(message, 'email_verification_requested'),
      );
    case 'email_verification':
      return await send(delivery, message, composeVerification);
    case 'invitation':
      return await send(delivery, message, composeInvitation);
    case 'password_changed':
      return await send(delivery, message, composePasswordChanged);
    case 'support_request':
    case 'case_answer_link':
      return await sendRequestedMail(delivery, message);
    case newsTopic:
      return await deliverNews(delivery, message);
    default:
      throw new Undeliverable('unknown_topic');
  }
}

/** A request that has waited for a mail server is dropped, as `npm run outbox -- retry` leaves it. */
function isOldRequest({ clock, log }: MailDelivery, { id, topic, createdAt }: OutboxMessage): boolean {
  const isOld = isOldLinkRequest(createdAt, clock.now());
  if (isOld) log.info('mail_obsolete', { message: id, topic });
  return isOld;
}

type Compose = (delivery: MailDelivery, tx: Tx, message: OutboxMessage) => Promise<AddressedMail | undefined>;

/** Composes the mail from what the database says now; one that means nothing any more is not sent. */
async function send(delivery: MailDelivery, message: OutboxMessage, compose: Compose): Promise<void> {
  const { db, log, mailer } = delivery;
  const facts = { message: message.id, topic: message.topic, tenant: message.tenantId };
  if (message.tenantId === undefined) throw new Undeliverable('bad_payload');
  if (mailer === undefined) throw new Error('no mail server is configured');
  const mail = await inTenant(db, message.tenantId, (tx) => compose(delivery, tx, message));
  if (mail === undefined) return log.info('mail_obsolete', facts);
  // Outside of any transaction: a slow mail server must not hold one open.
  await mailer.send({ ...mail, key: message.dedupeKey });
  log.info('mail_sent', facts);
}

const composePasswordReset: Compose = async ({ fieldCrypto, portalUrl, clock }, tx, message) => {
  const { reset_token_id: tokenId, token, language } = payloadOf(message, 'password_reset');
  const addressee = await findResetAddressee(tx, tokenId, clock.now());
  if (addressee === undefined) return undefined;
  const { email: to, expires_at: until } = addressee;
  const link = portalLink(portalUrl, 'reset-password', await openSealed(fieldCrypto, message, token));
  return { to, language, ...renderMail('password_reset', language, { email: to, until }, link) };
};

const composeVerification: Compose = async ({ clock, fieldCrypto, portalUrl }, tx, message) => {
  const { verification_token_id: tokenId, token, language } = payloadOf(message, 'email_verification');
  const addressee = await findUnverified(tx, tokenId, clock.now());
  if (addressee === undefined) return undefined;
  const { email: to, expires_at: until } = addressee;
  const link = portalLink(portalUrl, 'verify-email', await openSealed(fieldCrypto, message, token));
  return { to, language, ...renderMail('email_verification', language, { email: to, until }, link) };
};

const composeInvitation: Compose = async ({ fieldCrypto, portalUrl, clock }, tx, message) => {
  const { invitation_uuid: uuid, token, language } = payloadOf(message, 'invitation');
  const invited = await findInvited(tx, uuid, clock.now());
  if (invited === undefined) return undefined;
  const { email: to, expires_at: until, tenant_name: tenant } = invited;
  // One address is one account. The admin learns of it from neither the reply nor the list of invitations.
  const owner = await findAddressOwner(tx, to);
  if (owner?.is_verified === true) {
    const values = { email: to, tenant };
    const isOn = owner.is_active && owner.tenant_is_active;
    const kind = isOn ? 'invitation_of_account' : 'invitation_of_inactive';
    return { to, language, ...renderMail(kind, language, values, portalUrl) };
  }
  const link = portalLink(portalUrl, 'accept-invitation', await openSealed(fieldCrypto, message, token));
  return { to, language, ...renderMail('invitation', language, { email: to, tenant, until }, link) };
};

const composePasswordChanged: Compose = async ({ portalUrl }, tx, message) => {
  const {
    user_id: userId,
    changed_at: changed,
    language: requested,
  } = payloadOf(message, 'password_changed');
  const owner = await findAccountOwner(tx, userId);
  if (owner === undefined) return undefined;
  const language = owner.language ?? requested;
  const values = { email: owner.email, changed: new Date(changed) };
  return { to: owner.email, language, ...renderMail('password_changed', language, values, portalUrl) };
};

/** The token is in the fragment, which browsers keep to themselves: no access log and no Referer has it. */
function portalLink(portalUrl: string, page: string, token: string): string {
  return `${portalUrl.replace(/\/+$/, '')}/${page}#token=${encodeURIComponent(token)}`;
}

function payloadOf<Topic extends MailTopic>(message: OutboxMessage, topic: Topic): MailPayload<Topic> {
  return mailPayloads[topic].parse(message.payload) as MailPayload<Topic>;
}

type Final = ZodError | FieldCryptoError | MailRejected;

/** What no later try can mend; a key that is not configured can come back. */
function isFinal(error: unknown): error is Final {
  if (error instanceof FieldCryptoError) return error.code !== 'unknown_key';
  return error instanceof ZodError || error instanceof MailRejected;
}

function finalCode(error: Final): string {
  return error instanceof ZodError ? 'bad_payload' : error.code;
}
