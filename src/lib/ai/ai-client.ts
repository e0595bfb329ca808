import { Agent, errors } from 'undici';
import type { z } from 'zod';
import { AiFailure } from './ai-failure.ts';
import { encodeBody, type AiBody } from './encode-body.ts';

/** What a call carries besides its body. */
export interface AiCall {
  requestId: string;
  traceparent: string;
  language: string;
  /** Ends the call, retries included. */
  deadline: Deadline;
}

/** A point in time after which nobody waits any more; shared by calls that run side by side. */
export interface Deadline {
  signal: AbortSignal;
  remainingMs(): number;
}

export function deadlineIn(milliseconds: number, alsoEndedBy?: AbortSignal): Deadline {
  const end = performance.now() + milliseconds;
  const timeout = AbortSignal.timeout(milliseconds);
  return {
    signal: alsoEndedBy === undefined ? timeout : AbortSignal.any([timeout, alsoEndedBy]),
    remainingMs: () => Math.max(0, Math.ceil(end - performance.now())),
  };
}

export interface AiClient {
  /**
   * Calls one route of the AI service.
   * @returns the reply, checked against `reply`: one that does not fit is never passed on.
   * @throws {AiFailure}
   */
  post<T>(route: string, body: AiBody, reply: z.ZodType<T>, call: AiCall): Promise<T>;
  close(): Promise<void>;
}

export interface AiClientOptions {
  url: string;
  key?: string | undefined;
}

/** No answer of ours is near this size; a larger one is a fault or an attack. */
const maximumReplyBytes = 1024 * 1024;
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

export function createAiClient({ url, key }: AiClientOptions): AiClient {
  const base = url.replace(/\/+$/, '');
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
    try {
      const address = new URL(base);
      const response = await agent.request({
        origin: address.origin,
        path: `${address.pathname.replace(/\/$/, '')}/${route}`,
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
      if (response.statusCode !== 200) {
        await response.body.dump({ limit: 64 * 1024 });
        const retry = retryableStatuses.has(response.statusCode);
        return failed('unavailable', route, new Error(`status ${response.statusCode}`), retry);
      }
      const isJson = /^application\/(\S+\+)?json\s*(;|$)/i.test(
        String(response.headers['content-type'] ?? ''),
      );
      const bytes = await response.body.bytes();
      if (!isJson) return failed('invalid_reply', route, new Error('not JSON by its type'), false);
      return { reply: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown };
    } catch (error) {
      if (call.deadline.signal.aborted) return failed('timeout', route, error, false);
      if (isReplyFault(error)) return failed('invalid_reply', route, error, false);
      return failed('unavailable', route, error, isConnectError(error));
    }
  }

  return {
    async post(route, body, reply, call) {
      let outcome = await attempt(route, body, call);
      if ('failure' in outcome && outcome.retry) {
        // One retry, at a random moment, so that a recovering service is not met by everyone at once.
        await pause(Math.min(50 + Math.random() * 200, call.deadline.remainingMs()), call.deadline.signal);
        if (!call.deadline.signal.aborted) outcome = await attempt(route, body, call);
      }
      if ('failure' in outcome) throw outcome.failure;
      const parsed = reply.safeParse(outcome.reply);
      if (parsed.success) return parsed.data;
      const paths = parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.code}`).slice(0, 5);
      throw new AiFailure('invalid_reply', route, { cause: new Error(paths.join(', ')) });
    },
    close: () => agent.destroy(),
  };
}

type Attempt = { reply: unknown } | { failure: AiFailure; retry: boolean };

function failed(kind: AiFailure['kind'], route: string, cause: unknown, retry: boolean): Attempt {
  return { failure: new AiFailure(kind, route, { cause }), retry };
}

function isReplyFault(error: unknown): boolean {
  return (
    error instanceof SyntaxError ||
    error instanceof TypeError || // TextDecoder: not UTF-8
    error instanceof errors.ResponseExceededMaxSizeError ||
    error instanceof errors.HTTPParserError
  );
}

function isConnectError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && connectErrorCodes.has(String(error.code));
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}
