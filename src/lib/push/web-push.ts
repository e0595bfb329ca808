import { importJWK, SignJWT } from 'jose';
import type { Clock } from '../../contract/clock.ts';
import { collapseKey, PushGone, type PushMessage, PushRejected, secondsToLive } from './push-message.ts';
import { vapidPublicKey } from './push-keys.ts';
import type { PushTransport } from './push-transport.ts';
import { isAllowedEndpoint, readSubscription } from './subscription.ts';

export interface WebPushOptions {
  /** base64url of the 32 bytes of a P-256 key (RFC 8292). */
  privateKey: string;
  /** Whom a push service may contact about our messages: a `mailto:` or `https:` address. */
  subject: string;
  /** Hosts of push services. */
  hosts: readonly string[];
}

/** A push service may refuse a token of more than a day (RFC 8292 §2). */
const tokenSeconds = 12 * 60 * 60;
const throttledSeconds = 60;
const unavailableSeconds = 10;

/**
 * Web Push (RFC 8030, 8291, 8292). `@block65/webcrypto-web-push` encrypts; `jose` signs; the request is ours, because it
 * must not leave the hosts of push services.
 */
export function createWebPush(
  { privateKey, subject, hosts }: WebPushOptions,
  transport: PushTransport,
  clock: Clock,
) {
  const publicKey = vapidPublicKey(privateKey);
  /** By origin of the push service. */
  const signed = new Map<string, { token: string; until: number }>();

  async function tokenFor(origin: string): Promise<string> {
    const now = Math.floor(clock.now().getTime() / 1000);
    const known = signed.get(origin);
    if (known !== undefined && known.until > now) return known.token;
    const point = Buffer.from(publicKey, 'base64url');
    const key = await importJWK(
      {
        kty: 'EC',
        crv: 'P-256',
        x: point.subarray(1, 33).toString('base64url'),
        y: point.subarray(33).toString('base64url'),
        d: privateKey,
      },
      'ES256',
    );
    const token = await new SignJWT({ sub: subject })
      .setProtectedHeader({ alg: 'ES256', typ: 'JWT' })
      .setAudience(origin)
      .setExpirationTime(now + tokenSeconds)
      .sign(key);
    // Origins are few: those of the hosts that are allowed.
    if (signed.size >= 100) signed.clear();
    signed.set(origin, { token, until: now + tokenSeconds / 2 });
    return token;
  }

  return {
    publicKey,
    async send(token: string, message: PushMessage): Promise<void> {
      const subscription = readSubscription(token);
      // The list may be shorter than it was when the browser was registered.
      if (subscription === undefined || !isAllowedEndpoint(subscription.endpoint, hosts))
        throw new PushGone();
      const { encryptNotification } = await import('@block65/webcrypto-web-push');
      const url = new URL(subscription.endpoint);
      const body = await encryptNotification(
        { ...subscription, expirationTime: null },
        new TextEncoder().encode(render(message)),
      );
      const reply = await transport.post(
        url,
        {
          authorization: `vapid t=${await tokenFor(url.origin)}, k=${publicKey}`,
          ttl: String(secondsToLive(message, clock.now())),
          topic: collapseKey(message.key),
          urgency: message.isUrgent ? 'high' : 'normal',
          'content-encoding': 'aes128gcm',
          'content-type': 'application/octet-stream',
        },
        body,
      );
      const { status } = reply;
      if (status >= 200 && status < 300) return;
      if (status === 404 || status === 410) throw new PushGone();
      if (status === 400 || status === 413) throw new PushRejected(status);
      throw transport.delay(url, reply, status === 429 ? throttledSeconds : unavailableSeconds);
    },
  };
}

/** For a service worker: what `showNotification` takes. */
function render({ key, title, body, language, direction, url, data }: PushMessage): string {
  return JSON.stringify({
    title,
    options: { body, tag: collapseKey(key), lang: language, dir: direction, data: { ...data, url } },
  });
}
