import createClient, { type ClientOptions } from 'openapi-fetch';
import type { RetryOptions } from './call-options.ts';
import type { Calls } from './calls.ts';
import { type NamedCalls, namedCalls } from './named-calls.ts';
import { accountCalls } from './patient/account-calls.ts';
import { configCalls, deviceCalls, supportCalls } from './patient/app-calls.ts';
import { caseCalls } from './patient/case-calls.ts';
import { imageCalls } from './patient/image-calls.ts';
import { diagnosisCalls, intakeCalls } from './patient/intake-calls.ts';
import { profileCalls } from './patient/profile-calls.ts';
import type { Language, paths } from './schema.ts';
import { sessionCalls } from './session-calls.ts';
import { sessionChanges } from './session-changes.ts';
import { type Fetch, keepSignedIn, type RefreshReply } from './session.ts';
import { subjectOf } from './subject-of.ts';
import { toBody } from './to-body.ts';
import { isTokenPair, type TokenStore } from './token-store.ts';
import { rememberUnstored } from './unstored-pair.ts';
import { fetchWithProgress, type ProgressListener, reportsProgress } from './upload.ts';

/**
 * Milliseconds. A silently dead connection must not block all requests of all tabs. Attempts that begin after 0, 11 and 23
 * seconds are within the 30 of `REFRESH_REPLAY_GRACE_SECONDS`, after which a repeated token ends the session.
 */
const REFRESH_TIMEOUT = 10_000;

export interface DermagateOptions extends Omit<ClientOptions, 'fetch' | 'bodySerializer' | 'requestInitExt'> {
  /** Address of the gateway, such as `https://api.example.org`; empty in a browser for the page's own origin. */
  baseUrl: string;
  /** Storage of the tokens: `inMemory()`, `inIndexedDb()` or your own store. */
  tokens: TokenStore;
  /** The language of texts, read at each named call. By default the browser's. */
  language?: () => Language | undefined;
  /** Milliseconds that each attempt of a named call may take; by default 30,000. */
  timeout?: number;
  /** For named calls that are safe to repeat; by default three attempts and waits of up to ten seconds. */
  retry?: RetryOptions | false;
  /** Instead of the platform's `fetch`. */
  fetch?: Fetch;
  /**
   * Called when the session ends without a logout here: show the login page. The tokens are already removed.
   * `session_replaced`: because of another login, as the account may have one session only.
   */
  onSignedOut?: (reason?: 'session_replaced') => void;
}

/** What further calls of the same client are made of, such as those of `staffCalls`. */
export interface Transport {
  named: NamedCalls;
  baseUrl: string;
  headers: ClientOptions['headers'];
  /** Sends the access token, and refreshes it. */
  fetch: Fetch;
  /** The user of the stored tokens; undefined while none is signed in. */
  user(): Promise<unknown>;
}

/**
 * A typed client of the gateway. Named methods, such as `cases.create`, resolve with the data of the reply and reject with a
 * `DermagateError`. `GET`, `POST`, `PUT`, `PATCH` and `DELETE` of openapi-fetch take a path, return `{ data, error, response }`
 * and reject only without a reply. The client sends access tokens and refreshes them.
 */
export function createDermagate(options: DermagateOptions) {
  const {
    tokens: store,
    fetch = (request) => globalThis.fetch(request),
    onSignedOut = () => {},
    language,
    timeout,
    retry,
    ...rest
  } = options;
  const tokens = rememberUnstored(store);
  const changes = sessionChanges(store.channel);
  const signedIn = keepSignedIn({
    tokens,
    fetch,
    exchange,
    onSignedOut(reason) {
      changes.notify(reason === 'session_replaced' ? 'replaced' : 'ended');
      onSignedOut(reason);
    },
  });
  const calls = createClient<paths>({
    ...rest,
    bodySerializer: toBody,
    fetch: (request) => signedIn(request),
  }) as Calls;
  const named = namedCalls(calls, upload, { language, timeout, retry, user });

  async function upload(request: Request, onProgress: ProgressListener): Promise<Response> {
    // A `fetch` of the app may do more than send, so it is not replaced.
    if (options.fetch === undefined && reportsProgress)
      return await signedIn(request, fetchWithProgress(onProgress));
    const response = await signedIn(request);
    onProgress(1);
    return response;
  }

  async function user(): Promise<unknown> {
    const pair = await tokens.load();
    return pair && subjectOf(pair);
  }

  /** Uses the bare `fetch`, without an access token or a refresh. */
  async function exchange(refreshToken: string): Promise<RefreshReply> {
    const body = { refresh_token: refreshToken };
    const signal = AbortSignal.timeout(REFRESH_TIMEOUT);
    const { data, error, response } = await calls.POST('/api/auth/refresh', { body, fetch, signal });
    if (!response.ok) return { error, response };
    if (!isTokenPair(data)) throw new TypeError('The reply to the refresh contains no pair of tokens.');
    return { pair: data, response };
  }

  const transport: Transport = {
    named,
    baseUrl: rest.baseUrl,
    headers: rest.headers,
    fetch: (request) => signedIn(request),
    user,
  };
  return {
    ...calls,
    session: sessionCalls({ calls, named, tokens, fetch, changes }),
    account: accountCalls(named),
    intake: intakeCalls(named),
    diagnosis: diagnosisCalls(named),
    images: imageCalls(named),
    cases: caseCalls(named),
    profiles: profileCalls(named),
    devices: deviceCalls(named),
    config: configCalls(named),
    support: supportCalls(named),
    transport,
  };
}

export type Dermagate = ReturnType<typeof createDermagate>;
