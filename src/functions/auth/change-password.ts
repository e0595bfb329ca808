import { z } from 'zod';
import { changePassword as replacePassword } from '../../domain/identity/users/change-password.ts';
import { NewPassword, PresentedPassword } from '../../domain/identity/users/user.schemas.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { Message } from '../../lib/http/message.ts';

export const changePassword = endpoint({
  name: 'changePassword',
  method: 'POST',
  route: 'api/auth/change-password',
  tag: 'Authentication',
  summary: 'Replace my password',
  description:
    'All my other sessions end and I get a mail; the current session continues. A session may send 10 wrong current ' +
    'passwords in 15 minutes, and 100 in a day; they do not count against `login`.',
  auth: 'any',
  audit: { category: 'auth', success: 'authn_password_change', refusal: 'authn_password_change_fail' },
  reads: ['lang'],
  body: z
    .strictObject({ current_password: PresentedPassword, new_password: NewPassword })
    .meta({ id: 'PasswordChange', description: 'The current and the new password.' }),
  reply: {
    status: 200,
    description: 'The password is replaced.',
    body: Message,
  },
  problems: ['current_password_invalid', 'password_unchanged', 'rate_limited', 'busy'],
  async handler({ context, actor, body }) {
    await replacePassword(context, actor, body);
    return { message: 'The password has been changed.' };
  },
});
