import { availableParallelism } from 'node:os';
import type { Piscina } from 'piscina';
import { createFairQueue } from '../concurrency/fair-queue.ts';
import { Problem } from '../../contract/problem.ts';
import { createTurns } from '../concurrency/turns.ts';
import { workerUrl } from '../app/worker-url.ts';
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
  /** For tests. */
  worker?: URL;
}

interface Pending {
  job: PasswordJob;
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
  const { worker = workerUrl('./password-worker.ts', import.meta.url) } = options;
  const waiting = createFairQueue<Pending>();
  const turns = createTurns({ perKey: perNetwork, maxWaitMs, refuse: tooManyOfNetwork });
  let pool: Promise<Piscina> | undefined;
  let running = 0;
  let closed = false;

  /** Loaded with the first job, so that no cold start pays for it. */
  async function startPool(): Promise<Piscina> {
    const { Piscina } = await import('piscina');
    const started = new Piscina({
      filename: worker.href,
      workerData: { pepper, cost } satisfies PasswordWorkerData,
      minThreads: 0,
      maxThreads: threads,
      idleTimeout: Infinity,
      // bcryptjs needs the event loop of its thread.
      atomics: 'disabled',
      recordTiming: false,
    });
    // A thread could not start: its job would wait for ever. The next job starts another one.
    started.on('error', () => void started.destroy());
    return started;
  }

  function next(): void {
    const pending = running < threads ? waiting.shift() : undefined;
    if (pending === undefined) return;
    clearTimeout(pending.deadline);
    running += 1;
    void serve(pending);
  }

  async function serve({ job, resolve, reject }: Pending): Promise<void> {
    try {
      const started = await (pool ??= startPool());
      // The job would start a thread in a process that ends.
      if (closed) throw new Error('closed while the pool was loading');
      resolve((await started.run(job)) as never);
    } catch (cause) {
      reject(closed ? tooBusy() : new Error('password hashing failed', { cause }));
    } finally {
      running -= 1;
      next();
    }
  }

  function run<T>(job: PasswordJob, network = ''): Promise<T> {
    if (closed || waiting.length >= queueLimit) return Promise.reject(tooBusy());
    return new Promise<T>((resolve, reject) => {
      const deadline = setTimeout(() => {
        waiting.remove(network, pending);
        reject(tooBusy());
      }, maxWaitMs);
      const pending: Pending = { job, deadline, resolve, reject };
      waiting.push(network, pending);
      next();
    });
  }

  return {
    hash: (password, network) => run({ kind: 'hash', password }, network),
    verify: (password, hash, network) => run({ kind: 'verify', password, hash }, network),
    inTurn: (network = '', work) => turns.take(network, work),
    load: () => ({ running, waiting: waiting.length }),
    async close() {
      closed = true;
      for (let pending = waiting.shift(); pending !== undefined; pending = waiting.shift()) {
        clearTimeout(pending.deadline);
        pending.reject(tooBusy());
      }
      await (await pool)?.destroy();
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
