import { Me } from '../../contract/account.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const getMe = endpoint({
  name: 'getMe',
  method: 'GET',
  route: 'api/auth/me',
  tag: 'Authentication',
  summary: 'Get my account, profile and tenant',
  description:
    'The account as it is now, with its tenant and, for a physician, the profile. Useful after a start of ' +
    'the app, to check that the stored tokens are still valid.',
  auth: 'any',
  audit: 'none',
  reply: { status: 200, description: 'User, physician profile and tenant.', body: Me },
  problems: [],
  async handler({ actor }) {
    // Found together with the session, as it is now.
    return actor.account;
  },
});
