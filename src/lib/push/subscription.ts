import { ECDH } from 'node:crypto';
import { z } from 'zod';
import { isLoopback } from '../network/loopback.ts';

const base64url = (bytes: number) =>
  z
    .string()
    .regex(/^[A-Za-z0-9_-]+={0,2}$/)
    .refine((value) => Buffer.from(value, 'base64url').length === bytes);

/** Of P-256; a message cannot be sealed for any other 65 bytes (RFC 8291 §3.1). */
function isPoint(p256dh: string): boolean {
  try {
    ECDH.convertKey(p256dh, 'prime256v1', 'base64url');
    return true;
  } catch {
    return false;
  }
}

/** A browser's `PushSubscription`, as its `toJSON()` gives it. Members that it may have besides are dropped. */
const Subscription = z.object({
  endpoint: z.url({ protocol: /^https?$/ }).max(2048),
  keys: z.object({ p256dh: base64url(65).refine(isPoint), auth: base64url(16) }),
});
export type Subscription = z.output<typeof Subscription>;

/** @returns undefined for a text that is no subscription. */
export function readSubscription(token: string): Subscription | undefined {
  try {
    return Subscription.safeParse(JSON.parse(token)).data;
  } catch {
    return undefined;
  }
}

/** The same text for the same subscription, however a browser has written it. */
export function writeSubscription({ endpoint, keys: { p256dh, auth } }: Subscription): string {
  return JSON.stringify({ endpoint, keys: { p256dh, auth } });
}

/**
 * Whether requests may be sent to an endpoint, which a caller names: only to the push services that browsers use, by https
 * and at its usual port. A loopback address may be listed for tests, and then needs neither.
 *
 * @param hosts names, or `*.` and a name for all that end in it.
 */
export function isAllowedEndpoint(endpoint: string, hosts: readonly string[]): boolean {
  if (!URL.canParse(endpoint)) return false;
  const { protocol, hostname, port, username, password } = new URL(endpoint);
  if (username !== '' || password !== '') return false;
  if (isLoopback(hostname)) return hosts.includes(hostname);
  if (protocol !== 'https:' || port !== '') return false;
  return hosts.some((host) => (host.startsWith('*.') ? hostname.endsWith(host.slice(1)) : hostname === host));
}
