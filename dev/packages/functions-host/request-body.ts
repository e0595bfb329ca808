// A request body with a length, read as a whole.
import type { IncomingMessage } from 'node:http';

/** `cut`: the client disconnected before the end. */
export class BodyRefused extends Error {
  readonly reason: 'too large' | 'too slow' | 'cut';

  constructor(reason: BodyRefused['reason']) {
    super(`the request body is ${reason}`);
    this.reason = reason;
  }
}

// Kestrel's minimum data rate (KestrelServerLimits.MinRequestBodyDataRate, TimeoutControl.cs): checked once a second as the
// average since the start; after the grace period it must not be below the minimum.
const MIN_BODY_BYTES_PER_SECOND = 240;
const BODY_GRACE_SECONDS = 5;
const heartbeats = new Set<() => void>();
let heart: NodeJS.Timeout | undefined;

/** The chunks as received, not joined. Rejects with BodyRefused. */
export function collect(request: IncomingMessage): Promise<Buffer[]> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer[]>();
  const pieces: Buffer[] = [];
  let bytes = 0;
  let seconds = 0;

  function beat(): void {
    seconds += 1;
    if (seconds > BODY_GRACE_SECONDS && bytes / seconds < MIN_BODY_BYTES_PER_SECOND) {
      reject(new BodyRefused('too slow'));
    }
  }

  request.on('data', (piece: Buffer) => {
    pieces.push(piece);
    bytes += piece.length;
  });
  request.on('end', () => resolve(pieces));
  request.on('error', () => {}); // "close" follows
  request.on('close', () => {
    if (!request.complete) reject(new BodyRefused('cut'));
  });

  heartbeats.add(beat);
  heart ??= setInterval(() => heartbeats.forEach((each) => each()), 1000).unref();
  return promise.finally(() => {
    heartbeats.delete(beat);
    if (heartbeats.size > 0) return;
    clearInterval(heart);
    heart = undefined;
  });
}
