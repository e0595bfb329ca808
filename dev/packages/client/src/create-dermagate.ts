import createClient, { type ClientOptions, mergeHeaders } from 'openapi-fetch';
import type { Calls, Reply } from './calls.ts';
import { type FollowOptions, followSession, type SessionEvent } from './follow-session.ts';
import { type CallOptions, type GroupedCalls, groupedCalls } from './grouped-calls.ts';
import { withRetry } from './with-retry.ts';
import type { LoginRequest, paths, RegistrationRequest } from './schema.ts';
import { type Fetch, keepSignedIn, type RefreshReply } from './session.ts';
import { toBody } from './to-body.ts';
import { isTokenPair, type TokenStore } from './token-store.ts';

/** Milliseconds. A silently dead connection must not block all requests of all tabs. */
const REFRESH_TIMEOUT = 30_000;

export interface DermagateOptions extends Omit<ClientOptions, 'fetch' | 'bodySerializer' | 'requestInitExt'> {
  /** Address of the gateway, such as `https://api.example.org`; empty in a browser for the page's own origin. */
  baseUrl: string;
  /** Storage of the tokens: `inMemory()`, `inIndexedDb()` or your own store. */
  tokens: TokenStore;
  /** Instead of the platform's `fetch`. */
  fetch?: Fetch;
  /**
   * Called when the session ends without a logout here: show the login page. The tokens are already removed.
   * `session_replaced`: because of another login, as the account may have one session only.
   */
  onSignedOut?: (reason?: 'session_replaced') => void;
}

/** A caller without a token names the tenant; `lang` is the language of the mails to the new account. */
type RegistrationQuery = NonNullable<paths['/api/auth/register']['post']['parameters']['query']>;

/** The calls of the gateway by path and by noun, and what opens and ends a session. */
export interface Dermagate extends Calls, GroupedCalls {
  /** Opens a session and stores its tokens. */
  logIn(body: LoginRequest, options?: CallOptions): Promise<Reply<'post', '/api/auth/login'>>;
  /**
   * Creates an account, opens its first session and stores its tokens. An admin who creates accounts for others and stays
   * signed in uses `POST('/api/auth/register')`.
   */
  register(
    body: RegistrationRequest,
    query?: RegistrationQuery,
    options?: CallOptions,
  ): Promise<Reply<'post', '/api/auth/register'>>;
  /**
   * What happens to the session of a physician or an admin and to their cases, for `for await`: `hello` first, then each event
   * once. It reconnects by itself, and ends with the session or by `signal`; rejects for what no wait can change.
   */
  followSession(options?: FollowOptions): AsyncGenerator<SessionEvent, void, void>;
  /**
   * Removes the tokens, then ends their session at the gateway, in up to four attempts. Returns undefined when no user was
   * signed in; rejects when no reply arrived.
   */
  logOut(): Promise<Reply<'post', '/api/auth/logout'> | undefined>;
}

/**
 * A typed client of the gateway: `GET`, `POST`, `PUT`, `PATCH` and `DELETE` of openapi-fetch, which return `{ data, error, response }` and
 * reject only without a reply; the same by noun, such as `cases.create`. The client sends access tokens and refreshes them.
 */
export function createDermagate(options: DermagateOptions): Dermagate {
  const { tokens, fetch = (request) => globalThis.fetch(request), onSignedOut = () => {}, ...rest } = options;
  const signedIn = keepSignedIn({ tokens, fetch, exchange, onSignedOut });
  const client = createClient<paths>({ ...rest, bodySerializer: toBody, fetch: signedIn }) as Calls;
  // Calls that open, refresh or end a session use the bare `fetch`, without an access token or a refresh.

  async function exchange(refreshToken: string): Promise<RefreshReply> {
    const body = { refresh_token: refreshToken };
    const signal = AbortSignal.timeout(REFRESH_TIMEOUT);
    const { data, error, response } = await client.POST('/api/auth/refresh', { body, fetch, signal });
    if (!response.ok) return { error, response };
    if (!isTokenPair(data)) throw new TypeError('The reply to the refresh contains no pair of tokens.');
    return { pair: data, response };
  }

  return {
    ...client,
    ...groupedCalls(client),

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

    followSession(options) {
      const url = `${rest.baseUrl}/api/v1/backoffice/unique-sessions/connect`;
      return followSession({ url, headers: mergeHeaders(rest.headers), fetch: signedIn }, options);
    },

    async logOut() {
      const pair = await tokens.load();
      await tokens.clear();
      if (pair === undefined) return undefined;
      const body = { refresh_token: pair.refresh_token };
      // So that the request completes even when the page navigates to the login page.
      const keepalive = true;
      return await withRetry(() => client.POST('/api/auth/logout', { body, fetch, keepalive }));
    },
  };
}
