import { parentPort, workerData } from 'node:worker_threads';
import { hashPassword, verifyPassword } from './password-hash.ts';

/** What the pool in `passwords.ts` asks of a worker thread. */
export type PasswordJob =
  | { kind: 'hash'; password: string }
  | { kind: 'verify'; password: string; hash: string | undefined };

export interface PasswordWorkerData {
  pepper: string;
  cost: number;
}

const { pepper, cost } = workerData as PasswordWorkerData;

parentPort?.on('message', (job: PasswordJob) => {
  const work =
    job.kind === 'hash'
      ? hashPassword(job.password, pepper, cost)
      : verifyPassword(job.password, job.hash, pepper, cost);
  work.then(
    (result) => parentPort?.postMessage({ result }),
    (error: unknown) => parentPort?.postMessage({ failed: error instanceof Error ? error.name : 'unknown' }),
  );
});
