import { z } from 'zod';
import { enqueueResetRequest } from '../../domain/mails/enqueue-mails.ts';
import { resetMailRules } from '../../domain/throttle/auth-limits.ts';
import { reserveAttempt } from '../../domain/throttle/throttle.ts';
import { Email } from '../../domain/users/user.schemas.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { Message } from '../../lib/http/message.ts';

export const requestPasswordReset = endpoint({
  name: 'requestPasswordReset',
  method: 'POST',
  route: 'api/auth/request-reset',
  tag: 'Authentication',
  summary: 'Have a link for a new password mailed',
  description:
    'Answers the same, in the same time, whether or not the address is registered: the address is only noted here, and ' +
    'looked up when the mail is made. The mail comes in the language of the request. At most 3 mails an hour go to one ' +
    'address; further requests are answered in the same way and send nothing.',
  auth: 'public',
  audit: 'none',
  reads: ['lang'],
  body: z
    .strictObject({ email: Email })
    .meta({ id: 'PasswordResetRequest', description: 'Whose password is forgotten.' }),
  reply: {
    status: 200,
    description: 'Always the same.',
    body: Message,
  },
  problems: [],
  async handler({ body: { email }, config, log, db, outbox, fieldCrypto, throttleKey, request }) {
    const wait = await reserveAttempt(db, resetMailRules(throttleKey, email), request.receivedAt);
    // In development the log has the token.
    const canAnswer = config.MAIL_URL !== undefined || !config.production;
    if (wait === 0 && !canAnswer) log.error('mail_not_configured');
    else if (wait === 0) {
      const { id: requestId, language, ipPrefix } = request;
      await enqueueResetRequest(db, fieldCrypto, { email, language, requestId, ipPrefix });
      outbox.kick();
    }
    return { message: 'If the address is registered, a mail with a link is on its way.' };
  },
});
