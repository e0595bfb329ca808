import { createFairQueue } from '../fair-queue.ts';
import { workerUrl } from '../worker-url.ts';
import type { DecodeOrder, PixelCheck, Thumbnail } from './decode-job.ts';
import { type DecoderProcess, DecodeTimeout, startDecoderProcess } from './decoder-process.ts';
import { heldBytes, type ImageFacts, isCostly } from './facts.ts';
import { stripMetadata } from './strip-metadata.ts';

export type DecodeResult = PixelCheck | Trouble;
export type ThumbnailResult = Thumbnail | Trouble;

type Trouble =
  /**
   * Only `undecodable` and `too_many_pixels` are the picture's fault; the others may go better later.
   * `caller_limit`: this caller has too many pictures waiting already, whatever others do.
   */
  | { ok: false; reason: 'too_many_pixels' | 'caller_limit' | 'busy' | 'timeout'; detail: string }
  | { ok: false; reason: 'failed'; detail: string; cause?: unknown };

/** On whose behalf a picture is decoded. */
export interface DecodeCaller {
  id: string;
  /** New pictures that may wait for this caller's turn, beside the one that is being decoded. */
  maxWaiting: number;
}

export type ImageDecoder = {
  /**
   * Decodes all pixels of a picture that `inspectImage` has accepted, and compares their size with the header's.
   * Copies the picture once, when its turn comes; `bytes` stay usable. Never rejects.
   */
  check(bytes: Uint8Array, facts: ImageFacts): Promise<DecodeResult>;
  /** An upright JPEG of the picture whose longest side is at most `side` pixels; as `check` otherwise. */
  thumbnail(bytes: Uint8Array, facts: ImageFacts, side: number): Promise<ThumbnailResult>;
  /** Ends all processes; jobs that wait or run are answered with `failed`. */
  close(): Promise<void>;
};

export type SharedImageDecoder = ImageDecoder & {
  /** The same decoder on behalf of one caller: callers take turns. What no caller is named for is one caller's. */
  forCaller(caller: DecodeCaller): Pick<ImageDecoder, 'check' | 'thumbnail'>;
};

export type ImageDecoderOptions = {
  /** Larger pictures are refused before anything is decoded. */
  maxPixels?: number;
  /** Jobs that may wait, of all callers together; beyond: `busy`. They hold the caller's bytes, not copies. */
  maxQueued?: number;
  /** Waiting longer than this is `busy`. */
  maxWaitMs?: number;
  /** Decoding longer than this is ended with its process. */
  timeoutMs?: number;
  /** A process without work ends after this time and gives its memory back. */
  idleMs?: number;
  /** Pictures decoded at once, each in a process of its own and each of another caller. */
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
 * Thumbnails that may wait for one caller: as many as an instance answers requests at once, so that a page of photos
 * comes whole. Each is of a picture that was accepted before, and is made once.
 */
const MAX_WAITING_THUMBNAILS = 16;

/** What pictures that must be held whole may need at once, beside one that needs more alone. */
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
  detail: 'Other pictures of yours are still being checked; send this one again after them.',
};
const tooLong: Trouble = { ok: false, reason: 'timeout', detail: 'Decoding the picture took too long.' };

/**
 * Decodes pictures in processes of their own, so that the event loop stays free, memory is bounded, a picture that
 * takes too long can be ended, and none that breaks the decoder breaks the service. Callers take turns, and one at a
 * time is served of each: nobody waits for more than the pictures under way and one of each other caller. Processes
 * start with the first job and are replaced when they fail, hang or have grown large.
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

  /** A costly picture ends its process: it takes the youngest and leaves those that are warm to others. */
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
      // One that does not fit is waited for: passed over, it would wait as long as smaller ones come.
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
    if (spent !== false || closed) void child.kill();
    // Another one in its place, or the next caller would pay for the start.
    if (spent !== undefined && !closed) keepForNext(spent ? startProcess() : child);
    job.resolve(outcome);
    startNext();
  }

  /** Never rejects. The native decoders see no metadata. Without `spent` the process has failed. */
  async function decode(child: DecoderProcess, { bytes, facts, order }: Job) {
    const { type, widthPx, heightPx } = facts;
    try {
      const pieces = stripMetadata(bytes, facts);
      const picture = { pieces, type, widthPx, heightPx, isCostly: isCostly(facts) };
      const { result, spent } = await child.run({ ...order, ...picture });
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

  // The process answers each order in its own form.
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
