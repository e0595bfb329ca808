import { importPKCS8, SignJWT } from 'jose';
import { z } from 'zod';
import type { Clock } from '../../contract/clock.ts';
import type { ServiceAccount } from './push-keys.ts';
import type { PushTransport } from './push-transport.ts';

const TokenReply = z.object({ access_token: z.string().min(1), expires_in: z.number().positive() });

const scope = 'https://www.googleapis.com/auth/firebase.messaging';
/** Before its end an access token is exchanged for a new one. */
const marginSeconds = 300;

export interface AccessTokens {
  get(): Promise<string>;
  /** The provider no longer accepts the token. */
  forget(): void;
}

/**
 * Access tokens for a service account, by a signed assertion (RFC 7523). `jose`, which is here anyway, signs it in a line;
 * `google-auth-library` would bring an HTTP client and the detection of Google's own machines along.
 */
export function createAccessTokens(
  account: ServiceAccount,
  transport: PushTransport,
  clock: Clock,
): AccessTokens {
  let current: Promise<{ token: string; until: number }> | undefined;

  async function request() {
    const issuedAt = Math.floor(clock.now().getTime() / 1000);
    const key = await importPKCS8(account.private_key, 'RS256');
    const assertion = await new SignJWT({ scope })
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
      .setIssuer(account.client_email)
      .setAudience(account.token_uri)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + 3600)
      .sign(key);
    const form = new URLSearchParams({
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion,
    });
    const url = new URL(account.token_uri);
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const reply = await transport.post(url, headers, form.toString());
    if (reply.status !== 200) throw transport.delay(url, reply, 10);
    const { access_token: token, expires_in: seconds } = TokenReply.parse(JSON.parse(reply.text));
    return { token, until: (issuedAt + seconds - marginSeconds) * 1000 };
  }

  function renew() {
    const requested = request();
    requested.catch(() => {
      if (current === requested) current = undefined;
    });
    return requested;
  }

  return {
    async get() {
      const seen = current;
      const known = await seen;
      if (known !== undefined && known.until > clock.now().getTime()) return known.token;
      // Callers at the same time wait for one request.
      if (current === seen) current = renew();
      return (await (current ?? renew())).token;
    },
    forget: () => void (current = undefined),
  };
}
