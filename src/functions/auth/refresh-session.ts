import { z } from 'zod';
import { refreshSession as refresh } from '../../domain/identity/sessions/refresh-session.ts';
import { TokenPair } from '../../domain/identity/sessions/token-pair.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const refreshSession = endpoint({
  name: 'refreshSession',
  method: 'POST',
  route: 'api/auth/refresh',
  tag: 'Authentication',
  summary: 'Exchange a refresh token for a new pair',
  description:
    'A refresh token works once. Of several uses at the same time one succeeds and the others are 401; the session lives ' +
    'on. A use after the exchange ends the whole session, because a second party has a copy. Where the operator has set ' +
    '`REFRESH_REPLAY_GRACE_SECONDS`, the same token gets the same successor again within that time. Keep both tokens on a ' +
    'network error, 429 or 5xx, and try the same refresh token again; log out only on `refresh_token_invalid`. A session is ' +
    'refreshed 120 times an hour at most; one network may send 100 unknown tokens in 15 minutes.',
  auth: 'public',
  audit: { category: 'auth', success: 'session_renewed', refusal: 'session_renewal_fail' },
  body: z
    .strictObject({ refresh_token: z.string().meta({ description: 'The refresh token of the last pair.' }) })
    .meta({ id: 'RefreshRequest', description: 'The token to exchange.' }),
  reply: { status: 200, description: 'The next pair; the presented token is used up.', body: TokenPair },
  problems: ['refresh_token_invalid', 'rate_limited'],
  async handler({ context, actor, body }) {
    return await refresh(context, actor, body);
  },
});
