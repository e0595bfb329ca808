import { Worker } from 'node:worker_threads';
import type { ImageJob, Inspection } from './inspect.ts';

interface Waiting {
  job: ImageJob;
  signal: AbortSignal;
  resolve: (inspection: Inspection) => void;
  reject: (reason: unknown) => void;
}

export interface ImagePool {
  /** Rejects with the signal's reason when it aborts, and with `PoolBusyError` when too many images wait. */
  inspect: (job: ImageJob, signal: AbortSignal) => Promise<Inspection>;
  stop: () => Promise<void>;
}

export class PoolBusyError extends Error {}

/** Threads that decode images, started on demand; aborting a job ends its thread. */
export function startImagePool({ threads = 2, maxWaiting = 32 } = {}): ImagePool {
  const idle: Worker[] = [];
  const all = new Set<Worker>();
  const waiting: Waiting[] = [];
  let stopped = false;

  const start = () => {
    const worker = new Worker(new URL('worker.ts', import.meta.url));
    all.add(worker);
    // An error while idle must not end the process; while busy `run` listens as well.
    worker.on('error', () => {});
    worker.on('exit', () => {
      all.delete(worker);
      const at = idle.indexOf(worker);
      if (at >= 0) idle.splice(at, 1);
    });
    return worker;
  };

  const next = () => {
    const first = waiting[0];
    if (first === undefined || stopped) return;
    const worker = idle.pop() ?? (all.size < threads ? start() : undefined);
    if (worker === undefined) return;
    waiting.shift();
    run(worker, first);
  };

  const run = (worker: Worker, { job, signal, resolve, reject }: Waiting) => {
    const settle = (outcome: () => void, keep: boolean) => {
      worker.removeAllListeners('message');
      worker.off('error', fail);
      worker.off('exit', fail);
      signal.removeEventListener('abort', giveUp);
      if (keep) idle.push(worker);
      else {
        all.delete(worker);
        void worker.terminate();
      }
      outcome();
      next();
    };
    const fail = (reason: unknown) =>
      settle(() => reject(new Error('The image thread ended early.', { cause: reason })), false);
    const giveUp = () => settle(() => reject(signal.reason), false);
    worker.on('message', (inspection: Inspection) =>
      // Damaged bytes may leak memory in a codec, and large images leave it allocated: start a new thread.
      settle(() => resolve(inspection), isCheapToKeep(inspection)),
    );
    worker.on('error', fail);
    worker.on('exit', fail);
    signal.addEventListener('abort', giveUp);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    worker.postMessage(job);
  };

  return {
    inspect: (job, signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason);
        if (waiting.length >= maxWaiting) return reject(new PoolBusyError('Too many images are waiting.'));
        const entry = { job, signal, resolve, reject };
        const leave = () => {
          const at = waiting.indexOf(entry);
          if (at < 0) return;
          waiting.splice(at, 1);
          reject(signal.reason);
        };
        signal.addEventListener('abort', leave, { once: true });
        waiting.push(entry);
        next();
      }),
    stop: async () => {
      stopped = true;
      for (const { reject } of waiting.splice(0)) reject(new PoolBusyError('The service is stopping.'));
      await Promise.all([...all].map((worker) => worker.terminate()));
    },
  };
}

const isCheapToKeep = ({ measured }: Inspection) =>
  measured !== undefined && measured.widthPx * measured.heightPx <= 12_000_000;
