import type { Language } from '../../../contract/language.ts';
import { createOpaqueToken } from '../../../lib/auth/opaque-token.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import type { FieldCrypto } from '../../../lib/crypto/field-crypto.ts';
import { enqueueLinkMail } from '../../announce/mails/enqueue-mails.ts';
import { replaceVerificationToken } from './verification-token.queries.ts';

/**
 * A token for the address of an account, which supersedes the ones before, and the mail with its link where a mail
 * server is configured.
 *
 * @returns the token, for the log of a laptop.
 */
export async function addVerification(
  tx: Tx,
  fieldCrypto: FieldCrypto,
  account: {
    tenantId: number;
    userId: number;
    email: string;
    language: Language;
    now: Date;
    byMail: boolean;
  },
): Promise<string> {
  const { byMail, language, ...owner } = account;
  const { token, hash } = createOpaqueToken('verification');
  const verificationTokenId = await replaceVerificationToken(tx, { ...owner, hash });
  const { tenantId, userId } = owner;
  if (byMail) {
    const row = {
      topic: 'email_verification',
      user_id: userId,
      verification_token_id: verificationTokenId,
    } as const;
    await enqueueLinkMail(tx, fieldCrypto, row, { tenantId, token, language });
  }
  return token;
}
