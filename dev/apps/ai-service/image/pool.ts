import { Piscina } from 'piscina';
import type { ImageJob, Inspection } from './inspect.ts';

export interface ImagePool {
  /** Rejects with the signal's reason when it aborts, and with `PoolBusyError` when too many images wait. */
  inspect: (job: ImageJob, signal: AbortSignal) => Promise<Inspection>;
  stop: () => Promise<void>;
}

export class PoolBusyError extends Error {}

/** Threads that decode images, started on demand; aborting a job ends its thread. */
export function startImagePool({ threads = 2, maxWaiting = 32 } = {}): ImagePool {
  const pool = new Piscina<ImageJob, Inspection>({
    filename: new URL('worker.ts', import.meta.url).href,
    minThreads: 0,
    maxThreads: threads,
    maxQueue: maxWaiting,
    idleTimeout: Infinity,
    // sharp replies through the event loop of its thread.
    atomics: 'disabled',
  });
  // An error of an idle thread must not end the process.
  pool.on('error', () => undefined);
  return {
    async inspect(job, signal) {
      signal.throwIfAborted();
      if (pool.queueSize >= maxWaiting) throw new PoolBusyError('Too many images are waiting.');
      try {
        return await pool.run(job, { signal });
      } catch (cause) {
        signal.throwIfAborted();
        throw new Error('The image thread ended early.', { cause });
      }
    },
    stop: () => pool.destroy(),
  };
}
