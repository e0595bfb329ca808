import { z } from 'zod';
import type { FieldCrypto } from '../../../lib/crypto/field-crypto.ts';
import { Language } from '../../../contract/language.ts';

/*
 * What the messages for the consumer `mail` carry, by topic. Everything else is read at delivery, so that no
 * queue holds a person who has been erased meanwhile. Sealed values open with `sealPurpose` of their message.
 */

/** What the requester of a link sent, sealed as JSON: nothing else stores the address of an unknown account. */
export const LinkRequester = z.strictObject({ email: z.string(), ip_prefix: z.string().nullable() });

export const mailPayloads = {
  /** A caller requested a reset for an address, known or not. */
  password_reset_requested: z.strictObject({
    /** Sealed {@link LinkRequester}. */
    requester: z.string(),
    language: Language,
    request_id: z.string(),
  }),
  password_reset: z.strictObject({
    user_id: z.int(),
    reset_token_id: z.int(),
    /** Sealed. */
    token: z.string(),
    language: Language,
  }),
  /** A caller requested a verification link for an address, known or not. */
  email_verification_requested: z.strictObject({
    /** Sealed {@link LinkRequester}. */
    requester: z.string(),
    language: Language,
    request_id: z.string(),
  }),
  email_verification: z.strictObject({
    user_id: z.int(),
    verification_token_id: z.int(),
    /** Sealed. */
    token: z.string(),
    language: Language,
  }),
  invitation: z.strictObject({
    invitation_uuid: z.uuid(),
    /** Sealed. */
    token: z.string(),
    language: Language,
  }),
  password_changed: z.strictObject({
    user_id: z.int(),
    changed_at: z.iso.datetime(),
    language: Language,
  }),
  /** A user asks the clinic's support for help. */
  support_request: z.strictObject({
    user_id: z.int(),
    case_uuid: z.uuid().nullable(),
    /** Sealed. */
    message: z.string(),
    language: Language,
    requested_at: z.iso.datetime(),
  }),
  /** A user asks for the link to an answer. */
  case_answer_link: z.strictObject({
    user_id: z.int(),
    case_uuid: z.uuid(),
    language: Language,
    requested_at: z.iso.datetime(),
  }),
} as const;

export type MailTopic = keyof typeof mailPayloads;
export type MailPayload<Topic extends MailTopic> = z.infer<(typeof mailPayloads)[Topic]>;

/** Binds a sealed value to the message that carries it. */
export function sealPurpose(dedupeKey: string): string {
  return `outbox_messages/${dedupeKey}`;
}

/** @throws {FieldCryptoError} */
export async function openSealed(
  fieldCrypto: FieldCrypto,
  message: { dedupeKey: string },
  sealed: string,
): Promise<string> {
  return await fieldCrypto.open(sealed, sealPurpose(message.dedupeKey));
}
