// The load generator as the benchmarks see it; its work is done by load-process.ts, a process of its own.
import { fork } from 'node:child_process';
import { join } from 'node:path';
import type { Round } from './statistics.ts';

/** Sends one request again and again. */
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

/** Runs one SQL statement again and again, without HTTP; no row or an error fails the benchmark. */
export type QueryLoad = { kind: 'query'; connectionString: string; text: string; values: readonly unknown[] };

/**
 * Compares one password with one hash by bcryptjs, on as many threads as there are cores, whatever the concurrency;
 * no match fails the benchmark.
 */
export type BcryptLoad = { kind: 'bcrypt'; password: string; hash: string };

/** Each connection logs in and then exchanges one refresh token after the other. The login is not counted. */
export type RefreshLoad = { kind: 'refresh'; origin: string; email: string; password: string };

export type Load = HttpLoad | QueryLoad | BcryptLoad | RefreshLoad;

export type Order = { load: Load; concurrency: number; durationMs: number };
export type Answer = { round: Round } | { error: string };

export type LoadGenerator = {
  /** `concurrency` connections, each sending its next request when the answer to the last one is complete. */
  run(order: Order): Promise<Round>;
  stop(): void;
};

export function startLoadGenerator(): LoadGenerator {
  const child = fork(join(import.meta.dirname, 'load-process.ts'), [], {
    // Carries request bodies and thousands of numbers as they are.
    serialization: 'advanced',
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  return {
    run: (order) =>
      new Promise((resolve, reject) => {
        const ended = (code: number | null) =>
          reject(new Error(`The load generator ended by itself (exit code ${code}).`));
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
