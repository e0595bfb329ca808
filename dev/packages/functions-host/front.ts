// What the Functions host does between the web server and the worker: home page, routes, keys, replies.
// Sources: Azure/azure-functions-host, Middleware/ (FunctionInvocationMiddleware.cs, HomepageMiddleware.cs),
// FunctionsController.cs, RawScriptResult.cs; replies as observed on a real host (README.md).
import { randomUUID } from 'node:crypto';
import type { Answer, Exchange } from './kestrel.ts';
import { encodePath, parseQuery } from './request-target.ts';
import type { Router } from './router.ts';
import type { Cookie, RequestHead } from './wire.ts';
import type { AppWorker, Outcome } from './worker-process.ts';

export type FrontOptions = {
  router(): Router;
  worker: Pick<AppWorker, 'invoke'>;
  /** Grants access to functions that require a key, and to everything under /admin. */
  key: string;
  /** Whether functions require a key at all: under `func start` they do not. */
  keysOnFunctions: boolean;
  homePage: boolean;
  /** A manual run: `POST /admin/functions/<name>`. */
  run(functionName: string, input: string): void;
  failed(functionName: string, id: string, message: string): void;
};

const HOME_PAGE = Buffer.from(`<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Your Azure Function App is up and running.</title></head>
<body><h1>Your Functions 4.0 app is up and running</h1></body></html>
`);

/**
 * Paths of the host's own controllers, which precede every function and require a key: src/WebJobs.Script.WebHost/
 * Controllers. A catch-all function gets the other paths under /admin, as observed on a real host.
 */
const hostsOwn = /^\/(?:admin\/(?:functions|host|instance|vfs)|runtime\/webhooks)(?:\/|$)/i;

export function createFront(options: FrontOptions): (exchange: Exchange) => Promise<Answer> {
  return async (exchange) => {
    const { method, path } = exchange;
    const router = options.router();
    if (router.fatal !== undefined)
      return { status: 503, body: Buffer.from('Function host is not running.') };
    const query = parseQuery(exchange.query);
    const isAuthorised = hasKey(options, exchange, query);
    if (hostsOwn.test(path) && !isAuthorised) return refused(401);
    const admin = /^\/admin\/functions\/([^/]+)\/?$/i.exec(path);
    if (admin && method === 'POST') return runManually(options, router, admin[1]!, exchange);

    const match = router.match(method, path);
    if (!match) {
      if (path === '/') return homePage(options);
      return refused(/^\/(?:admin|runtime)\//i.test(path) && !isAuthorised ? 401 : 404);
    }
    const { info, params } = match;
    if (options.keysOnFunctions && info.authLevel !== 'anonymous' && !isAuthorised) return refused(401);
    if (info.disabled) return refused(404);
    if (!exchange.headers.host) return refused(500);

    const body = await exchange.readBody();
    const id = randomUUID();
    const outcome = await options.worker.invoke(
      id,
      info.name,
      { http: requestHead(exchange, query, params) },
      body,
    );
    if (outcome.type === 'error') options.failed(info.name, id, outcome.message);
    return toAnswer(outcome);
  };
}

/** The host's own replies have a length, even to HEAD. */
function refused(status: number): Answer {
  return { status, headers: [['Content-Length', '0']] };
}

function homePage(options: FrontOptions): Answer {
  if (!options.homePage) return { status: 204 };
  const headers: [string, string][] = [
    ['Content-Type', 'text/html'],
    ['Content-Length', String(HOME_PAGE.length)],
  ];
  return { status: 200, headers, body: HOME_PAGE };
}

function hasKey({ key }: FrontOptions, { headers }: Exchange, query: Record<string, string>): boolean {
  return headers['x-functions-key'] === key || query.code === key;
}

async function runManually(
  options: FrontOptions,
  router: Router,
  name: string,
  exchange: Exchange,
): Promise<Answer> {
  const info = router.functions.find((each) => each.name.toLowerCase() === name.toLowerCase());
  if (!/^application\/json\s*(?:;|$)/i.test(exchange.headers['content-type'] ?? '')) return refused(415);
  const input = manualInput(Buffer.concat(await exchange.readBody()).toString('utf8'));
  if (input === undefined) return refused(400);
  if (!info || info.error !== undefined) return refused(404);
  options.run(info.name, input);
  return { status: 202 };
}

/** From `{"input": "…"}`; undefined when the body is not a JSON object. */
function manualInput(body: string): string | undefined {
  try {
    const parsed: unknown = JSON.parse(body);
    if (typeof parsed !== 'object' || parsed === null) return undefined;
    const { input = '' } = parsed as { input?: unknown };
    return typeof input === 'string' ? input : JSON.stringify(input);
  } catch {
    return undefined;
  }
}

function requestHead(
  exchange: Exchange,
  query: Record<string, string>,
  params: Record<string, string>,
): RequestHead {
  const { headers, remote } = exchange;
  // Azure's front end appends the peer to the client's header; apps count entries from the right.
  const claimed = headers['x-forwarded-for'];
  headers['x-forwarded-for'] = claimed === undefined ? remote : `${claimed}, ${remote}`;
  const url = `http://${headers.host}${encodePath(exchange.path)}${exchange.query}`;
  return { method: exchange.method, url, headers, query, params };
}

function toAnswer(outcome: Outcome): Answer {
  if (outcome.type === 'error') return refused(500);
  if (outcome.type === 'done') return { status: 204 };
  const { http, body } = outcome;
  const cookies = http.cookies.map((cookie): [string, string] => ['Set-Cookie', setCookie(cookie)]);
  const headers = [...http.headers, ...cookies];
  return headers.every((header) => isSendable(header, body))
    ? { status: http.status, headers, body }
    : refused(500);
}

/** Kestrel rejects values outside visible ASCII and a Content-Length that differs from the body's. */
function isSendable([name, value]: [string, string], body: Buffer): boolean {
  if (name === 'content-length' && body.length > 0 && Number(value) !== body.length) return false;
  return /^[\t\x20-\x7e]*$/.test(value);
}

/** As ASP.NET Core writes it (Net.Http.Headers' SetCookieHeaderValue.cs). */
function setCookie(cookie: Cookie): string {
  const { name, value, expires, maxAge, domain, path = '/', secure, sameSite, httpOnly } = cookie;
  const parts = [`${name}=${encodeURIComponent(value).replaceAll(/[!'()*]/g, percentEncode)}`];
  if (expires !== undefined) parts.push(`expires=${new Date(expires * 1000).toUTCString()}`);
  if (maxAge !== undefined) parts.push(`max-age=${Math.trunc(maxAge)}`);
  if (domain !== undefined) parts.push(`domain=${domain}`);
  if (path !== '') parts.push(`path=${path}`);
  if (secure) parts.push('secure');
  if (sameSite !== 'none') parts.push(`samesite=${sameSite === 'explicitNone' ? 'none' : sameSite}`);
  if (httpOnly) parts.push('httponly');
  return parts.join('; ');
}

function percentEncode(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
