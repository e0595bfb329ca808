import { z } from 'zod';
import { logIn as openSession } from '../../domain/identity/sessions/log-in.ts';
import { TokenPair } from '../../domain/identity/sessions/token-pair.ts';
import { Email, PresentedPassword } from '../../domain/identity/users/user.schemas.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const logIn = endpoint({
  name: 'logIn',
  method: 'POST',
  route: 'api/auth/login',
  tag: 'Authentication',
  summary: 'Open a session with email and password',
  description:
    'Opens a new session beside those that are open already. The answer takes as long for an address that is not ' +
    'registered as for a wrong password. In 15 minutes, one address may fail 10 times from one network and one network 100 ' +
    'times; one address may fail 100 times a day from everywhere, and one network may try 200 addresses a day in vain. A ' +
    'reset unlocks the address. In a network where a session of the account was used in the last 30 days, only the first ' +
    'of these limits holds.',
  auth: 'public',
  audit: { category: 'auth', success: 'authn_login_success', refusal: 'authn_login_fail' },
  body: z
    .strictObject({ email: Email, password: PresentedPassword })
    .meta({ id: 'LoginRequest', description: 'Credentials.' }),
  reply: { status: 200, description: 'A new session.', body: TokenPair },
  problems: ['invalid_credentials', 'account_inactive', 'rate_limited', 'busy'],
  async handler({ context, actor, body }) {
    return await openSession(context, actor, body);
  },
});
