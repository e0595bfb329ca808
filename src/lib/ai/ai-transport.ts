import type { Span } from '@opentelemetry/api';
import type * as Undici from 'undici';
import { Problem } from '../../contract/problem.ts';
import { trace, type Tracer } from '@opentelemetry/api';
import { parseStrictJson } from '../json/strict-json.ts';
import type { AiCall } from './ai-call.ts';
import { AiFailure, type AiFailureKind } from './ai-failure.ts';
import { endAiSpan, startAiSpan, traceparentOf } from './ai-span.ts';
import { timedOut } from './deadline.ts';
import { type AiBody, encodeBody } from './encode-body.ts';

/** No valid reply comes near this size; a larger one is a fault or an attack. */
const maximumReplyBytes = 1024 * 1024;

/** Statuses that mean "not now" rather than "not like this". */
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
  /** Makes one attempt over a keep-alive connection. Follows no redirect. Never throws. */
  attempt(route: string, body: AiBody, call: AiCall): Promise<Attempt>;
  close(): Promise<void>;
}

export interface AiTransportOptions {
  url: string;
  key?: string | undefined;
  /** Maximum connections per route. Each route has its own pool, so that a hanging route cannot starve the others. */
  connections: number;
  tracer?: Tracer | undefined;
}

export function createAiTransport({
  url,
  key,
  connections,
  tracer = trace.getTracer('dermagate.ai'),
}: AiTransportOptions): AiTransport {
  const address = new URL(url);
  const basePath = address.pathname.replace(/\/+$/, '');
  const pools = new Map<string, Undici.Pool>();

  function poolOf(route: string, undici: typeof Undici.default): Undici.Pool {
    const known = pools.get(route);
    if (known !== undefined) return known;
    const pool = new undici.Pool(address.origin, {
      connections,
      connect: { timeout: 3000 },
      keepAliveTimeout: 10_000,
      maxResponseSize: maximumReplyBytes,
      // The call's deadline is shorter; these are a safety net.
      headersTimeout: 120_000,
      bodyTimeout: 120_000,
    });
    pools.set(route, pool);
    return pool;
  }

  async function attempt(route: string, body: AiBody, call: AiCall): Promise<Attempt> {
    const span = startAiSpan(tracer, route, new URL(`${basePath}/${route}`, address), call.traceparent);
    const made = await send(route, body, call, span);
    endAiSpan(span, 'failure' in made ? made.failure : undefined);
    return made;
  }

  async function send(route: string, body: AiBody, call: AiCall, span: Span): Promise<Attempt> {
    const { contentType, length, content } = encodeBody(body);
    const undici = await (loading ??= loadUndici());
    const failed = (kind: AiFailureKind, cause: unknown, retry = false): Attempt => ({
      failure: new AiFailure(kind, route, { cause }),
      retry,
    });
    try {
      const response = await poolOf(route, undici).request({
        path: `${basePath}/${route}`,
        method: 'POST',
        headers: {
          'content-type': contentType,
          'content-length': String(length),
          accept: 'application/json',
          'accept-language': call.language,
          'x-request-id': call.requestId,
          'x-deadline-ms': String(call.deadline.remainingMs()),
          traceparent: traceparentOf(span),
          ...(key !== undefined && { authorization: `Bearer ${key}` }),
        },
        body: content(),
        signal: call.deadline.signal,
      });
      const { statusCode, headers, body: reply } = response;
      span.setAttribute('http.response.status_code', statusCode);
      const isJson = /^application\/(\S+\+)?json\s*(;|$)/i.test(String(headers['content-type'] ?? ''));
      if (statusCode === 200 && isJson) return { reply: parseStrictJson(await reply.bytes()) };
      // The reply is unusable, so we do not wait for its body; reading a short one lets the connection be reused.
      reply.dump({ limit: 64 * 1024, signal: AbortSignal.timeout(1000) }).catch(() => undefined);
      if (statusCode === 200) return failed('invalid_reply', new Error('not JSON by its type'));
      const kind = unavailableStatuses.has(statusCode) ? 'unavailable' : 'invalid_reply';
      return failed(kind, new Error(`status ${statusCode}`), retryableStatuses.has(statusCode));
    } catch (error) {
      if (call.deadline.signal.aborted) {
        const cancelled = !timedOut(call.deadline);
        return { failure: new AiFailure('timeout', route, { cause: error, cancelled }), retry: false };
      }
      if (isReplyFault(error, undici.errors)) return failed('invalid_reply', error);
      return failed('unavailable', error, isConnectError(error));
    }
  }

  return {
    attempt,
    async close() {
      await Promise.all([...pools.values()].map((pool) => pool.destroy()));
    },
  };
}

let loading: Promise<typeof Undici.default> | undefined;

/**
 * Loaded when first needed: a fifth of the bundle, and most cold starts answer something else first. Once: the
 * `import()` of what is loaded already took 4 % of a call.
 */
async function loadUndici(): Promise<typeof Undici.default> {
  // The default, because a bundled CommonJS package has no named exports.
  return (await import('undici')).default;
}

function isReplyFault(error: unknown, kinds: typeof Undici.errors): boolean {
  return (
    error instanceof Problem || // from parseStrictJson
    error instanceof kinds.ResponseExceededMaxSizeError ||
    error instanceof kinds.ResponseContentLengthMismatchError ||
    error instanceof kinds.HeadersOverflowError ||
    error instanceof kinds.HTTPParserError
  );
}

function isConnectError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && connectErrorCodes.has(String(error.code));
}
