import type { CallOptions, TenantOptions, TextOptions } from './call-options.ts';
import type { Calls } from './calls.ts';
import { errorOfNoReply, errorOfReply } from './dermagate-error.ts';
import { type NamedCalls, ofTenant } from './named-calls.ts';
import type { LoginRequest, RegistrationRequest, TokenPair } from './schema.ts';
import type { Fetch } from './session.ts';
import { subjectOf } from './subject-of.ts';
import type { SessionChanges } from './session-changes.ts';
import type { TokenStore } from './token-store.ts';
import { withRetry } from './with-retry.ts';

interface SessionParts {
  calls: Calls;
  named: NamedCalls;
  tokens: TokenStore;
  /** Without access token and refresh: calls that open or end a session send none. */
  fetch: Fetch;
  changes: SessionChanges;
}

/** What opens, shows and ends sessions. */
export function sessionCalls({ calls, named, tokens, fetch, changes }: SessionParts) {
  const { get, post, delete: remove, inLanguage } = named;

  async function open(pair: TokenPair): Promise<TokenPair> {
    const before = await tokens.load();
    await tokens.save(pair);
    changes.notify(
      before === undefined || subjectOf(before) === subjectOf(pair) ? 'signed-in' : 'other-user',
    );
    return pair;
  }

  return {
    /** Opens a session and stores its tokens. */
    logIn: async (body: LoginRequest, options: CallOptions = {}) =>
      await open(await post('/api/auth/login', { body, fetch }, options)),

    /**
     * Creates an account, opens its first session and stores its tokens. `lang` is the language of the mails to it. An admin
     * who creates accounts for others and stays signed in uses `users.create`.
     */
    register: async (body: RegistrationRequest, options: TenantOptions & TextOptions = {}) => {
      const params = { query: { ...ofTenant(options), ...inLanguage(options) } };
      return await open(await post('/api/auth/register', { body, params, fetch }, options));
    },

    /** Whether tokens are stored; the gateway may have ended their session meanwhile. */
    isSignedIn: async (): Promise<boolean> => (await tokens.load()) !== undefined,

    /** The user of this session. */
    me: (options: CallOptions = {}) => get('/api/auth/me', {}, options),

    /** All open sessions of the user. */
    list: (options: CallOptions = {}) => get('/api/auth/sessions', {}, options),

    /** Ends one of them. */
    end: (id: string, options: CallOptions = {}) =>
      remove('/api/auth/sessions/{id}', { params: { path: { id } } }, options),

    /**
     * Removes the tokens, then ends their session at the gateway, in up to four attempts. Does nothing when no user is signed
     * in. When it rejects, the session ends at the gateway when its tokens expire.
     */
    async logOut(): Promise<void> {
      const pair = await tokens.load();
      await tokens.clear();
      if (pair === undefined) return;
      changes.notify('signed-out');
      const body = { refresh_token: pair.refresh_token };
      // So that the request completes even when the page navigates to the login page.
      const keepalive = true;
      const { error, response } = await withRetry(() =>
        calls.POST('/api/auth/logout', { body, fetch, keepalive }),
      ).catch((reason: unknown) => {
        throw errorOfNoReply(reason);
      });
      if (!response.ok) throw errorOfReply(error, response);
    },

    /** Ends all sessions of the user, this one included, and removes its tokens. */
    async logOutEverywhere(options: CallOptions = {}): Promise<void> {
      await post('/api/auth/logout-all', {}, options);
      await tokens.clear();
      changes.notify('signed-out');
    },

    /**
     * Calls `listener` when the session changes, in this tab or in another that shares the tokens.
     * @returns a function that removes the listener.
     */
    onChange: changes.onChange,
  };
}
