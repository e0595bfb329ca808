import { createHash } from 'node:crypto';
import type { Language } from '../../contract/language.ts';

/** A device as it was registered. */
export interface PushDevice {
  platform: 'ios' | 'android' | 'web';
  /** The registration token of FCM, or the subscription of a browser as JSON. */
  token: string;
}

/** What a device shows. It passes through providers of other companies: nothing of a case belongs into it. */
export interface PushMessage {
  /** Identifies the message: a second copy has the same key, and replaces the first on the device. */
  key: string;
  title: string;
  body: string;
  language: Language;
  direction: 'ltr' | 'rtl';
  /** Where a tap leads. */
  url: string;
  /** For the app, which knows its own pages: ids and codes. */
  data: Readonly<Record<string, string>>;
  isUrgent: boolean;
  /** A device that is not reached until then gets no message. */
  expiresAt: Date;
}

/**
 * What providers fold copies by: 32 characters of base64url, the most that a `Topic` of Web Push may have (RFC 8030 §5.4).
 */
export function collapseKey(key: string): string {
  return createHash('sha256').update(key).digest('base64url').slice(0, 32);
}

/** Seconds for which a provider keeps a message for a device that is away. */
export function secondsToLive({ expiresAt }: Pick<PushMessage, 'expiresAt'>, now: Date): number {
  return Math.max(0, Math.floor((expiresAt.getTime() - now.getTime()) / 1000));
}

/** The token belongs to no device any more: no message to it will ever arrive. */
export class PushGone extends Error {
  readonly code = 'gone';

  constructor() {
    super('push: the token is gone');
    this.name = 'PushGone';
  }
}

/** The provider refuses this message; sending it again cannot help. */
export class PushRejected extends Error {
  /** `rejected_<HTTP status>`. */
  readonly code: string;

  constructor(status: number) {
    super(`push: rejected with ${status}`);
    this.name = 'PushRejected';
    this.code = `rejected_${status}`;
  }
}

/** The provider asks for patience, or fails itself. */
export class PushDelayed extends Error {
  /** `delayed_<HTTP status>`. */
  readonly code: string;
  readonly retryAfterSeconds: number;

  constructor(status: number, retryAfterSeconds: number) {
    super(`push: delayed with ${status}`);
    this.name = 'PushDelayed';
    this.code = `delayed_${status}`;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
