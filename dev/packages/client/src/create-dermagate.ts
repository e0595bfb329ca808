import createClient, { type ClientOptions } from 'openapi-fetch';
import type { Calls, Reply } from './calls.ts';
import { withRetry } from './with-retry.ts';
import type { LoginRequest, paths, RegistrationRequest } from './schema.ts';
import { type Fetch, keepSignedIn, type RefreshReply } from './session.ts';
import { toBody } from './to-body.ts';
import { isTokenPair, type TokenStore } from './token-store.ts';

/** Milliseconds. A connection that is dead without saying so must not hold up all requests, nor all tabs. */
const REFRESH_TIMEOUT = 30_000;

export interface DermagateOptions extends Omit<ClientOptions, 'fetch' | 'bodySerializer' | 'requestInitExt'> {
  /** Where the gateway is, such as `https://api.example.org`; empty in a browser for the page's own origin. */
  baseUrl: string;
  /** Where the tokens are kept: `inMemory()`, `inIndexedDb()` or a store of your own. */
  tokens: TokenStore;
  /** Instead of the platform's `fetch`. */
  fetch?: Fetch;
  /** The session has ended without a logout here: show the login page. The tokens are forgotten already. */
  onSignedOut?: () => void;
}

/** Who registers without a token names the tenant; `lang` is the language of what is sent to them. */
type RegistrationQuery = NonNullable<paths['/api/auth/register']['post']['parameters']['query']>;

/** How long to wait is the caller's to say. */
interface CallOptions {
  signal?: AbortSignal;
}

/** The calls of the gateway, and what opens and ends a session. */
export interface Dermagate extends Calls {
  /** Opens a session and keeps its tokens. */
  logIn(body: LoginRequest, options?: CallOptions): Promise<Reply<'post', '/api/auth/login'>>;
  /**
   * Makes an account, opens its first session and keeps its tokens. An admin who makes accounts for others and stays
   * signed in uses `POST('/api/auth/register')`.
   */
  register(
    body: RegistrationRequest,
    query?: RegistrationQuery,
    options?: CallOptions,
  ): Promise<Reply<'post', '/api/auth/register'>>;
  /**
   * Forgets the tokens, then ends their session on the gateway, with a few attempts. Undefined when nobody was signed
   * in; rejects when there was no answer.
   */
  logOut(): Promise<Reply<'post', '/api/auth/logout'> | undefined>;
}

/**
 * A typed client of the gateway: `GET`, `POST` and `DELETE` of openapi-fetch, which answer `{ data, error, response }`
 * and reject only when there is no answer. Access tokens are sent and replaced by themselves.
 */
export function createDermagate(options: DermagateOptions): Dermagate {
  const { tokens, fetch = (request) => globalThis.fetch(request), onSignedOut = () => {}, ...rest } = options;
  const client = createClient<paths>({
    ...rest,
    bodySerializer: toBody,
    fetch: keepSignedIn({ tokens, fetch, exchange, onSignedOut }),
  }) as Calls;
  // What opens, keeps or ends a session goes by the bare `fetch`: without an access token and the session's care.

  async function exchange(refreshToken: string): Promise<RefreshReply> {
    const body = { refresh_token: refreshToken };
    const signal = AbortSignal.timeout(REFRESH_TIMEOUT);
    const { data, error, response } = await client.POST('/api/auth/refresh', { body, fetch, signal });
    if (!response.ok) return { error, response };
    if (!isTokenPair(data)) throw new TypeError('The refresh answered no pair of tokens.');
    return { pair: data, response };
  }

  return {
    ...client,

    async logIn(body, options) {
      const reply = await client.POST('/api/auth/login', { body, fetch, ...options });
      if (reply.data !== undefined) await tokens.save(reply.data);
      return reply;
    },

    async register(body, query = {}, options) {
      const reply = await client.POST('/api/auth/register', { body, params: { query }, fetch, ...options });
      if (reply.data !== undefined) await tokens.save(reply.data);
      return reply;
    },

    async logOut() {
      const pair = await tokens.load();
      await tokens.clear();
      if (pair === undefined) return undefined;
      const body = { refresh_token: pair.refresh_token };
      // It arrives although the page may leave for the login page at once.
      const keepalive = true;
      return await withRetry(() => client.POST('/api/auth/logout', { body, fetch, keepalive }));
    },
  };
}
