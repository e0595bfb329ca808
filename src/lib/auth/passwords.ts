import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { Problem } from '../problem.ts';
import { workerUrl } from '../worker-url.ts';
import type { PasswordJob, PasswordWorkerData } from './password-worker.ts';

export interface Passwords {
  hash(password: string): Promise<string>;
  /**
   * Compares with `hash`, or, where there is no account, with one that nothing matches: both take as long.
   * `outdated` says that the hash should be renewed.
   */
  verify(password: string, hash: string | undefined): Promise<{ matches: boolean; outdated: boolean }>;
  /** Jobs at work and jobs that wait. */
  load(): { running: number; waiting: number };
  close(): Promise<void>;
}

export interface PasswordOptions extends PasswordWorkerData {
  /** Worker threads; one less than the cores would leave a two-core instance with one. */
  threads?: number;
  /** Jobs that may wait; one more is refused with 503 `busy`. */
  queueLimit?: number;
}

interface Pending {
  job: PasswordJob;
  resolve: (result: never) => void;
  reject: (error: unknown) => void;
}

/**
 * bcrypt in worker threads with a bounded queue. Threads start when first needed and do not keep the process
 * alive.
 */
export function createPasswords({ pepper, cost, ...options }: PasswordOptions): Passwords {
  const threads = options.threads ?? Math.max(1, Math.min(4, availableParallelism()));
  const queueLimit = options.queueLimit ?? 64;
  const waiting: Pending[] = [];
  const idle: Worker[] = [];
  const busy = new Map<Worker, Pending>();

  function startThread(): Worker {
    const worker = new Worker(workerUrl('./password-worker.ts', import.meta.url), {
      workerData: { pepper, cost } satisfies PasswordWorkerData,
    });
    worker.on('message', (message: { result: never } | { failed: string }) => {
      const pending = release(worker);
      if ('failed' in message) pending?.reject(new Error(`password hashing failed: ${message.failed}`));
      else pending?.resolve(message.result);
      idle.push(worker);
      next();
    });
    worker.on('error', (error) => release(worker)?.reject(error));
    worker.on('exit', () => {
      release(worker)?.reject(new Error('the password thread ended'));
      const position = idle.indexOf(worker);
      if (position !== -1) idle.splice(position, 1);
      next();
    });
    return worker;
  }

  function release(worker: Worker): Pending | undefined {
    const pending = busy.get(worker);
    busy.delete(worker);
    worker.unref();
    return pending;
  }

  function next(): void {
    if (waiting.length === 0) return;
    const worker = idle.pop() ?? (busy.size < threads ? startThread() : undefined);
    if (worker === undefined) return;
    const pending = waiting.shift() as Pending;
    busy.set(worker, pending);
    worker.ref();
    worker.postMessage(pending.job);
  }

  function run<T>(job: PasswordJob): Promise<T> {
    if (waiting.length >= queueLimit) {
      return Promise.reject(
        new Problem('busy', { detail: 'Too many sign-ins at once.', headers: { 'retry-after': '2' } }),
      );
    }
    return new Promise<T>((resolve, reject) => {
      waiting.push({ job, resolve, reject });
      next();
    });
  }

  return {
    hash: (password) => run({ kind: 'hash', password }),
    verify: (password, hash) => run({ kind: 'verify', password, hash }),
    load: () => ({ running: busy.size, waiting: waiting.length }),
    async close() {
      await Promise.all([...idle, ...busy.keys()].map((worker) => worker.terminate()));
    },
  };
}
