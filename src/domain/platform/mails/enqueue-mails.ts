import { v7 as uuidv7 } from 'uuid';
import type { Db, Tx } from '../../../lib/db/connect.ts';
import type { FieldCrypto } from '../../../lib/field-crypto.ts';
import { enqueue } from '../../../lib/outbox/enqueue.ts';
import type { Language } from '../../../contract/language.ts';
import { type MailPayload, type MailTopic, LinkRequester, sealPurpose } from './mail-payloads.ts';

export interface LinkRequest {
  /** Normalised, as `users.email` is. */
  email: string;
  language: Language;
  requestId: string;
  ipPrefix: string | undefined;
}

/**
 * Stores a request for a link: one statement, the same for every address. Whether there is such an account is read
 * after the reply has left, so that nothing about the reply depends on it.
 */
async function enqueueLinkRequest(
  db: Db,
  fieldCrypto: FieldCrypto,
  topic: 'password_reset_requested' | 'email_verification_requested',
  request: LinkRequest,
): Promise<void> {
  const dedupeKey = newKey(topic);
  const requester = LinkRequester.parse({ email: request.email, ip_prefix: request.ipPrefix ?? null });
  await enqueueMail(db, topic, undefined, dedupeKey, {
    requester: fieldCrypto.seal(JSON.stringify(requester), sealPurpose(dedupeKey)),
    language: request.language,
    request_id: request.requestId,
  });
}

export const enqueueResetRequest = (db: Db, fieldCrypto: FieldCrypto, request: LinkRequest) =>
  enqueueLinkRequest(db, fieldCrypto, 'password_reset_requested', request);

export const enqueueVerificationRequest = (db: Db, fieldCrypto: FieldCrypto, request: LinkRequest) =>
  enqueueLinkRequest(db, fieldCrypto, 'email_verification_requested', request);

/** The link to choose a new password; part of the transaction that made the token. */
export async function enqueuePasswordResetMail(
  tx: Tx,
  fieldCrypto: FieldCrypto,
  mail: { tenantId: number; userId: number; resetTokenId: number; token: string; language: Language },
): Promise<void> {
  const dedupeKey = newKey('password_reset');
  await enqueueMail(tx, 'password_reset', mail.tenantId, dedupeKey, {
    user_id: mail.userId,
    reset_token_id: mail.resetTokenId,
    token: fieldCrypto.seal(mail.token, sealPurpose(dedupeKey)),
    language: mail.language,
  });
}

/** The link to verify an address; part of the transaction that made the token. */
export async function enqueueVerificationMail(
  tx: Tx,
  fieldCrypto: FieldCrypto,
  mail: { tenantId: number; userId: number; verificationTokenId: number; token: string; language: Language },
): Promise<void> {
  const dedupeKey = newKey('email_verification');
  await enqueueMail(tx, 'email_verification', mail.tenantId, dedupeKey, {
    user_id: mail.userId,
    verification_token_id: mail.verificationTokenId,
    token: fieldCrypto.seal(mail.token, sealPurpose(dedupeKey)),
    language: mail.language,
  });
}

/** The link to accept an invitation; part of the transaction that made it. Only where mail is configured. */
export async function enqueueInvitationMail(
  tx: Tx,
  fieldCrypto: FieldCrypto,
  mail: { tenantId: number; invitationUuid: string; token: string; language: Language },
): Promise<void> {
  const dedupeKey = `invitation:${mail.invitationUuid}`;
  await enqueueMail(tx, 'invitation', mail.tenantId, dedupeKey, {
    invitation_uuid: mail.invitationUuid,
    token: fieldCrypto.seal(mail.token, sealPurpose(dedupeKey)),
    language: mail.language,
  });
}

/** Tells the owner that the password was changed or reset (ASVS 5.0 6.3.7); part of the transaction of it. */
export async function enqueuePasswordChangedMail(
  tx: Tx,
  mail: { tenantId: number; userId: number; changedAt: Date; language: Language },
): Promise<void> {
  await enqueueMail(tx, 'password_changed', mail.tenantId, newKey('password_changed'), {
    user_id: mail.userId,
    changed_at: mail.changedAt.toISOString(),
    language: mail.language,
  });
}

async function enqueueMail<Topic extends MailTopic>(
  db: Db,
  topic: Topic,
  tenantId: number | undefined,
  dedupeKey: string,
  payload: MailPayload<Topic>,
): Promise<void> {
  await enqueue(db, { consumer: 'mail', topic, tenantId, dedupeKey, payload });
}

/** Also what the Message-ID is made of, so it must never come twice, not even from another database. */
function newKey(topic: MailTopic): string {
  return `${topic}:${uuidv7()}`;
}
