// The web server: what an app meets of Kestrel, the server inside Azure's host. Node's parser answers malformed HTTP.
// Limits: dotnet/aspnetcore, Kestrel's KestrelServerLimits.cs; replies as observed on a real host (README.md).
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

export const DEFAULT_MAX_BODY_BYTES = 104_857_600;
const MAX_REQUEST_LINE_BYTES = 8192;
const MAX_HEADERS_BYTES = 32_768;
const KEEP_ALIVE_TIMEOUT_MS = 130_000;

export type Exchange = {
  method: string;
  /** Decoded, without dot segments. */
  path: string;
  /** As sent, with its "?", which may be all of it. */
  query: string;
  /** Names are in lower case; repeated values are joined by a comma. */
  headers: Record<string, string>;
  /** The peer, as `ip:port`. */
  remote: string;
  /** The chunks as received. A chunked body reads as empty, as on a real host. Rejects when the body is cut or too large. */
  readBody(): Promise<Buffer[]>;
};

/** Without a `body`, or with an empty one, the reply has `Content-Length: 0`; otherwise it is chunked. */
export type Answer = { status: number; headers?: [string, string][]; body?: Uint8Array };

export type WebServer = { server: Server; stop(graceMs: number): Promise<void> };

class BodyTooLarge extends Error {}

export function createWebServer(
  maxBodyBytes: number,
  respond: (exchange: Exchange) => Promise<Answer>,
  report: (error: unknown) => void,
): WebServer {
  const connections = new Set<Duplex>();
  const answering = new Set<Duplex>();
  let stopping = false;

  async function answer(request: IncomingMessage): Promise<Answer | undefined> {
    const exchange = accept(request, maxBodyBytes);
    if (typeof exchange === 'number') return { status: exchange };
    try {
      return await respond(exchange);
    } catch (error) {
      if (request.destroyed && !request.complete) return undefined; // the client is gone
      if (!(error instanceof BodyTooLarge)) report(error);
      return { status: 500 };
    }
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { socket } = request;
    answering.add(socket);
    response.once('close', () => answering.delete(socket));
    const given = await answer(request);
    if (given === undefined) return;
    if (stopping) response.shouldKeepAlive = false;
    send(request, response, given);
  }

  const server = createServer(
    {
      // Kestrel prefers Transfer-Encoding to Content-Length; so does this parser.
      insecureHTTPParser: true,
      maxHeaderSize: MAX_REQUEST_LINE_BYTES + MAX_HEADERS_BYTES,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    },
    (request, response) => void serve(request, response).catch(report),
  );
  server.on('connection', (socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });

  return {
    server,
    stop(graceMs) {
      stopping = true;
      const { promise, resolve } = Promise.withResolvers<void>();
      const impatience = setTimeout(() => server.closeAllConnections(), graceMs);
      server.close(() => {
        clearTimeout(impatience);
        resolve();
      });
      // Node closes used connections; browsers also open some in advance and send nothing on them.
      for (const socket of connections) if (!answering.has(socket)) socket.destroy();
      return promise;
    },
  };
}

/** The exchange, or the status with which Kestrel refuses it. */
function accept(request: IncomingMessage, maxBodyBytes: number): Exchange | number {
  const { method = '', url = '', headersDistinct, socket } = request;
  if (`${method} ${url} HTTP/1.1\r\n`.length > MAX_REQUEST_LINE_BYTES) return 414;
  const headers = readHeaders(headersDistinct);
  const target = readTarget(url);
  if (!headers || !target) return 400;
  return {
    ...target,
    method,
    headers,
    remote: `${socket.remoteAddress}:${socket.remotePort}`,
    async readBody() {
      const length = Number(headers['content-length'] ?? 0);
      if (length === 0 || 'transfer-encoding' in headers) return [];
      if (length > maxBodyBytes) throw new BodyTooLarge();
      const pieces: Buffer[] = [];
      for await (const piece of request) pieces.push(piece as Buffer);
      return pieces;
    },
  };
}

function readHeaders(sent: NodeJS.Dict<string[]>): Record<string, string> | undefined {
  const headers: Record<string, string> = {};
  for (const [name, values = []] of Object.entries(sent)) {
    const value = values.join(',');
    // The parser decodes bytes as Latin-1, Kestrel as UTF-8.
    headers[name] = /[\x80-\xff]/.test(value) ? Buffer.from(value, 'latin1').toString('utf8') : value;
    if (headers[name].includes('\uFFFD')) return undefined;
  }
  return headers;
}

function readTarget(raw: string): Pick<Exchange, 'path' | 'query'> | undefined {
  const mark = raw.indexOf('?');
  const sent = mark === -1 ? raw : raw.slice(0, mark);
  if (!sent.startsWith('/')) return undefined;
  // Kestrel keeps encoded slashes, and what is not valid UTF-8 (PathNormalizer.cs, UrlDecoder.cs).
  const path = new URL(`http://host${sent}`).pathname.replaceAll(/(?:%(?!2f)[\da-f]{2})+/gi, decoded);
  return path.includes('\0') ? undefined : { path, query: mark === -1 ? '' : raw.slice(mark) };
}

function decoded(escapes: string): string {
  try {
    return decodeURIComponent(escapes);
  } catch {
    return escapes;
  }
}

function send(request: IncomingMessage, response: ServerResponse, answer: Answer): void {
  const { status, headers = [], body } = answer;
  const isEmpty = request.method === 'HEAD' || status === 204 || status === 304;
  const hasLength = headers.some(([name]) => name.toLowerCase() === 'content-length');
  const length = body?.byteLength || isEmpty || hasLength ? [] : ['Content-Length', '0'];
  // Kestrel sends neither Connection nor Keep-Alive on a connection that stays.
  if (response.shouldKeepAlive) response.removeHeader('Connection');
  response.writeHead(status, [...headers.flat(), ...length]);
  response.end(body);
}
