import { z } from 'zod';
import { verifyEmail as verify } from '../../domain/membership/users/verify-email.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { Message } from '../../lib/http/message.ts';

export const verifyEmail = endpoint({
  name: 'verifyEmail',
  method: 'POST',
  route: 'api/auth/verify-email',
  tag: 'Authentication',
  summary: 'Verify my email address with a token from a mail',
  description:
    'The token works once, for 24 hours, and only while the account has the address that the mail went to. Needs no access ' +
    'token and opens no session. By POST only, because mail scanners open links.',
  auth: 'public',
  audit: { category: 'auth', success: 'email_verified', refusal: 'email_verification_fail' },
  body: z
    .strictObject({ token: z.string().meta({ description: 'From the link in the mail.' }) })
    .meta({ id: 'EmailVerification', description: 'The token from the mail.' }),
  reply: { status: 200, description: 'The address is verified.', body: Message },
  problems: ['verification_invalid', 'rate_limited'],
  async handler({ context, actor, body }) {
    await verify(context, actor, body);
    return { message: 'The email address is verified.' };
  },
});
