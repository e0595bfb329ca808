import type { Actor } from '../../../contract/actor.ts';
import type { Context } from '../../../lib/app/context.ts';
import { enqueueLinkRequest } from '../../announce/mails/enqueue-mails.ts';
import { admitMailRequest } from '../../platform/throttle/auth-limits.ts';

/**
 * Requests a mail with a link to set a new password. Does the same for every address: whether it is registered is read when
 * the mail is made, after the reply has left.
 * @throws {Problem} `rate_limited`
 */
export async function requestPasswordReset(
  context: Context,
  _actor: Actor,
  { email }: { email: string },
): Promise<void> {
  if (!(await admitMailRequest(context, 'reset_mail', email))) return;
  const { db, fieldCrypto, outbox, request } = context;
  const { id: requestId, language, ipPrefix } = request;
  await enqueueLinkRequest(db, fieldCrypto, 'password_reset_requested', {
    email,
    language,
    requestId,
    ipPrefix,
  });
  outbox.kick();
}
