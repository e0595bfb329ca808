import { readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { workerData } from 'node:worker_threads';
import { hashPassword, verifyPassword } from './password-hash.ts';

/** A job that `passwords.ts` sends to a worker thread. */
export type PasswordJob =
  | { kind: 'hash'; password: string }
  | { kind: 'verify'; password: string; hash: string | undefined };

export interface PasswordWorkerData {
  pepper: string;
  cost: number;
}

const { pepper, cost } = workerData as PasswordWorkerData;
lowerThreadPriority();

/** Called by piscina, in a thread. */
export default async (job: PasswordJob): Promise<unknown> =>
  job.kind === 'hash'
    ? await hashPassword(job.password, pepper, cost)
    : await verifyPassword(job.password, job.hash, pepper, cost);

/**
 * Gives the event loop precedence over hashing on a shared core: Linux has a priority per thread (setpriority(2), "C
 * library/kernel differences"). On a busy machine with two hashing threads the 99th percentile of a plain request is 1.2
 * times that of an idle process, and 5 times without this. Elsewhere, and without permission, the priority stays as it is.
 */
function lowerThreadPriority(): void {
  try {
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
    setPriority(thread, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Hashing works at the normal priority too.
  }
}
