import { createDermagate, type DermagateOptions, inMemory, type TokenPair } from '../src/index.ts';

/** The pair that stands `count` refreshes after the login: `access-0` with `refresh-0`, and so on. */
export const pair = (count: number): TokenPair => ({
  access_token: `access-${count}`,
  refresh_token: `refresh-${count}`,
  token_type: 'bearer',
  expires_in: 1800,
});

/** The same of a user whom the client can read from it. */
export const pairOf = (sub: string, count = 1): TokenPair => ({
  ...pair(count),
  access_token: `header.${btoa(JSON.stringify({ sub }))}.${count}`,
});

export const problem = (status: number, code: string, headers: Record<string, string> = {}): Response =>
  Response.json(
    { type: `urn:dermagate:problem:${code}`, title: code, status, code, requestId: 'r' },
    { status, headers: { 'content-type': 'application/problem+json', ...headers } },
  );

export interface Sent {
  method: string;
  path: string;
  authorization: string | null;
  /** When, in milliseconds of `Date`. */
  at: number;
  request: Request;
}

/**
 * A gateway that accepts one access token and exchanges the refresh token that goes with it. `refreshes` are answers to
 * give to the next refreshes instead; `replies` to all else, by path.
 */
export function scriptedGateway() {
  const gateway = {
    accepted: pair(1),
    refreshes: [] as (() => Response | Promise<Response>)[],
    replies: {} as Record<string, (request: Request) => Response | Promise<Response>>,
    sent: [] as Sent[],
    to: (path: string) => gateway.sent.filter((sent) => sent.path === path),
    fetch: async (request: Request): Promise<Response> => {
      request.signal.throwIfAborted();
      const { pathname: path } = new URL(request.url);
      const authorization = request.headers.get('authorization');
      gateway.sent.push({ method: request.method, path, authorization, at: Date.now(), request });
      // Answers take a while, so that concurrent requests overlap.
      await new Promise((resolve) => setImmediate(resolve));
      if (path === '/api/auth/refresh') return await exchange(request);
      const reply = gateway.replies[path];
      if (reply !== undefined) return await reply(request);
      if (authorization === null) return problem(401, 'authentication_required');
      if (authorization !== `Bearer ${gateway.accepted.access_token}`) return problem(401, 'token_expired');
      return Response.json({ uuid: 'me' });
    },
  };

  async function exchange(request: Request): Promise<Response> {
    const scripted = gateway.refreshes.shift();
    if (scripted !== undefined) return await scripted();
    const { refresh_token: presented } = (await request.json()) as { refresh_token: string };
    const count = Number(presented.replace('refresh-', ''));
    if (count + 1 !== Number(gateway.accepted.refresh_token.replace('refresh-', ''))) {
      return problem(401, 'refresh_token_invalid');
    }
    return Response.json(gateway.accepted);
  }

  return gateway;
}

/** A client whose access token has expired, and the gateway that it talks to. */
export function signedInClient(options: Partial<DermagateOptions> = {}) {
  const gateway = scriptedGateway();
  const tokens = options.tokens ?? inMemory(pair(0));
  let signedOut = 0;
  const api = createDermagate({
    baseUrl: 'https://gateway.example',
    fetch: gateway.fetch,
    onSignedOut: () => void (signedOut += 1),
    ...options,
    tokens,
  });
  return { api, gateway, tokens, signedOut: () => signedOut };
}
