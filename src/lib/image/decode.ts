import { createFairQueue } from '../concurrency/fair-queue.ts';
import { workerUrl } from '../app/worker-url.ts';
import type { DecodeOrder, PixelCheck, Thumbnail } from './decode-job.ts';
import { type DecoderProcess, DecodeTimeout, startDecoderProcess } from './decoder-process.ts';
import { heldBytes, type ImageFacts, isCostly } from './facts.ts';
import { stripMetadata } from './strip-metadata.ts';

export type DecodeResult = PixelCheck | Trouble;
export type ThumbnailResult = Thumbnail | Trouble;

type Trouble =
  /**
   * Only `undecodable` and `too_many_pixels` are caused by the picture; after the others a retry can help.
   * `caller_limit`: this caller already has too many pictures waiting.
   */
  | { ok: false; reason: 'too_many_pixels' | 'caller_limit' | 'busy' | 'timeout'; detail: string }
  | { ok: false; reason: 'failed'; detail: string; cause?: unknown };

/** The caller that a picture is decoded for. */
export interface DecodeCaller {
  id: string;
  /** Pictures that may wait for this caller's turn, besides the one being decoded. */
  maxWaiting: number;
}

export type ImageDecoder = {
  /**
   * Decodes all pixels of a picture that `inspectImage` accepted and compares their size with the header. `bytes` stay
   * usable and must not change meanwhile. Never rejects.
   */
  check(bytes: Uint8Array, facts: ImageFacts): Promise<DecodeResult>;
  /** Makes an upright JPEG with a longest side of at most `side` pixels; otherwise like `check`. */
  thumbnail(bytes: Uint8Array, facts: ImageFacts, side: number): Promise<ThumbnailResult>;
  /** Ends all processes; waiting and running jobs resolve with `failed`. */
  close(): Promise<void>;
};

export type SharedImageDecoder = ImageDecoder & {
  /** The same decoder for one caller; callers take turns. Jobs without a caller count as one caller. */
  forCaller(caller: DecodeCaller): Pick<ImageDecoder, 'check' | 'thumbnail'>;
};

export type ImageDecoderOptions = {
  /** Larger pictures are refused before decoding. */
  maxPixels?: number;
  /** Jobs that may wait, all callers together; a further one is `busy`. Jobs refer to the caller's bytes, not to copies. */
  maxQueued?: number;
  /** A job that waits longer resolves with `busy`. */
  maxWaitMs?: number;
  /** A job that runs longer resolves with `timeout`, and its process is killed. */
  timeoutMs?: number;
  /** An idle process ends after this time, which releases its memory. */
  idleMs?: number;
  /** Pictures decoded at once, each in its own process and each for another caller. */
  processes?: number;
  /** For tests. */
  worker?: URL;
};

type AnyResult = DecodeResult | ThumbnailResult;

type Job = {
  caller: DecodeCaller;
  bytes: Uint8Array;
  facts: ImageFacts;
  order: DecodeOrder;
  resolve: (result: AnyResult) => void;
  waitTimer: NodeJS.Timeout;
};

/**
 * Thumbnails that may wait for one caller: as many as an instance serves requests at once, so that a page of photos loads
 * completely. Each picture was accepted before, and its thumbnail is made only once.
 */
const MAX_WAITING_THUMBNAILS = 16;

/** Memory for pictures that decoders hold whole, all running jobs together; a single larger picture runs alone. */
const HELD_BYTES = 512 * 1024 * 1024;

const failed = (cause?: unknown): Trouble => ({
  ok: false,
  reason: 'failed',
  detail: 'The image decoder stopped unexpectedly.',
  cause,
});
const shutDown: Trouble = { ok: false, reason: 'failed', detail: 'The image decoder is closed.' };
const busy: Trouble = { ok: false, reason: 'busy', detail: 'Too many pictures are being checked.' };
const callerLimit: Trouble = {
  ok: false,
  reason: 'caller_limit',
  detail: 'Your other pictures are still being checked; send this one again later.',
};
const tooLong: Trouble = { ok: false, reason: 'timeout', detail: 'Decoding the picture took too long.' };

/**
 * Decodes pictures in separate processes, so that the event loop stays free, memory is bounded, a slow picture can be
 * killed, and a picture that crashes the decoder does not crash the service. Callers take turns with one picture at a
 * time: a caller waits at most for the running pictures and for one of each other caller. Processes start with the first
 * job and are replaced when they fail, hang or have grown large.
 */
