// How the host and its worker talk: length-prefixed frames over one pipe, in both directions.
//
//     u32le length of head | u32le length of body | head (JSON, UTF-8) | body (raw bytes)
//
// Bodies never pass through JSON, base64 or a structured clone: the writer hands its buffers to the socket as
// they are, the reader copies each byte once into a buffer of the final size. Azure's host speaks gRPC here.
import type { Socket } from 'node:net';

const PREFIX_BYTES = 8;
const NO_BODY = Buffer.alloc(0);

/** Sends one frame. The body may come in pieces; they are written one after the other without being joined. */
export function writeFrame(socket: Socket, head: unknown, body: readonly Uint8Array[] = []): void {
  let bodyBytes = 0;
  for (const piece of body) bodyBytes += piece.byteLength;
  const json = JSON.stringify(head);
  const headBytes = Buffer.byteLength(json);
  const start = Buffer.allocUnsafe(PREFIX_BYTES + headBytes);
  start.writeUInt32LE(headBytes, 0);
  start.writeUInt32LE(bodyBytes, 4);
  start.write(json, PREFIX_BYTES);
  if (bodyBytes === 0) {
    socket.write(start);
    return;
  }
  socket.cork();
  socket.write(start);
  for (const piece of body) socket.write(piece);
  socket.uncork();
}

/** Calls `receive` for each whole frame. `body` is empty when the frame had none, and belongs to the receiver. */
export function readFrames<Head>(socket: Socket, receive: (head: Head, body: Buffer) => void): void {
  let part = Buffer.allocUnsafe(PREFIX_BYTES);
  let filled = 0;
  let state: 'prefix' | 'head' | 'body' = 'prefix';
  let bodyBytes = 0;
  let head: Head;

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
      head = JSON.parse(part.toString('utf8')) as Head;
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

  socket.on('data', (chunk: Buffer) => {
    let offset = 0;
    while (offset < chunk.length) {
      const copied = chunk.copy(part, filled, offset);
      offset += copied;
      filled += copied;
      if (filled === part.length) partComplete();
    }
  });
}
