import { Agent, errors } from 'undici';
import { Problem } from '../problem.ts';
import { parseStrictJson } from '../strict-json.ts';
import type { AiCall } from './ai-client.ts';
import { AiFailure, type AiFailureKind } from './ai-failure.ts';
import { ranOut } from './deadline.ts';
import { type AiBody, encodeBody } from './encode-body.ts';

/** No answer of ours is near this size; a larger one is a fault or an attack. */
const maximumReplyBytes = 1024 * 1024;

/** Statuses that say "not now", as against "not like this". */
const unavailableStatuses = new Set([408, 425, 429, 500, 502, 503, 504]);
const retryableStatuses = new Set([502, 503, 504]);
const connectErrorCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'UND_ERR_SOCKET',
  'UND_ERR_CONNECT_TIMEOUT',
]);

export type Attempt = { reply: unknown } | { failure: AiFailure; retry: boolean };

export interface AiTransport {
  /** One try of one call, over a kept-alive connection. Never throws. */
  attempt(route: string, body: AiBody, call: AiCall): Promise<Attempt>;
  close(): Promise<void>;
}

export function createAiTransport({ url, key }: { url: string; key?: string | undefined }): AiTransport {
  const address = new URL(url);
  const basePath = address.pathname.replace(/\/+$/, '');
  const agent = new Agent({
    connections: 64,
    connect: { timeout: 3000 },
    keepAliveTimeout: 10_000,
    maxResponseSize: maximumReplyBytes,
    // The deadline rules; these only bound a call whose deadline was forgotten.
    headersTimeout: 120_000,
    bodyTimeout: 120_000,
  });

  async function attempt(route: string, body: AiBody, call: AiCall): Promise<Attempt> {
    const { contentType, length, stream } = encodeBody(body);
    const failed = (kind: AiFailureKind, cause: unknown, retry = false): Attempt => ({
      failure: new AiFailure(kind, route, { cause }),
      retry,
    });
    try {
      const response = await agent.request({
        origin: address.origin,
        path: `${basePath}/${route}`,
        method: 'POST',
        headers: {
          'content-type': contentType,
          'content-length': String(length),
          accept: 'application/json',
          'accept-language': call.language,
          'x-request-id': call.requestId,
          'x-deadline-ms': String(call.deadline.remainingMs()),
          traceparent: call.traceparent,
          ...(key !== undefined && { authorization: `Bearer ${key}` }),
        },
        body: stream(),
        signal: call.deadline.signal,
      });
      const { statusCode } = response;
      if (statusCode !== 200) {
        await response.body.dump({ limit: 64 * 1024 });
        const kind = unavailableStatuses.has(statusCode) ? 'unavailable' : 'invalid_reply';
        return failed(kind, new Error(`status ${statusCode}`), retryableStatuses.has(statusCode));
      }
      const type = String(response.headers['content-type'] ?? '');
      const bytes = await response.body.bytes();
      if (!/^application\/(\S+\+)?json\s*(;|$)/i.test(type)) {
        return failed('invalid_reply', new Error('not JSON by its type'));
      }
      return { reply: parseStrictJson(bytes) };
    } catch (error) {
      if (call.deadline.signal.aborted) {
        const calledOff = !ranOut(call.deadline);
        return { failure: new AiFailure('timeout', route, { cause: error, calledOff }), retry: false };
      }
      if (isReplyFault(error)) return failed('invalid_reply', error);
      return failed('unavailable', error, isConnectError(error));
    }
  }

  return { attempt, close: () => agent.destroy() };
}

function isReplyFault(error: unknown): boolean {
  return (
    error instanceof Problem || // of parseStrictJson
    error instanceof errors.ResponseExceededMaxSizeError ||
    error instanceof errors.HTTPParserError
  );
}

function isConnectError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && connectErrorCodes.has(String(error.code));
}
