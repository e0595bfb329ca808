// A session at the gateway: logs in, and renews its tokens in time however many calls want one at once.
import { z } from 'zod';

const Tokens = z.object({ access_token: z.string(), refresh_token: z.string(), expires_in: z.number() });

export type Credentials = { email: string; password: string };

export type Session = {
  /** An access token that is good for a while. */
  token(): Promise<string>;
  /** A newer one than `refused`, which the gateway did not take. */
  newerThan(refused: string): Promise<string>;
};

/** A token is renewed this long before its end, or at half its life if that is shorter. */
const MARGIN_MS = 60_000;

/** @throws {Error} when nothing answers or the login is refused. */
export async function logIn(url: string, { email, password }: Credentials): Promise<Session> {
  let tokens = await exchange('login', { email, password });
  // A refresh token works once: a second use would end the session, so everybody waits for the one exchange.
  let renewal: Promise<void> | undefined;

  async function exchange(route: 'login' | 'refresh', body: object) {
    const sentAt = performance.now();
    let reply: Response;
    try {
      reply = await fetch(new URL(`/api/auth/${route}`, url), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        redirect: 'error',
      });
    } catch (error) {
      throw new Error(`No gateway answers at ${url}. npm start starts one.`, { cause: error });
    }
    const text = await reply.text();
    if (reply.status !== 200)
      throw new Error(`The ${route} as ${email} is refused (${reply.status}): ${text}`);
    const { access_token, refresh_token, expires_in } = Tokens.parse(JSON.parse(text));
    const lifeMs = expires_in * 1000;
    return { access_token, refresh_token, renewAt: sentAt + Math.max(lifeMs - MARGIN_MS, lifeMs / 2) };
  }

  async function renew(): Promise<void> {
    renewal ??= exchange('refresh', { refresh_token: tokens.refresh_token })
      .then((next) => void (tokens = next))
      .finally(() => (renewal = undefined));
    await renewal;
  }

  return {
    async token() {
      if (performance.now() >= tokens.renewAt) await renew();
      return tokens.access_token;
    },
    async newerThan(refused) {
      if (tokens.access_token === refused) await renew();
      return tokens.access_token;
    },
  };
}
