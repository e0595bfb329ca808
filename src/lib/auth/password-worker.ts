import { readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { hashPassword, verifyPassword } from './password-hash.ts';

/** A job that the pool in `passwords.ts` sends to a worker thread. */
export type PasswordJob =
  | { kind: 'hash'; password: string }
  | { kind: 'verify'; password: string; hash: string | undefined };

export interface PasswordWorkerData {
  pepper: string;
  cost: number;
}

const { pepper, cost } = workerData as PasswordWorkerData;
lowerThreadPriority();

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

/**
 * Gives the event loop precedence over hashing on a shared core: Linux has a priority per thread (setpriority(2), "C
 * library/kernel differences"). Elsewhere, and without permission, the priority stays as it is.
 */
function lowerThreadPriority(): void {
  try {
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
    setPriority(thread, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Hashing works at the normal priority too.
  }
}
