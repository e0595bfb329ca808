import { setTimeout as sleep } from 'node:timers/promises';

/** Waits so many milliseconds without keeping the process alive; rejects when `signal` ends the wait. */
export const pause = (ms: number, signal?: AbortSignal) => sleep(ms, undefined, { signal, ref: false });
