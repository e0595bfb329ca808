import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { negotiateLanguage } from './http/language.ts';
import { Refusal } from './http/refusal.ts';
import { PoolBusyError, startImagePool, type ImagePool } from './image/pool.ts';
import { modelVersion, NOTICE } from './model-version.ts';
import { routes } from './routes.ts';

export interface AiServiceOptions {
  /** 0, the default, takes a free port. */
  port?: number;
  /** When set, every call except `/healthy` must have it as a bearer token. */
  key?: string;
}

export interface AiService {
  url: string;
  /** Finishes running requests within `graceMs`, then ends. */
  stop: (graceMs?: number) => Promise<void>;
}

/** Milliseconds; for callers that send no deadline. */
const defaultDeadlineMs = 30_000;

/** Starts the reference AI service on the loopback interface. */
export async function startAiService({ port = 0, key }: AiServiceOptions = {}): Promise<AiService> {
  const images = startImagePool();
  const server = createServer(
    // Longer than a client keeps an idle connection (10 s), so that no request meets a closing one.
    { keepAliveTimeout: 65_000, requestTimeout: 60_000 },
    (request, response) => void answer(request, response, { images, key }),
  );
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async (graceMs = 4_000) => {
      const closed = once(server, 'close');
      server.close();
      const impatience = setTimeout(() => server.closeAllConnections(), graceMs);
      await closed;
      clearTimeout(impatience);
      await images.stop();
    },
  };
}

interface Surroundings {
  images: ImagePool;
  key: string | undefined;
}

async function answer(request: IncomingMessage, response: ServerResponse, surroundings: Surroundings) {
  const requestId = requestIdOf(request);
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  try {
    const reply = await call(request, gone.signal, surroundings);
    send(response, 200, 'application/json; charset=utf-8', { ...reply }, { 'x-request-id': requestId });
  } catch (error) {
    if (response.destroyed) return;
    const refusal = refusalOf(error, requestId);
    const { status, code, message: detail, errors } = refusal;
    const problem = {
      type: 'about:blank',
      title: STATUS_CODES[status],
      status,
      code,
      detail,
      requestId,
      errors,
    };
    send(response, status, 'application/problem+json; charset=utf-8', problem, {
      ...refusal.headers,
      'x-request-id': requestId,
    });
  }
}

async function call(
  request: IncomingMessage,
  gone: AbortSignal,
  { images, key }: Surroundings,
): Promise<object> {
  const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
  const route = routes.get(path);
  if (route === undefined) throw new Refusal(404, 'not_found', 'There is no such route.');
  const isHead = request.method === 'HEAD' && route.method === 'GET';
  if (request.method !== route.method && !isHead) {
    throw new Refusal(405, 'method_not_allowed', `Use ${route.method}.`, {
      headers: { allow: route.method },
    });
  }
  if (key !== undefined && route.open !== true) checkKey(request, key);
  const arrived = performance.now();
  const deadline = deadlineOf(request);
  const signal = AbortSignal.any([gone, AbortSignal.timeout(deadline)]);
  const language = negotiateLanguage(request.headers['accept-language']);
  const reply = await route.answer({ request, signal, language, images });
  // A timer cannot fire while the engine is computing, so the clock is checked as well.
  if (performance.now() - arrived >= deadline) throw tooLate();
  return reply;
}

function checkKey({ headers }: IncomingMessage, key: string): void {
  const sent = /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';
  const digest = (text: string) => createHash('sha256').update(text).digest();
  if (timingSafeEqual(digest(sent), digest(key))) return;
  throw new Refusal(401, 'authentication_required', 'A valid bearer key is required.', {
    headers: { 'www-authenticate': 'Bearer' },
  });
}

/** Remaining waiting time of the caller, in milliseconds. */
function deadlineOf({ headers }: IncomingMessage): number {
  const header = headers['x-deadline-ms'];
  if (header === undefined) return defaultDeadlineMs;
  if (typeof header === 'string' && /^\d{1,9}$/.test(header)) return Number(header);
  throw new Refusal(400, 'invalid_deadline', 'x-deadline-ms must be whole milliseconds.');
}

function requestIdOf({ headers }: IncomingMessage): string {
  const sent = headers['x-request-id'];
  return typeof sent === 'string' && /^[\w.-]{1,64}$/.test(sent) ? sent : randomUUID();
}

const tooLate = () =>
  new Refusal(504, 'deadline_exceeded', 'The deadline passed before the reply was ready.');

function refusalOf(error: unknown, requestId: string): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof DOMException && error.name === 'TimeoutError') return tooLate();
  if (error instanceof PoolBusyError) {
    return new Refusal(503, 'busy', 'Too many images are waiting.', { headers: { 'retry-after': '1' } });
  }
  console.error(`request ${requestId} failed:`, error);
  return new Refusal(500, 'internal_error', 'The service failed.');
}

function send(
  response: ServerResponse,
  status: number,
  contentType: string,
  body: object,
  headers: Record<string, string>,
): void {
  const bytes = Buffer.from(JSON.stringify({ notice: NOTICE, ...body, modelVersion }));
  response.writeHead(status, {
    'content-type': contentType,
    'content-length': bytes.length,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-notice': 'not for clinical use',
    ...headers,
  });
  response.end(bytes);
}
