import { z } from 'zod';
import type { Clock } from '../../contract/clock.ts';
import { createAccessTokens } from './google-token.ts';
import type { ServiceAccount } from './push-keys.ts';
import { collapseKey, PushGone, type PushMessage, PushRejected, secondsToLive } from './push-message.ts';
import type { PushReply, PushTransport } from './push-transport.ts';

export interface FcmOptions {
  account: ServiceAccount;
  /** Base address of the service. */
  url: string;
}

/** Seconds to wait at least, where the provider names no time: as its documents ask. */
const throttledSeconds = 60;
const unavailableSeconds = 10;

/**
 * Firebase Cloud Messaging, HTTP v1; it reaches iPhones through APNs.
 * @see https://firebase.google.com/docs/reference/fcm/rest/v1/ErrorCode
 */
export function createFcm({ account, url }: FcmOptions, transport: PushTransport, clock: Clock) {
  const tokens = createAccessTokens(account, transport, clock);
  const address = new URL(`${url.replace(/\/+$/, '')}/v1/projects/${account.project_id}/messages:send`);

  return {
    async send(token: string, message: PushMessage): Promise<void> {
      const headers = {
        authorization: `Bearer ${await tokens.get()}`,
        'content-type': 'application/json; charset=UTF-8',
      };
      const body = JSON.stringify({ message: { token, ...render(message, clock.now()) } });
      const reply = await transport.post(address, headers, body);
      if (reply.status === 200) return;
      const { code, fields } = readError(reply);
      if (code === 'UNREGISTERED') throw new PushGone();
      // An argument that no field is blamed for is the token itself as well.
      if (code === 'INVALID_ARGUMENT' && fields.every((field) => field === 'message.token')) {
        throw new PushGone();
      }
      if (reply.status === 400 || reply.status === 413) throw new PushRejected(reply.status);
      if (reply.status === 401) tokens.forget();
      // SENDER_ID_MISMATCH (403) too: the key file may be that of another project by mistake, and its tokens live.
      throw transport.delay(address, reply, reply.status === 429 ? throttledSeconds : unavailableSeconds);
    },
  };
}

function render(message: PushMessage, now: Date) {
  const { key, title, body, url, data, isUrgent, expiresAt } = message;
  const id = collapseKey(key);
  return {
    notification: { title, body },
    data: { ...data, url, id },
    android: {
      collapse_key: id,
      priority: isUrgent ? 'HIGH' : 'NORMAL',
      ttl: `${secondsToLive(message, now)}s`,
      notification: { tag: id },
    },
    apns: {
      headers: {
        'apns-collapse-id': id,
        'apns-priority': isUrgent ? '10' : '5',
        'apns-expiration': String(Math.floor(expiresAt.getTime() / 1000)),
      },
    },
  };
}

const ErrorReply = z.object({
  error: z.object({
    details: z
      .array(
        z.object({
          '@type': z.string(),
          errorCode: z.string().optional(),
          fieldViolations: z.array(z.object({ field: z.string().default('') })).default([]),
        }),
      )
      .default([]),
  }),
});

/** FCM's own code, which tells a token that is gone from an address that is wrong: both are 404. And the fields it blames. */
function readError({ text }: PushReply): { code: string | undefined; fields: string[] } {
  const details = ErrorReply.safeParse(parseJson(text)).data?.error.details ?? [];
  return {
    code: details.find((detail) => detail['@type'].endsWith('.FcmError'))?.errorCode,
    fields: details.flatMap(({ fieldViolations }) => fieldViolations.map(({ field }) => field)),
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
