// A host on a fixture app, and a client that sends bytes as they are.
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { startHost } from '../host.ts';
import type { Host, HostOptions } from '../host.ts';

export type RunningHost = Host & {
  /** What the app and the host wrote, line by line. */
  lines: string[];
  /** Resolves with the first line that matches, written before or after the call. */
  line(pattern: RegExp): Promise<string>;
};

export const APPS = fileURLToPath(new URL('apps', import.meta.url));

/** Starts a host, by default on apps/main.ts, that the caller stops; see `hostFor` for one that ends with the test. */
export async function runHost(options: Partial<HostOptions> = {}): Promise<RunningHost> {
  const lines: string[] = [];
  const waiting = new Set<(line: string) => void>();
  const output = (line: string) => {
    lines.push(line);
    waiting.forEach((look) => look(line));
  };
  const host = await startHost({ app: APPS, output, restartDelayMs: 300, ...options });
  return Object.assign(host, {
    lines,
    line(pattern: RegExp) {
      const known = lines.find((line) => pattern.test(line));
      if (known !== undefined) return Promise.resolve(known);
      const { promise, resolve } = Promise.withResolvers<string>();
      const look = (line: string) => {
        if (!pattern.test(line)) return;
        waiting.delete(look);
        resolve(line);
      };
      waiting.add(look);
      return promise;
    },
  });
}

export async function hostFor(options: Partial<HostOptions> = {}): Promise<RunningHost> {
  const host = await runHost(options);
  onTestFinished(() => host.stop());
  return host;
}

export type RawReply = {
  status: number;
  /** By name in lower case, in the order of sending. */
  headers: Record<string, string[]>;
  body: Buffer;
  text: string;
};

/** Sends these bytes, and gives all replies that come until the host closes the connection. */
export async function sendRaw(host: Host, ...pieces: (string | Uint8Array)[]): Promise<RawReply[]> {
  const socket = await open(host);
  const received = receive(socket);
  for (const piece of pieces) socket.write(piece);
  return parseReplies(await received);
}

/** One request that asks for the connection to be closed, so that exactly one reply comes. */
export async function request(
  host: Host,
  line: string,
  headers: string[] = [],
  body: string | Uint8Array = '',
): Promise<RawReply> {
  const length = body.length > 0 ? [`Content-Length: ${Buffer.byteLength(body)}`] : [];
  const head = [`${line} HTTP/1.1`, 'Host: app.test', 'Connection: close', ...length, ...headers, '', ''];
  const replies = await sendRaw(host, head.join('\r\n'), body);
  if (replies.length !== 1) throw new Error(`${line}: ${replies.length} replies instead of one`);
  return replies[0]!;
}

export function open(host: { port: number }): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const socket = connect({ port: host.port, host: '127.0.0.1', allowHalfOpen: true }, () => resolve(socket));
  socket.once('error', reject);
  return promise;
}

/** All bytes until the other side closes. A reset ends them too: what came before counts. */
export function receive(socket: Socket): Promise<Buffer> {
  const { promise, resolve } = Promise.withResolvers<Buffer>();
  const pieces: Buffer[] = [];
  const end = () => resolve(Buffer.concat(pieces));
  socket.on('data', (piece) => pieces.push(piece));
  socket.on('error', end);
  socket.on('close', end);
  socket.on('end', () => {
    end();
    socket.end();
  });
  return promise;
}

export function parseReplies(bytes: Buffer): RawReply[] {
  const replies: RawReply[] = [];
  let rest = bytes;
  while (rest.length > 0) {
    const headEnd = rest.indexOf('\r\n\r\n');
    if (headEnd === -1) throw new Error(`no whole reply: ${rest.toString('latin1').slice(0, 200)}`);
    const [statusLine = '', ...lines] = rest.subarray(0, headEnd).toString('latin1').split('\r\n');
    const headers: Record<string, string[]> = {};
    for (const line of lines) {
      const colon = line.indexOf(': ');
      (headers[line.slice(0, colon).toLowerCase()] ??= []).push(line.slice(colon + 2));
    }
    const { body, used } = readBody(rest.subarray(headEnd + 4), headers);
    rest = rest.subarray(headEnd + 4 + used);
    replies.push({ status: Number(statusLine.split(' ')[1]), headers, body, text: body.toString('utf8') });
  }
  return replies;
}

function readBody(bytes: Buffer, headers: Record<string, string[]>): { body: Buffer; used: number } {
  if (headers['transfer-encoding']?.[0] !== 'chunked') {
    const length = Math.min(Number(headers['content-length']?.[0] ?? 0), bytes.length);
    return { body: bytes.subarray(0, length), used: length };
  }
  const chunks: Buffer[] = [];
  let offset = 0;
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', offset);
    const size = Number.parseInt(bytes.toString('latin1', offset, lineEnd), 16);
    chunks.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
    offset = lineEnd + 2 + size + 2;
    if (size === 0) return { body: Buffer.concat(chunks), used: offset };
  }
}

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
