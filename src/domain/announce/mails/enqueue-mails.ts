import { v7 as uuidv7 } from 'uuid';
import type { Db, Tx } from '../../../lib/db/connect.ts';
import type { FieldCrypto } from '../../../lib/crypto/field-crypto.ts';
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
export async function enqueueLinkRequest(
  db: Db,
  fieldCrypto: FieldCrypto,
  topic: 'password_reset_requested' | 'email_verification_requested',
  request: LinkRequest,
): Promise<void> {
  const dedupeKey = newKey(topic);
  const requester = LinkRequester.parse({ email: request.email, ip_prefix: request.ipPrefix ?? null });
  await enqueueMail(db, topic, undefined, dedupeKey, {
    requester: await fieldCrypto.seal(JSON.stringify(requester), sealPurpose(dedupeKey)),
    language: request.language,
    request_id: request.requestId,
  });
}

/** The row that a link is about: the mail is sent only while it stands. */
type LinkSubject =
  | { topic: 'password_reset'; user_id: number; reset_token_id: number }
  | { topic: 'email_verification'; user_id: number; verification_token_id: number }
  | { topic: 'invitation'; invitation_uuid: string };

/** A mail with a link; part of the transaction that made the token. Only where mail is configured. */
export async function enqueueLinkMail(
  tx: Tx,
  fieldCrypto: FieldCrypto,
  { topic, ...row }: LinkSubject,
  mail: { tenantId: number; token: string; language: Language },
): Promise<void> {
  const dedupeKey = 'invitation_uuid' in row ? `invitation:${row.invitation_uuid}` : newKey(topic);
  const token = await fieldCrypto.seal(mail.token, sealPurpose(dedupeKey));
  const payload = { ...row, token, language: mail.language };
  await enqueue(tx, { consumer: 'mail', topic, tenantId: mail.tenantId, dedupeKey, payload });
}

/** Notifies the owner of a changed or reset password (ASVS 5.0 6.3.7); part of the transaction that changes it. */
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
