// What the Functions host does between the web server and the worker: routes, replies, manual runs.
// Sources: Azure/azure-functions-host, Middleware/ and RawScriptResult.cs; replies as observed on a real host (README.md).
import { randomUUID } from 'node:crypto';
import type { Run } from './timers.ts';
import type { Answer, Exchange } from './web-server.ts';
import type { Router } from './router.ts';
import type { Cookie, RequestHead } from './wire.ts';
import type { AppWorker, Outcome } from './worker-process.ts';

export type FrontOptions = {
  router(): Router;
  worker: Pick<AppWorker, 'invoke'>;
  /** Grants access to `/admin/functions`. */
  key: string;
  /** Runs a timer now; undefined when there is none of this name. */
  runTimer(name: string, input?: string): Promise<Run> | undefined;
  failed(functionName: string, id: string, message: string): void;
};

export function createFront(options: FrontOptions): (exchange: Exchange) => Promise<Answer> {
  return async (exchange) => {
    const { method, path } = exchange;
    const admin = /^\/admin\/functions\/([^/]+)\/?$/i.exec(path);
    if (admin && method === 'POST') return await runManually(options, admin[1]!, exchange);
    const match = options.router().match(method, path);
    if (!match) return { status: 404 };
    const { info, params } = match;
    const body = await exchange.readBody();
    const id = randomUUID();
    const outcome = await options.worker.invoke(id, info.name, { http: requestHead(exchange, params) }, body);
    if (outcome.type === 'error') options.failed(info.name, id, outcome.message);
    return toAnswer(outcome);
  };
}

/**
 * Azure's own answer is 202 at once. With `Prefer: wait` (RFC 7240) this host answers when the run has ended, with what
 * the run logged.
 */
async function runManually(
  { key, runTimer }: FrontOptions,
  name: string,
  { headers, readBody }: Exchange,
): Promise<Answer> {
  if (headers['x-functions-key'] !== key) return { status: 401 };
  if (!/^application\/json\s*(?:;|$)/i.test(headers['content-type'] ?? '')) return { status: 415 };
  const running = runTimer(name, inputOf(Buffer.concat(await readBody())));
  if (running === undefined) return { status: 404 };
  if (headers['prefer'] !== 'wait') return { status: 202 };
  return {
    status: 200,
    headers: [['Content-Type', 'application/json']],
    body: Buffer.from(JSON.stringify(await running)),
  };
}

/** The text `input` of the body, as on Azure; a body without one, or that is no JSON, has none. */
function inputOf(body: Buffer): string | undefined {
  try {
    const { input } = JSON.parse(body.toString()) as { input?: unknown };
    return typeof input === 'string' ? input : undefined;
  } catch {
    return undefined;
  }
}

function requestHead(exchange: Exchange, params: Record<string, string>): RequestHead {
  const { method, headers, remote, path } = exchange;
  // Azure's front end appends the peer to the client's header; apps count entries from the right.
  const claimed = headers['x-forwarded-for'];
  headers['x-forwarded-for'] = claimed === undefined ? remote : `${claimed}, ${remote}`;
  const url = `http://${headers.host}${encodePath(path)}${exchange.query}`;
  return { method, url, headers, query: readQuery(exchange.query), params };
}

/** The path for `request.url`: preserves escapes that survived decoding and encodes the rest again. */
function encodePath(path: string): string {
  return path.replaceAll(/%(?![\da-f]{2})|[^\w\-.~!$&'()*+,;=:@/%]+/gi, encodeURIComponent);
}

/** Names are case-insensitive, and the values of a repeated name are joined by a comma. */
function readQuery(query: string): Record<string, string> {
  const entries = new Map<string, [name: string, value: string]>();
  for (const [name, value] of new URLSearchParams(query)) {
    const entry = entries.get(name.toLowerCase());
    if (entry === undefined) entries.set(name.toLowerCase(), [name, value]);
    else entry[1] += `,${value}`;
  }
  return Object.fromEntries(entries.values());
}

function toAnswer(outcome: Outcome): Answer {
  if (outcome.type === 'error') return { status: 500 };
  if (outcome.type === 'done') return { status: 204 };
  const { http, body } = outcome;
  const cookies = http.cookies.map((cookie): [string, string] => ['Set-Cookie', setCookie(cookie)]);
  const headers = [...http.headers, ...cookies];
  return headers.every((header) => isSendable(header, body))
    ? { status: http.status, headers, body }
    : { status: 500 };
}

/** Kestrel rejects values outside visible ASCII and a Content-Length that differs from the body's. */
function isSendable([name, value]: [string, string], body: Buffer): boolean {
  if (name === 'content-length' && body.length > 0 && Number(value) !== body.length) return false;
  return /^[\t\x20-\x7e]*$/.test(value);
}

/** As ASP.NET Core writes it (Net.Http.Headers' SetCookieHeaderValue.cs). */
function setCookie(cookie: Cookie): string {
  const { name, value, expires, maxAge, domain, path = '/', secure, sameSite, httpOnly } = cookie;
  const parts = [`${name}=${encodeURIComponent(value)}`];
  if (expires !== undefined) parts.push(`expires=${new Date(expires * 1000).toUTCString()}`);
  if (maxAge !== undefined) parts.push(`max-age=${Math.trunc(maxAge)}`);
  if (domain !== undefined) parts.push(`domain=${domain}`);
  if (path !== '') parts.push(`path=${path}`);
  if (secure) parts.push('secure');
  if (sameSite !== 'none') parts.push(`samesite=${sameSite === 'explicitNone' ? 'none' : sameSite}`);
  if (httpOnly) parts.push('httponly');
  return parts.join('; ');
}