export function createImageDecoder(options: ImageDecoderOptions = {}): SharedImageDecoder {
  const { maxPixels = 50_000_000, maxQueued = 32, maxWaitMs = 10_000, timeoutMs = 3000 } = options;
  const { idleMs = 30_000, processes = 2 } = options;
  const { worker: file = workerUrl('./decode-worker.ts', import.meta.url) } = options;
  const queue = createFairQueue<Job>();
  const running = new Map<DecoderProcess, Job>();
  const idle = new Map<DecoderProcess, NodeJS.Timeout>();
  let closed = false;
  const anyCaller: DecodeCaller = { id: '', maxWaiting: Infinity };

  /** A costly picture ends its process, so it takes the youngest one and leaves the warm ones to others. */
  function takeProcess(facts: ImageFacts): DecoderProcess {
    for (const known of isCostly(facts) ? [...idle.keys()].toReversed() : idle.keys()) {
      forget(known);
      if (known.isAlive()) return known;
    }
    return startProcess();
  }

  function startProcess(): DecoderProcess {
    const started = startDecoderProcess(file, { timeoutMs });
    started.onEnd(() => forget(started));
    return started;
  }

  function forget(child: DecoderProcess) {
    clearTimeout(idle.get(child));
    idle.delete(child);
  }

  function keepForNext(child: DecoderProcess) {
    const timer = setTimeout(() => {
      forget(child);
      void child.kill();
    }, idleMs).unref();
    idle.set(child, timer);
  }

  function hasTooManyWaiting({ id, maxWaiting }: DecodeCaller, { kind }: DecodeOrder): boolean {
    const allowed = kind === 'thumbnail' ? Math.max(maxWaiting, MAX_WAITING_THUMBNAILS) : maxWaiting;
    return queue.itemsOf(id).filter(({ order }) => order.kind === kind).length >= allowed;
  }

  const isServed = (caller: string) => [...running.values()].some((job) => job.caller.id === caller);

  function fits(facts: ImageFacts): boolean {
    const held = [...running.values()].reduce((sum, job) => sum + heldBytes(job.facts), 0);
    return held === 0 || held + heldBytes(facts) <= HELD_BYTES;
  }

  const nextInTurn = () => queue.peek((caller) => !isServed(caller));

  function mustWait(caller: string, facts: ImageFacts): boolean {
    return running.size >= processes || isServed(caller) || nextInTurn() !== undefined || !fits(facts);
  }

  function startNext() {
    while (running.size < processes) {
      const next = nextInTurn();
      // A picture that does not fit blocks the queue; otherwise smaller ones could overtake it for ever.
      if (next === undefined || !fits(next.item.facts)) return;
      queue.remove(next.key, next.item);
      clearTimeout(next.item.waitTimer);
      void serve(next.item);
    }
  }

  async function serve(job: Job) {
    let child: DecoderProcess;
    try {
      child = takeProcess(job.facts);
    } catch (cause) {
      job.resolve(failed(cause));
      return;
    }
    running.set(child, job);
    const { outcome, spent } = await decode(child, job);
    running.delete(child);
    queue.served(job.caller.id);
    job.resolve(outcome);
    if (spent !== false || closed) void child.kill();
    try {
      // Replaces the process now, so that the next caller does not wait for its start.
      if (spent !== undefined && !closed) keepForNext(spent ? startProcess() : child);
    } catch {
      // The next job starts a process itself, and fails with the cause if that is impossible.
    }
    startNext();
  }

  /** Never rejects. The native decoders see no metadata. `spent` is undefined when the process failed. */
  async function decode(child: DecoderProcess, { bytes, facts, order }: Job) {
    const { type, widthPx, heightPx } = facts;
    try {
      const pieces = stripMetadata(bytes, facts);
      const length = pieces.reduce((sum, piece) => sum + piece.byteLength, 0);
      const picture = { bytes: length, type, widthPx, heightPx, isCostly: isCostly(facts) };
      const { result, spent } = await child.run({ ...order, ...picture }, pieces);
      return { outcome: result, spent };
    } catch (error) {
      const outcome = error instanceof DecodeTimeout ? tooLong : failed(error);
      return { outcome: closed ? shutDown : outcome };
    }
  }

  function enqueue(
    bytes: Uint8Array,
    facts: ImageFacts,
    order: DecodeOrder,
    caller: DecodeCaller,
  ): Promise<AnyResult> {
    if (facts.widthPx * facts.heightPx > maxPixels) {
      const detail = `The picture has more than ${maxPixels / 1e6} megapixels.`;
      return Promise.resolve({ ok: false, reason: 'too_many_pixels', detail });
    }
    if (closed) return Promise.resolve(shutDown);
    if (mustWait(caller.id, facts)) {
      if (hasTooManyWaiting(caller, order)) return Promise.resolve(callerLimit);
      if (queue.length >= maxQueued) return Promise.resolve(busy);
    }
    return new Promise((resolve) => {
      const waitTimer = setTimeout(() => {
        queue.remove(caller.id, job);
        resolve(busy);
      }, maxWaitMs);
      const job: Job = { caller, bytes, facts, order, resolve, waitTimer };
      queue.push(caller.id, job);
      startNext();
    });
  }

  // The process replies to each kind of order with its own result type.
  const decoderFor = (caller: DecodeCaller) => ({
    check: (bytes: Uint8Array, facts: ImageFacts) =>
      enqueue(bytes, facts, { kind: 'check' }, caller) as Promise<DecodeResult>,
    thumbnail: (bytes: Uint8Array, facts: ImageFacts, side: number) =>
      enqueue(bytes, facts, { kind: 'thumbnail', side }, caller) as Promise<ThumbnailResult>,
  });

  return {
    ...decoderFor(anyCaller),
    forCaller: decoderFor,

    async close() {
      closed = true;
      for (const job of queue.all()) {
        clearTimeout(job.waitTimer);
        queue.remove(job.caller.id, job);
        job.resolve(shutDown);
      }
      const all = [...idle.keys(), ...running.keys()];
      await Promise.all(all.map((child) => child.kill()));
    },
  };
}
