import { inTenant } from '../../../lib/db/tenant.ts';
import type { Mail } from '../../../lib/mail/mailer.ts';
import { type OutboxMessage, Undeliverable } from '../../../lib/outbox/message.ts';
import { readParameters } from '../../platform/parameters/read-parameters.ts';
import { mailPayloads, openSealed } from '../../announce/mails/mail-payloads.ts';
import { renderSupportRequest } from '../mails/render-mail.ts';
import { isAnswerAvailable } from '../../cases/record/answer-available.ts';
import { isTooOld } from '../news/judge-news.ts';
import type { NewsDelivery } from '../../announce/news/news-delivery.ts';
import { renderNewsMail } from '../news/render-news.ts';
import { findAnswerState, findVerifiedOwner } from './requested-mail.queries.ts';

type Composed = Omit<Mail, 'key'>;

/**
 * Sends a mail that a user has asked for, while the account is in use and its address verified. Without a mail server, in
 * development, nothing is sent.
 *
 * @throws {Undeliverable} for a request that is as old as no news is sent any more: an operator sees that it has failed.
 */
export async function sendRequestedMail(delivery: NewsDelivery, message: OutboxMessage): Promise<void> {
  const { log, mailer } = delivery;
  const facts = { message: message.id, topic: message.topic, tenant: message.tenantId };
  if (message.tenantId === undefined) throw new Undeliverable('bad_payload');
  const compose = message.topic === 'support_request' ? composeSupportRequest : composeAnswerLink;
  const mail = await compose(delivery, message, message.tenantId);
  if (mail === undefined || mailer === undefined) return log.info('mail_obsolete', facts);
  await mailer.send({ ...mail, key: message.dedupeKey });
  log.info('mail_sent', facts);
}

async function composeSupportRequest(
  delivery: NewsDelivery,
  message: OutboxMessage,
  tenantId: number,
): Promise<Composed | undefined> {
  const { fieldCrypto, backofficeUrl } = delivery;
  const {
    user_id: userId,
    case_uuid: caseUuid,
    message: sealed,
    language,
    requested_at: at,
  } = mailPayloads.support_request.parse(message.payload);
  requireRecent(delivery, at);
  const { support_email: to } = await readParameters(delivery, tenantId, 'mobile/app');
  const owner = await inTenant(delivery.db, tenantId, (tx) => findVerifiedOwner(tx, userId));
  if (to === null || owner === undefined) return undefined;
  const text = await openSealed(fieldCrypto, message, sealed);
  const values = { account: owner.uuid, email: owner.email, case: caseUuid ?? '–' };
  const link = caseUuid === null ? backofficeUrl : pageOf(backofficeUrl, caseUuid);
  return { to, replyTo: owner.email, language, ...renderSupportRequest(language, values, text, link) };
}

async function composeAnswerLink(
  delivery: NewsDelivery,
  message: OutboxMessage,
  tenantId: number,
): Promise<Composed | undefined> {
  const {
    user_id: userId,
    case_uuid: caseUuid,
    language,
    requested_at: at,
  } = mailPayloads.case_answer_link.parse(message.payload);
  requireRecent(delivery, at);
  const owner = await inTenant(delivery.db, tenantId, (tx) => findVerifiedOwner(tx, userId));
  if (owner === undefined || !(await hasAnswer(delivery, tenantId, caseUuid))) return undefined;
  const { email } = owner;
  const values = { email, until: delivery.clock.now() };
  const link = pageOf(delivery.portalUrl, caseUuid);
  return { to: email, language, ...renderNewsMail('answer_published', language, values, link) };
}

function requireRecent({ clock }: NewsDelivery, at: string): void {
  if (isTooOld({ at }, clock.now())) throw new Undeliverable('too_old');
}

const pageOf = (base: string, caseUuid: string) => `${base.replace(/\/+$/, '')}/cases/${caseUuid}`;

/** Whether the patient can still read the answer that was there when its link was requested. */
async function hasAnswer({ db }: NewsDelivery, tenantId: number, caseUuid: string): Promise<boolean> {
  const found = await inTenant(db, tenantId, (tx) => findAnswerState(tx, caseUuid));
  return found !== undefined && isAnswerAvailable(found);
}
