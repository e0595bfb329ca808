import { Worker } from 'node:worker_threads';

import { workerUrl } from '../worker-url.ts';
import type { DecodeJob, DecodeOrder, DecodeReply, PixelCheck, Thumbnail } from './decode-job.ts';
import type { ImageFacts } from './facts.ts';

export type DecodeResult = PixelCheck | Trouble;
export type ThumbnailResult = Thumbnail | Trouble;

type Trouble =
  /** Only `undecodable` and `too_many_pixels` are the picture's fault; the others may go better later. */
  | { ok: false; reason: 'too_many_pixels' | 'busy' | 'timeout'; detail: string }
  | { ok: false; reason: 'failed'; detail: string; cause?: unknown };

export type ImageDecoder = {
  /**
   * Decodes all pixels of a picture that `inspectImage` has accepted, and compares their size with the header's.
   * Copies the picture once, when its turn comes; `bytes` stay usable. Never rejects.
   */
  check(bytes: Uint8Array, facts: ImageFacts): Promise<DecodeResult>;
  /** An upright JPEG of the picture whose longest side is at most `side` pixels; as `check` otherwise. */
  thumbnail(bytes: Uint8Array, facts: ImageFacts, side: number): Promise<ThumbnailResult>;
  /** Ends the worker; jobs that wait or run are answered with `failed`. */
  close(): Promise<void>;
};

export type ImageDecoderOptions = {
  /** Larger pictures are refused before anything is decoded. */
  maxPixels?: number;
  /** Jobs that may wait for the one that runs; beyond: `busy`. They hold the caller's bytes, not copies. */
  maxQueued?: number;
  /** Waiting longer than this for the worker is `busy`. */
  maxWaitMs?: number;
  /** Decoding longer than this is ended with its worker. */
  timeoutMs?: number;
  /** A worker without work ends after this time and gives its memory back. */
  idleMs?: number;
  /** For tests. */
  worker?: URL;
};

type AnyResult = DecodeResult | ThumbnailResult;

type Waiting = {
  bytes: Uint8Array;
  facts: ImageFacts;
  order: DecodeOrder;
  resolve: (result: AnyResult) => void;
  waitTimer: NodeJS.Timeout;
};

type Running = { worker: Worker; resolve: (result: AnyResult) => void; timer: NodeJS.Timeout };

const failed = (cause?: unknown): Trouble => ({
  ok: false,
  reason: 'failed',
  detail: 'The image decoder stopped unexpectedly.',
  cause,
});
const shutDown: Trouble = { ok: false, reason: 'failed', detail: 'The image decoder is closed.' };
const busy: Trouble = { ok: false, reason: 'busy', detail: 'Too many pictures are being checked.' };

/**
 * Decodes pictures one after another in a worker thread, so that the event loop stays free and memory is bounded
 * by one picture (see `loadJpegDecoder`). The worker starts with the first job, is replaced when it fails, hangs
 * or has grown large, and holds the process open only while it works.
 */
export function createImageDecoder(options: ImageDecoderOptions = {}): ImageDecoder {
  const { maxPixels = 50_000_000, maxQueued = 32, maxWaitMs = 10_000, timeoutMs = 10_000 } = options;
  const { idleMs = 30_000, worker: workerFile = workerUrl('./decode-worker.ts', import.meta.url) } = options;
  const waiting = new Set<Waiting>();
  let running: Running | null = null;
  let idle: { worker: Worker; timer: NodeJS.Timeout } | null = null;
  let closed = false;

  function startWorker(): Worker {
    const worker = new Worker(workerFile, {
      name: 'image-decoder',
      execArgv: [], // flags such as --input-type are meant for the main thread's file
      resourceLimits: { maxOldGenerationSizeMb: 64 }, // JavaScript only; pictures live outside of it
    });
    let cause: unknown;
    worker.on('message', (reply: DecodeReply) => {
      if (reply.spent) void worker.terminate();
      finish(worker, reply.result, !reply.spent);
    });
    // Followed by the exit. Without a listener it would end the process.
    worker.on('error', (error) => {
      cause = error;
    });
    worker.on('exit', () => {
      if (idle?.worker === worker) takeIdle();
      finish(worker, closed ? shutDown : failed(cause), false);
    });
    return worker;
  }

  function takeIdle(): Worker | undefined {
    const worker = idle?.worker;
    clearTimeout(idle?.timer);
    idle = null;
    return worker;
  }

  /** Answers the job that `worker` runs, if it does; a worker that is still good waits for the next. */
  function finish(worker: Worker, result: AnyResult, reusable: boolean) {
    if (running?.worker !== worker) return;
    const { resolve, timer } = running;
    clearTimeout(timer);
    running = null;
    if (reusable) {
      worker.unref();
      const idleTimer = setTimeout(() => void takeIdle()?.terminate(), idleMs).unref();
      idle = { worker, timer: idleTimer };
    }
    resolve(result);
    startNext();
  }

  function startNext() {
    const [job] = waiting;
    if (job === undefined || running !== null || closed) return;
    leaveQueue(job);
    try {
      start(job);
    } catch (cause) {
      // No thread or no memory for the copy: the next jobs may be smaller.
      job.resolve(failed(cause));
      queueMicrotask(startNext);
    }
  }

  function start(job: Waiting) {
    // Not `bytes` itself: posting a view would clone the whole request behind it. The copy is moved, not cloned.
    const bytes = new Uint8Array(job.bytes.subarray(0, job.facts.endOffset));
    const worker = takeIdle() ?? startWorker();
    worker.ref();
    const timer = setTimeout(() => {
      void worker.terminate();
      const detail = 'Decoding the picture took too long.';
      finish(worker, { ok: false, reason: 'timeout', detail }, false);
    }, timeoutMs);
    running = { worker, resolve: job.resolve, timer };
    const message: DecodeJob = { ...job.order, bytes, facts: job.facts };
    worker.postMessage(message, [bytes.buffer]);
  }

  function leaveQueue(job: Waiting) {
    clearTimeout(job.waitTimer);
    waiting.delete(job);
  }

  function enqueue(bytes: Uint8Array, facts: ImageFacts, order: DecodeOrder): Promise<AnyResult> {
    if (facts.widthPx * facts.heightPx > maxPixels) {
      const detail = `The picture has more than ${maxPixels / 1e6} megapixels.`;
      return Promise.resolve({ ok: false, reason: 'too_many_pixels', detail });
    }
    if (closed) return Promise.resolve(shutDown);
    if (running !== null && waiting.size >= maxQueued) return Promise.resolve(busy);
    return new Promise((resolve) => {
      const waitTimer = setTimeout(() => {
        leaveQueue(job);
        resolve(busy);
      }, maxWaitMs);
      const job: Waiting = { bytes, facts, order, resolve, waitTimer };
      waiting.add(job);
      startNext();
    });
  }

  return {
    // The worker answers each order in its own form.
    check: (bytes, facts) => enqueue(bytes, facts, { kind: 'check' }) as Promise<DecodeResult>,
    thumbnail: (bytes, facts, side) =>
      enqueue(bytes, facts, { kind: 'thumbnail', side }) as Promise<ThumbnailResult>,

    async close() {
      closed = true;
      for (const job of waiting) {
        leaveQueue(job);
        job.resolve(shutDown);
      }
      const workers = [takeIdle(), running?.worker].filter((worker) => worker !== undefined);
      await Promise.all(workers.map((worker) => worker.terminate()));
    },
  };
}
