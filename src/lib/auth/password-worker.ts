import { readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
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
 * Where hashing and the event loop want the same core, the event loop goes first: Linux keeps a priority for each
 * thread (setpriority(2), "C library/kernel differences"). Elsewhere, and where it is not allowed, nothing changes.
 */
function lowerThreadPriority(): void {
  try {
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
    setPriority(thread, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It hashes all the same.
  }
}
