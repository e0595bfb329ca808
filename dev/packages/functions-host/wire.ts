// The protocol between host and worker: length-prefixed frames over one pipe, in both directions.
//
//     u32le bytes of head | u32le bytes of body | head (JSON, UTF-8) | body (raw)
//
// Bodies never pass through JSON, base64 or a structured clone: the writer passes its buffers to the socket
// unchanged, the reader copies each byte once into a buffer of the final size. Azure's host uses gRPC here.
import type { Socket } from 'node:net';

/** A registration of an app: the metadata that `@azure/functions` passes to its core module. */
export type RegisteredFunction = { name: string; bindings: Record<string, Binding> };

export type Binding = {
  type: string;
  direction: 'in' | 'out';
  route?: string;
  methods?: string[];
  authLevel?: string;
  schedule?: string;
};

/** An HTTP request without its body. Header names are in lower case; repeated values are joined by a comma. */
export type RequestHead = {
  method: string;
  url: string;
  headers: Record<string, string>;
  query: Record<string, string>;
  params: Record<string, string>;
};

/** The trigger data of a function: an HTTP request, or the payload of a timer as JSON. */
export type Call = { http: RequestHead } | { data: string };

export type ReplyHead = { status: number; headers: [string, string][]; cookies: Cookie[] };

export type Cookie = {
  name: string;
  value: string;
  domain?: string;
  path?: string;
  /** Seconds since 1970. */
  expires?: number;
  secure?: boolean;
  httpOnly?: boolean;
  /** `none`: the attribute is left out; `explicitNone`: `samesite=none`. */
  sameSite: 'none' | 'lax' | 'strict' | 'explicitNone';
  /** Seconds. */
  maxAge?: number;
};

export type ToWorker = ({ type: 'invoke'; id: string; functionName: string } & Call) | { type: 'terminate' };

export type FromWorker =
  | { type: 'started'; functions: RegisteredFunction[] }
  | { type: 'failed'; message: string }
  | { type: 'reply'; id: string; http: ReplyHead }
  /** The function succeeded without an HTTP response. */
  | { type: 'done'; id: string }
  | { type: 'error'; id: string; message: string }
  /** `id`: of the invocation that logs. */
  | { type: 'log'; level: string; category: string; message: string; id?: string };

const PREFIX_BYTES = 8;
const NO_BODY = Buffer.alloc(0);

/** Sends one frame. The chunks of the body are written one after the other without being joined. */
export function writeFrame(
  socket: Socket,
  head: ToWorker | FromWorker,
  body: readonly Uint8Array[] = [],
): void {
  let bodyBytes = 0;
  for (const piece of body) bodyBytes += piece.byteLength;
  const json = JSON.stringify(head);
  const headBytes = Buffer.byteLength(json);
  const start = Buffer.allocUnsafe(PREFIX_BYTES + headBytes);
  start.writeUInt32LE(headBytes, 0);
  start.writeUInt32LE(bodyBytes, 4);
  start.write(json, PREFIX_BYTES);
  if (socket.writableCorked === 0) {
    // Frames of one turn of the event loop are sent in one system call.
    socket.cork();
    process.nextTick(() => socket.uncork());
  }
  socket.write(start);
  for (const piece of body) socket.write(piece);
}

/**
 * Returns a function that takes the bytes as they arrive and calls `receive` for each complete frame. `body` belongs to the
 * receiver; it is empty for a frame without one.
 */
export function frameReader(receive: (head: unknown, body: Buffer) => void): (chunk: Buffer) => void {
  let part = Buffer.allocUnsafe(PREFIX_BYTES);
  let filled = 0;
  let state: 'prefix' | 'head' | 'body' = 'prefix';
  let bodyBytes = 0;
  let head: unknown;

  function expect(next: typeof state, bytes: number): void {
    state = next;
    part = Buffer.allocUnsafe(bytes);
    filled = 0;
  }

  function partComplete(): void {
    if (state === 'prefix') {
      bodyBytes = part.readUInt32LE(4);
      expect('head', part.readUInt32LE(0));
    } else if (state === 'head') {
      head = JSON.parse(part.toString('utf8'));
      if (bodyBytes > 0) {
        expect('body', bodyBytes);
      } else {
        expect('prefix', PREFIX_BYTES);
        receive(head, NO_BODY);
      }
    } else {
      const body = part;
      expect('prefix', PREFIX_BYTES);
      receive(head, body);
    }
  }

  return (chunk) => {
    let offset = 0;
    while (offset < chunk.length) {
      const copied = chunk.copy(part, filled, offset);
      offset += copied;
      filled += copied;
      if (filled === part.length) partComplete();
    }
  };
}
