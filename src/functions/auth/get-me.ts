import { Me } from '../../domain/identity/users/account.schemas.ts';
import { readAccount } from '../../domain/identity/users/read-account.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const getMe = endpoint({
  name: 'getMe',
  method: 'GET',
  route: 'api/auth/me',
  tag: 'Authentication',
  summary: 'Who I am',
  description:
    'The user as the database knows it now, with the tenant, and with the profile of a physician. Of use after a start of ' +
    'the app, to find out whether the stored tokens still hold.',
  auth: 'any',
  audit: 'none',
  reply: { status: 200, description: 'User, physician profile and tenant.', body: Me },
  problems: [],
  async handler({ context, actor }) {
    return await readAccount(context, actor);
  },
});
