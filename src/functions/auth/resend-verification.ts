import { z } from 'zod';
import { resendVerification as resend } from '../../domain/identity/users/resend-verification.ts';
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
  async handler({ context, actor, body }) {
    await resend(context, actor, body);
    return { message: 'If the address is registered and not verified, a mail with a link is on its way.' };
  },
});
