import { z } from 'zod';
import { resetPassword as replacePassword } from '../../domain/membership/users/reset-password.ts';
import { NewPassword } from '../../domain/identity/users/user.schemas.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { Message } from '../../lib/http/message.ts';

export const resetPassword = endpoint({
  name: 'resetPassword',
  method: 'POST',
  route: 'api/auth/reset-password',
  tag: 'Authentication',
  summary: 'Set a new password with a token from a mail',
  description:
    'The token works once. All sessions of the account end, a lock after failed logins is lifted, and the owner ' +
    'gets a mail. A refused password does not use the token up.',
  auth: 'public',
  audit: { category: 'auth', success: 'authn_password_change', refusal: 'authn_password_change_fail' },
  reads: ['lang'],
  body: z
    .strictObject({
      token: z.string().meta({ description: 'From the link in the mail; valid for 24 hours.' }),
      new_password: NewPassword,
    })
    .meta({ id: 'PasswordReset', description: 'The token from the mail and the new password.' }),
  reply: {
    status: 200,
    description: 'The password is replaced.',
    body: Message,
  },
  problems: ['reset_token_invalid', 'rate_limited', 'busy'],
  async handler({ context, actor, body }) {
    await replacePassword(context, actor, body);
    return { message: 'The password has been changed. Please log in.' };
  },
});
