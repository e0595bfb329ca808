// The web server: refuses, reads and writes what Kestrel, the server inside Azure's host, does.
// Limits: dotnet/aspnetcore, Kestrel's KestrelServerLimits.cs; replies as observed on a real host (README.md).
import { once } from 'node:events';
import { createServer, STATUS_CODES } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { BodyRefused, collect } from './request-body.ts';
import { MAX_REQUEST_LINE_BYTES, RequestLine } from './request-line.ts';
import { parseTarget } from './request-target.ts';
import type { Target } from './request-target.ts';

const MAX_HEADERS_BYTES = 32_768;
const MAX_HEADERS = 100;
const BODY_DRAIN_TIMEOUT_MS = 5000;

export type Limits = { maxBodyBytes: number; headersTimeoutMs: number; keepAliveTimeoutMs: number };

export const DEFAULT_LIMITS: Limits = {
  maxBodyBytes: 104_857_600,
  headersTimeoutMs: 30_000,
  keepAliveTimeoutMs: 130_000,
};

export type Exchange = Target & {
  method: string;
  headers: Record<string, string>;
  /** The peer, as `ip:port`. */
  remote: string;
  /** Rejects with BodyRefused; a chunked body reads as empty, as on a real host. */
  readBody(): Promise<Buffer[]>;
};

/** Without a `body`, or with an empty one, the reply has `Content-Length: 0`; otherwise it is chunked. */
export type Answer = { status: number; headers?: [string, string][]; body?: Uint8Array };

export type Kestrel = { server: Server; stop(graceMs: number): Promise<void> };

export function createKestrel(
  limits: Limits,
  respond: (exchange: Exchange) => Promise<Answer>,
  report: (error: unknown) => void,
): Kestrel {
  const lastResponse = new WeakMap<Duplex, ServerResponse>();
  const requestLines = new WeakMap<Duplex, RequestLine>();
  let stopping = false;

  async function serve(
    request: IncomingMessage,
    response: ServerResponse,
    awaitsContinue = false,
  ): Promise<void> {
    const { socket } = request;
    requestLines.get(socket)?.restart();
    request.once('end', () => requestLines.get(socket)?.restart());
    const earlier = lastResponse.get(socket);
    lastResponse.set(socket, response);
    // Pipelined requests are served one after the other, as Kestrel does.
    if (earlier && !earlier.closed) await once(earlier, 'close');

    const exchange = accept(request, limits.maxBodyBytes, () => awaitsContinue && response.writeContinue());
    if (typeof exchange === 'number') {
      closeWith(socket, exchange);
      return;
    }
    response.once('finish', () => {
      if (!request.complete)
        setTimeout(() => request.complete || request.destroy(), BODY_DRAIN_TIMEOUT_MS).unref();
    });
    try {
      const answer = await respond(exchange);
      if (stopping || request.httpVersion === '1.0') response.shouldKeepAlive = false;
      send(request, response, answer);
    } catch (error) {
      if (!(error instanceof BodyRefused)) report(error);
      if (error instanceof BodyRefused && error.reason === 'cut') socket.destroy();
      else closeWith(socket, 500);
      request.resume();
    }
  }

  const server = createServer(
    {
      // Kestrel prefers Transfer-Encoding to Content-Length and accepts a bare line feed; so does this parser.
      insecureHTTPParser: true,
      requireHostHeader: false,
      // Slightly above Kestrel's limit, so that this file can distinguish the limits.
      maxHeaderSize: MAX_REQUEST_LINE_BYTES + MAX_HEADERS_BYTES + 4096,
      headersTimeout: limits.headersTimeoutMs,
      connectionsCheckingInterval: 1000,
      requestTimeout: 0,
      keepAliveTimeout: limits.keepAliveTimeoutMs,
      keepAliveTimeoutBuffer: 0,
    },
    (request, response) => void serve(request, response).catch(report),
  );
  const connections = new Set<Duplex>();
  server.on('connection', (socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
    const line = new RequestLine();
    requestLines.set(socket, line);
    // Registered before the parser, which restarts the line after a request's head.
    socket.prependListener('data', (piece: Buffer) => line.read(piece));
  });
  server.on('checkContinue', (request, response) => void serve(request, response, true).catch(report));
  server.on('checkExpectation', (request, response) => void serve(request, response).catch(report));
  server.on('connect', (_, socket) => closeWith(socket, 404));
  server.on('clientError', (error: ParserError, socket) => {
    const response = lastResponse.get(socket);
    const status = refusal(error, requestLines.get(socket));
    if (status === undefined) socket.destroy();
    else if (!response || response.closed) closeWith(socket, status);
    else response.shouldKeepAlive = false;
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
      for (const socket of connections) if (lastResponse.get(socket)?.closed !== false) socket.destroy();
      return promise;
    },
  };
}

