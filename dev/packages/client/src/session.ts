import { withRetry } from './with-retry.ts';
import { isProblem } from './problem.ts';
import type { TokenPair } from './schema.ts';
import { subjectOf } from './subject-of.ts';
import type { TokenStore } from './token-store.ts';

export type Fetch = (request: Request) => Promise<Response>;
/** `send` replaces the `fetch` that the request goes by. */
export type SignedFetch = (request: Request, send?: Fetch) => Promise<Response>;

/** The reply of POST /api/auth/refresh: a new pair, or an error. */
export type RefreshReply = { response: Response; pair: TokenPair } | { response: Response; error: unknown };

export interface SessionOptions {
  tokens: TokenStore;
  fetch: Fetch;
  /** Exchanges a refresh token for a new pair; rejects without a usable reply. */
  exchange: (refreshToken: string) => Promise<RefreshReply>;
  onSignedOut: (reason?: 'session_replaced') => void;
}

/**
 * The pair to continue with, and the pair that this client exchanged for it; or the failed reply to return; undefined when
 * no user is signed in anymore.
 */
type Outcome = { pair: TokenPair; replaced?: TokenPair } | { failure: () => Response } | undefined;

/**
 * A fetch that sends the stored access token and, when the gateway refuses it, refreshes the pair and sends the request
 * once more. Requests with their own `Authorization` pass unchanged.
 */
export function keepSignedIn({ tokens, fetch, exchange, onSignedOut }: SessionOptions): SignedFetch {
  let refreshing: Promise<Outcome> | undefined;

  async function refresh(sent: TokenPair): Promise<Outcome> {
    const reply = await withRetry(() => exchange(sent.refresh_token));
    if ('pair' in reply) {
      if (await tokens.replace(sent, reply.pair)) return { pair: reply.pair, replaced: sent };
    } else if (isProblem(reply.error) && reply.error.code === 'refresh_token_invalid') {
      if (await tokens.replace(sent, undefined)) {
        const { reason } = reply.error as { reason?: 'session_replaced' };
        onSignedOut(reason);
        return undefined;
      }
    } else if ((await tokens.load())?.refresh_token === sent.refresh_token) {
      const { error, response } = reply;
      const { status, headers } = response;
      return { failure: () => new Response(JSON.stringify(error), { status, headers }) };
    }
    // A login, a logout or another tab was faster: its pair wins.
    const now = await tokens.load();
    return now && { pair: now };
  }

  /** Loads the pair again first: another tab may have replaced it while this one waited for the lock. */
  async function replace(used: TokenPair): Promise<Outcome> {
    const now = await tokens.load();
    if (now === undefined) return undefined;
    return now.access_token === used.access_token ? await refresh(now) : { pair: now };
  }

  const inTurn = (work: () => Promise<Outcome>) => tokens.exclusively?.(work) ?? work();

  return async (request, send = fetch) => {
    if (request.headers.has('authorization')) return await send(request);
    const used = await tokens.load();
    if (used === undefined) return await send(request);
    // Cloned, because a body can be read only once.
    const reply = await send(withToken(request.clone(), used));
    if (!(await isTokenRefused(reply))) return reply;
    refreshing ??= inTurn(() => replace(used)).finally(() => (refreshing = undefined));
    const outcome = await unlessAborted(refreshing, request.signal);
    if (outcome === undefined) return reply;
    if ('failure' in outcome) return outcome.failure();
    const { pair, replaced } = outcome;
    // A request of one user must not be sent as another user who has signed in meanwhile.
    const isSameUser = replaced?.access_token === used.access_token || subjectOf(pair) === subjectOf(used);
    return isSameUser ? await send(withToken(request, pair)) : reply;
  };
}

function withToken(request: Request, { access_token: token }: TokenPair): Request {
  request.headers.set('authorization', `Bearer ${token}`);
  return request;
}

/** Not every 401 concerns the access token: a wrong password is one too. */
async function isTokenRefused(reply: Response): Promise<boolean> {
  if (reply.status !== 401) return false;
  const problem: unknown = await reply
    .clone()
    .json()
    .catch(() => undefined);
  return isProblem(problem) && (problem.code === 'token_expired' || problem.code === 'token_invalid');
}

/** An abort ends only the wait of one caller; the refresh continues for the others. */
function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort);
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
