import type { Agent } from 'undici';
import type { Clock } from '../../contract/clock.ts';
import { PushDelayed } from './push-message.ts';

export interface PushReply {
  status: number;
  text: string;
  /** From `Retry-After`. */
  retryAfterSeconds: number | undefined;
}

/** Posts to the providers of push messages. */
export interface PushTransport {
  /** Over a connection that stays open; follows no redirect. */
  post(url: URL, headers: Record<string, string>, body: string | Uint8Array): Promise<PushReply>;
  /**
   * Leaves an address alone that answers 429 or 5xx: until then each post to it fails at once.
   * @returns the error to throw.
   */
  delay(url: URL, reply: PushReply, leastSeconds: number): PushDelayed;
  close(): Promise<void>;
}

/** The outbox relies on it: a claim lasts several times longer. */
const timeoutMs = 10_000;
/** No reply that matters is larger. */
const largestReplyBytes = 64 * 1024;
/** A provider that wants to be left alone for longer is asked again nevertheless. */
const longestDelaySeconds = 6 * 60 * 60;
/** Bounds the memory for what is only a courtesy. */
const mostDelayed = 10_000;

export function createPushTransport(clock: Clock): PushTransport {
  /** When each address may be asked again, in milliseconds: of FCM a project's, of Web Push one browser's. */
  const delayedUntil = new Map<string, { at: number; status: number }>();
  let opened: Promise<Agent> | undefined;

  function requireAdmitted({ href }: URL): void {
    const delayed = delayedUntil.get(href);
    if (delayed === undefined) return;
    const seconds = Math.ceil((delayed.at - clock.now().getTime()) / 1000);
    if (seconds > 0) throw new PushDelayed(delayed.status, seconds);
    delayedUntil.delete(href);
  }

  return {
    async post(url, headers, body) {
      requireAdmitted(url);
      const dispatcher = await (opened ??= openAgent());
      const response = await dispatcher.request({
        origin: url.origin,
        path: url.pathname + url.search,
        method: 'POST',
        headers,
        body,
        signal: AbortSignal.timeout(timeoutMs),
      });
      const text = await response.body.text();
      const retryAfter = response.headers['retry-after'];
      return {
        status: response.statusCode,
        text,
        retryAfterSeconds: readRetryAfter(String(retryAfter ?? ''), clock.now()),
      };
    },
    delay(url, { status, retryAfterSeconds }, leastSeconds) {
      const seconds = Math.min(Math.max(retryAfterSeconds ?? 0, leastSeconds), longestDelaySeconds);
      if (status === 429 || status >= 500) {
        if (delayedUntil.size >= mostDelayed) delayedUntil.clear();
        delayedUntil.set(url.href, { at: clock.now().getTime() + seconds * 1000, status });
      }
      return new PushDelayed(status, seconds);
    },
    async close() {
      await (await opened)?.destroy();
    },
  };
}

/** Loads the library on first use: no cold start begins with a push message. */
async function openAgent(): Promise<Agent> {
  const { default: undici } = await import('undici');
  return new undici.Agent({
    connections: 5,
    connect: { timeout: 5000 },
    keepAliveTimeout: 30_000,
    maxResponseSize: largestReplyBytes,
  });
}

/** Seconds or a date (RFC 9110 §10.2.3); undefined for anything else. */
export function readRetryAfter(value: string, now: Date): number | undefined {
  if (/^\d{1,9}$/.test(value)) return Number(value);
  const at = /[A-Za-z]/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now.getTime()) / 1000));
}