type ParserError = NodeJS.ErrnoException & { rawPacket?: Buffer };

/** The status for an error of the parser; undefined when the client is gone. */
function refusal(
  { code, rawPacket = Buffer.alloc(0) }: ParserError,
  requestLine: RequestLine | undefined,
): number | undefined {
  const lineEnd = rawPacket.indexOf('\n');
  switch (code) {
    case 'ECONNRESET':
    case 'EPIPE':
    case 'HPE_INVALID_EOF_STATE':
      return undefined;
    case 'HPE_INVALID_METHOD':
      // Kestrel accepts any verb, and no function does.
      return /^[\w!#$%&'*+.^`|~-]+ \S+ HTTP\/1\.[01]\r?$/.test(rawPacket.toString('latin1', 0, lineEnd))
        ? 404
        : 400;
    case 'HPE_HEADER_OVERFLOW':
      return requestLine?.isTooLong === true ? 414 : 431;
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return 408;
    default:
      return 400;
  }
}

/** The exchange, or the status with which Kestrel refuses it. */
function accept(request: IncomingMessage, maxBodyBytes: number, sendContinue: () => void): Exchange | number {
  const { method = '', url = '', rawHeaders, socket } = request;
  if (`${method} ${url} HTTP/1.1\r\n`.length > MAX_REQUEST_LINE_BYTES) return 414;
  const headers = readHeaders(rawHeaders);
  if (typeof headers === 'number') return headers;
  const codings = headers['transfer-encoding'];
  if (codings !== undefined) {
    if (!/(?:^|,)\s*chunked\s*$/i.test(codings)) return 400;
    const length = headers['content-length'];
    if (length !== undefined) {
      headers['x-content-length'] = length;
      delete headers['content-length'];
    }
  }
  if (headers.host === undefined && request.httpVersion === '1.1') return 400;
  if (!/^[\w\-.~%!$&'()*+;=:[\]]*$/.test(headers.host ?? '')) return 400; // a comma: sent twice
  const target = parseTarget(url);
  if (!target) return 400;

  return {
    ...target,
    method,
    headers,
    remote: `${socket.remoteAddress}:${socket.remotePort}`,
    readBody() {
      const length = Number(headers['content-length'] ?? 0);
      if (length === 0) return Promise.resolve([]);
      if (length > maxBodyBytes) return Promise.reject(new BodyRefused('too large'));
      sendContinue();
      return collect(request);
    },
  };
}

function readHeaders(raw: string[]): Record<string, string> | number {
  if (raw.length > 2 * MAX_HEADERS) return 431;
  const headers: Record<string, string> = {};
  let bytes = 2;
  for (let index = 0; index < raw.length; index += 2) {
    const name = raw[index]!.toLowerCase();
    let value = raw[index + 1]!;
    bytes += name.length + value.length + ': \r\n'.length;
    // oxlint-disable-next-line no-control-regex -- the parser decodes bytes as Latin-1, Kestrel as UTF-8
    if (/[^\x01-\x7f]/.test(value)) {
      value = Buffer.from(value, 'latin1').toString('utf8');
      if (/[\0\uFFFD]/.test(value)) return 400;
    }
    headers[name] = name in headers ? `${headers[name]},${value}` : value;
  }
  return bytes > MAX_HEADERS_BYTES ? 431 : headers;
}

function send(request: IncomingMessage, response: ServerResponse, answer: Answer): void {
  const { status, headers = [], body } = answer;
  const fields: string[] = [];
  for (const [name, value] of headers) fields.push(name, value);
  const names = new Set(headers.map(([name]) => name.toLowerCase()));
  if (!names.has('server')) fields.push('Server', 'Kestrel');
  const sizeIsImplied = request.method === 'HEAD' || status === 204 || status === 304;
  if (!body?.byteLength && !sizeIsImplied && !names.has('content-length')) fields.push('Content-Length', '0');
  if (response.shouldKeepAlive) response.removeHeader('Connection');
  response.writeHead(status, fields);
  response.end(body);
}

/** Replies without a body, then closes the connection after giving the client time to read the reply. */
function closeWith(socket: Duplex, status: number): void {
  if (socket.writableEnded) return;
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Length: 0',
    'Connection: close',
    `Date: ${new Date().toUTCString()}`,
    'Server: Kestrel',
  ];
  socket.on('error', () => socket.destroy());
  socket.end(`${lines.join('\r\n')}\r\n\r\n`);
  socket.resume();
  setTimeout(() => socket.destroy(), BODY_DRAIN_TIMEOUT_MS).unref();
}
