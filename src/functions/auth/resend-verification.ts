import { z } from 'zod';
import { enqueueVerificationRequest } from '../../domain/platform/mails/enqueue-mails.ts';
import { mailRequestRules, mailRules } from '../../domain/identity/throttle/auth-limits.ts';
import { requireAttempt, reserveAttempt } from '../../domain/identity/throttle/throttle.ts';
import { Email } from '../../domain/identity/users/user.schemas.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { Message } from '../../lib/http/message.ts';

export const resendVerification = endpoint({
  name: 'resendVerification',
  method: 'POST',
  route: 'api/auth/verify-email/resend',
  tag: 'Authentication',
  summary: 'Send a link that verifies an email address',
  description:
    'Answers the same, in the same time, whether or not the address is registered or verified already. The newest link ' +
    'replaces the ones before. At most 3 mails an hour go to one address; further requests are answered in the same way and ' +
    'send nothing. One network may ask 60 times an hour.',
  auth: 'public',
  audit: 'none',
  reads: ['lang'],
  body: z
    .strictObject({ email: Email })
    .meta({ id: 'VerificationRequest', description: 'Email address of the account.' }),
  reply: { status: 200, description: 'Always the same.', body: Message },
  problems: ['rate_limited'],
  async handler({ body: { email }, context }) {
    const { config, log, db, outbox, fieldCrypto, throttleKey, request } = context;
    const { id: requestId, receivedAt: now, language, ipPrefix } = request;
    await requireAttempt(db, mailRequestRules(config, throttleKey, 'verification_mail', ipPrefix), now);
    const wait = await reserveAttempt(db, mailRules(config, throttleKey, 'verification_mail', email), now);
    // In development the log has the token.
    const canAnswer = config.MAIL_URL !== undefined || !config.production;
    if (wait === 0 && !canAnswer) log.error('mail_not_configured');
    else if (wait === 0) {
      await enqueueVerificationRequest(db, fieldCrypto, { email, language, requestId, ipPrefix });
      outbox.kick();
    }
    return { message: 'If the address is registered and not verified, a mail with a link is on its way.' };
  },
});
