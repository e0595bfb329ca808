// The benchmarks' interface to the load generator, which runs in its own process (load-process.ts).
import { fork } from 'node:child_process';
import { join } from 'node:path';
import type { Round } from './statistics.ts';

/** Sends one request repeatedly. */
export type HttpLoad = {
  kind: 'http';
  /** `http://127.0.0.1:port` */
  origin: string;
  method: 'GET' | 'POST';
  path: string;
  headers?: Record<string, string>;
  body?: Uint8Array;
  /** Any other status fails the benchmark. */
  status: number;
};

/** Runs one SQL statement repeatedly, without HTTP; no row or an error fails the benchmark. */
export type QueryLoad = { kind: 'query'; connectionString: string; text: string; values: readonly unknown[] };

/**
 * Compares one password with one hash by bcryptjs, on one thread per core, regardless of the concurrency;
 * no match fails the benchmark.
 */
export type BcryptLoad = { kind: 'bcrypt'; password: string; hash: string };

/** Each connection logs in, then exchanges one refresh token after the other. The login is not counted. */
export type RefreshLoad = { kind: 'refresh'; origin: string; email: string; password: string };

export type Load = HttpLoad | QueryLoad | BcryptLoad | RefreshLoad;

/** `pids`: processes whose processor time the round reports, their children included. */
export type Order = { load: Load; concurrency: number; durationMs: number; pids?: readonly number[] };
export type Answer = { round: Round } | { error: string };

export type LoadGenerator = {
  /** `concurrency` connections, each sending its next request when the reply to the previous one is complete. */
  run(order: Order): Promise<Round>;
  stop(): void;
};

export function startLoadGenerator(): LoadGenerator {
  const child = fork(join(import.meta.dirname, 'load-process.ts'), [], {
    // Transfers request bodies and thousands of numbers unchanged.
    serialization: 'advanced',
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  return {
    run: (order) =>
      new Promise((resolve, reject) => {
        const ended = (code: number | null) =>
          reject(new Error(`The load generator ended unexpectedly (exit code ${code}).`));
        child.once('exit', ended);
        child.once('message', (answer: Answer) => {
          child.off('exit', ended);
          if ('round' in answer) resolve(answer.round);
          else reject(new Error(answer.error));
        });
        child.send(order, (error) => error && reject(error));
      }),
    stop: () => void child.kill(),
  };
}
