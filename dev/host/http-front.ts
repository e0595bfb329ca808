// The HTTP side: what Kestrel and the Functions host do with a request before and after the function.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Match } from './router.ts';
import type { RequestHead } from './messages.ts';
import type { WorkerReply } from './worker-process.ts';

export type Front = {
  match(method: string, path: string): Match | undefined;
  invoke(id: string, functionName: string, http: RequestHead, body: Buffer[]): Promise<WorkerReply>;
  fatal(): string | undefined;
};

export function createFront(front: Front): Server {
  return createServer((request, response) => void serve(front, request, response));
}

async function serve(front: Front, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [rawPath = '/', query = ''] = splitOnce(request.url ?? '/', '?');
  const path = decodeURIComponent(rawPath);
  const match = front.match(request.method ?? 'GET', path);
  if (!match) return answer(response, 404);
  const body = request.headers['transfer-encoding'] === undefined ? await readBody(request) : [];
  const http: RequestHead = {
    method: request.method ?? 'GET',
    url: `http://${request.headers.host}${request.url}`,
    headers: joinPairs(request.rawHeaders),
    query: Object.fromEntries(new URLSearchParams(query)),
    params: match.params,
  };
  const reply = await front.invoke(randomUUID(), match.info.name, http, body);
  if (reply.type === 'error') return answer(response, 500);
  if (reply.type === 'empty') return answer(response, 204);
  answer(response, reply.status, reply.headers, reply.body);
}

async function readBody(request: IncomingMessage): Promise<Buffer[]> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return pieces;
}

function joinPairs(raw: string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (let index = 0; index < raw.length; index += 2) {
    const name = raw[index]!.toLowerCase();
    const value = raw[index + 1]!;
    headers[name] = name in headers ? `${headers[name]},${value}` : value;
  }
  return headers;
}

function answer(
  response: ServerResponse,
  status: number,
  headers: Record<string, string> = {},
  body: Buffer = Buffer.alloc(0),
): void {
  response.setHeader('Server', 'Kestrel');
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.removeHeader('Connection');
  if (body.length === 0) response.setHeader('Content-Length', 0);
  response.writeHead(status);
  if (body.length > 0) response.write(body);
  response.end();
}

function splitOnce(text: string, separator: string): [string, string] {
  const index = text.indexOf(separator);
  return index === -1 ? [text, ''] : [text.slice(0, index), text.slice(index + 1)];
}
