import { z } from 'zod';
import { requestPasswordReset as requestReset } from '../../domain/identity/users/request-password-reset.ts';
import { Email } from '../../domain/identity/users/user.schemas.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { Message } from '../../lib/http/message.ts';

export const requestPasswordReset = endpoint({
  name: 'requestPasswordReset',
  method: 'POST',
  route: 'api/auth/request-reset',
  tag: 'Authentication',
  summary: 'Send a password-reset link',
  description:
    'Answers the same, in the same time, whether or not the address is registered: the address is only stored here, and ' +
    'looked up when the mail is composed. The mail comes in the language of the request. At most 3 mails an hour go to one ' +
    'address; further requests are answered in the same way and send nothing. One network may ask 60 times an hour.',
  auth: 'public',
  audit: 'none',
  reads: ['lang'],
  body: z
    .strictObject({ email: Email })
    .meta({ id: 'PasswordResetRequest', description: 'Email address of the account.' }),
  reply: {
    status: 200,
    description: 'Always the same.',
    body: Message,
  },
  problems: ['rate_limited'],
  async handler({ context, actor, body }) {
    await requestReset(context, actor, body);
    return { message: 'If the address is registered, a mail with a link is on its way.' };
  },
});
