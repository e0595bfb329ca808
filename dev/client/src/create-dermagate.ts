import createClient, { type Client, type ClientOptions } from 'openapi-fetch';
import type { LoginRequest, paths, RegistrationRequest } from './schema.ts';
import { type Fetch, keepSignedIn, type RefreshReply } from './session.ts';
import { toBody } from './to-body.ts';
import { isTokenPair, type TokenStore } from './token-store.ts';

export interface DermagateOptions extends Omit<ClientOptions, 'fetch' | 'bodySerializer'> {
  /** Where the gateway is, such as `https://api.example.org`; empty in a browser for the page's own origin. */
  baseUrl: string;
  /** Where the tokens are kept: `inMemory()`, `inWebStorage(localStorage)` or a store of your own. */
  tokens: TokenStore;
  /** Instead of the platform's `fetch`. */
  fetch?: Fetch;
  /** The session has ended without a logout here: it is time for the login page. The tokens are forgotten already. */
  onSignedOut?: () => void;
}

export type Dermagate = ReturnType<typeof createDermagate>;

/**
 * A typed client of the gateway: `GET`, `POST` … of openapi-fetch, which answer `{ data, error, response }`, and what
 * opens and ends a session. Access tokens are sent and replaced by themselves.
 */
export function createDermagate(options: DermagateOptions) {
  const { tokens, fetch = (request) => globalThis.fetch(request), onSignedOut = () => {}, ...rest } = options;
  const client = { ...rest, bodySerializer: toBody };
  /** Without a token, and without the session's care. */
  const plain: Client<paths> = createClient<paths>({ ...client, fetch });

  async function exchange(refreshToken: string): Promise<RefreshReply> {
    const { data, error, response } = await plain.POST('/api/auth/refresh', {
      body: { refresh_token: refreshToken },
    });
    if (!response.ok) return { error, response };
    if (!isTokenPair(data)) throw new TypeError('The refresh answered no pair of tokens.');
    return { pair: data, response };
  }

  const signedIn = createClient<paths>({
    ...client,
    fetch: keepSignedIn({ tokens, fetch, exchange, onSignedOut }),
  });

  return {
    ...signedIn,

    /** Opens a session and keeps its tokens. */
    async logIn(body: LoginRequest) {
      const result = await plain.POST('/api/auth/login', { body });
      if (result.data !== undefined) await tokens.save(result.data);
      return result;
    },

    /**
     * Makes an account, opens its first session and keeps its tokens. An admin who makes accounts for others uses
     * `POST('/api/auth/register')` and stays who they are.
     */
    async register(body: RegistrationRequest, query: { tenant?: string } = {}) {
      const result = await plain.POST('/api/auth/register', { body, params: { query } });
      if (result.data !== undefined) await tokens.save(result.data);
      return result;
    },

    /** Forgets the tokens and ends their session. Without a network it ends here only, and the call rejects. */
    async logOut(): Promise<void> {
      const pair = await tokens.load();
      await tokens.clear();
      if (pair === undefined) return;
      await plain.POST('/api/auth/logout', { body: { refresh_token: pair.refresh_token } });
    },
  };
}
