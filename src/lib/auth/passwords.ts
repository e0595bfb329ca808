import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { createFairQueue } from '../fair-queue.ts';
import { Problem } from '../../contract/problem.ts';
import { createTurns } from '../turns.ts';
import { workerUrl } from '../worker-url.ts';
import type { PasswordJob, PasswordWorkerData } from './password-worker.ts';

/** The /24 or /64 that a job came from: networks take turns. Undefined when no proxy named an address. */
type Network = string | undefined;

export interface Passwords {
  hash(password: string, network?: Network): Promise<string>;
  /**
   * Compares with `hash`, or without an account with a hash that nothing matches: both take the same time.
   * @returns `outdated` when the hash should be renewed.
   * @throws {Problem} `busy` when the queue is full or no thread was free in time.
   */
  verify(
    password: string,
    hash: string | undefined,
    network?: Network,
  ): Promise<{ matches: boolean; outdated: boolean }>;
  /**
   * Runs `work`, which hashes, in a turn of its network. The turn covers all of `work`, so that a flood from one network
   * does not fill the queue for database connections either.
   * @throws {Problem} `rate_limited` when it waited too long behind other requests of its network.
   */
  inTurn<T>(network: Network, work: () => Promise<T>): Promise<T>;
  /** Number of running and waiting jobs. */
  load(): { running: number; waiting: number };
  close(): Promise<void>;
}

export interface PasswordOptions extends PasswordWorkerData {
  /** Worker threads; one per core, four at most, by default. */
  threads?: number;
  /** Jobs that may wait for a thread; a further one is refused with 503 `busy`. */
  queueLimit?: number;
  /** Concurrent turns of one network (LIMIT_HASHES_PER_NETWORK). */
  perNetwork?: number;
  /** Milliseconds that a job waits for a thread, and a request for its turn (LIMIT_HASH_WAIT_MS). */
  maxWaitMs?: number;
}

interface Pending {
  job: PasswordJob;
  network: string;
  deadline: NodeJS.Timeout;
  resolve: (result: never) => void;
  reject: (error: unknown) => void;
}

/**
 * Runs bcrypt in worker threads behind a bounded queue in which networks take turns: a flood from one network delays a
 * login from another only by the running hashes. Threads start on demand and do not keep the process alive.
 */
export function createPasswords({ pepper, cost, ...options }: PasswordOptions): Passwords {
  const threads = options.threads ?? Math.max(1, Math.min(4, availableParallelism()));
  const { queueLimit = 64, perNetwork = 8, maxWaitMs = 10_000 } = options;
  const waiting = createFairQueue<Pending>();
  const turns = createTurns({ perKey: perNetwork, maxWaitMs, refuse: tooManyOfNetwork });
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
    clearTimeout(pending.deadline);
    busy.set(worker, pending);
    worker.ref();
    worker.postMessage(pending.job);
  }

  function run<T>(job: PasswordJob, network = ''): Promise<T> {
    if (waiting.length >= queueLimit) return Promise.reject(tooBusy());
    return new Promise<T>((resolve, reject) => {
      const deadline = setTimeout(() => {
        waiting.remove(network, pending);
        reject(tooBusy());
      }, maxWaitMs);
      const pending: Pending = { job, network, deadline, resolve, reject };
      waiting.push(network, pending);
      next();
    });
  }

  return {
    hash: (password, network) => run({ kind: 'hash', password }, network),
    verify: (password, hash, network) => run({ kind: 'verify', password, hash }, network),
    inTurn: (network = '', work) => turns.take(network, work),
    load: () => ({ running: busy.size, waiting: waiting.length }),
    async close() {
      await Promise.all([...idle, ...busy.keys()].map((worker) => worker.terminate()));
    },
  };
}

const tooBusy = () =>
  new Problem('busy', { detail: 'Too many sign-ins at once.', headers: { 'retry-after': '2' } });
const tooManyOfNetwork = () =>
  new Problem('rate_limited', {
    detail: 'Too many sign-ins from this network at once.',
    headers: { 'retry-after': '2' },
  });
