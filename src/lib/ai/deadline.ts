/** A point in time after which nobody waits any more; shared by calls that run side by side. */
export interface Deadline {
  signal: AbortSignal;
  remainingMs(): number;
}

/** @param alsoEndedBy ends it earlier, when nobody needs the answer any more. */
export function deadlineIn(milliseconds: number, alsoEndedBy?: AbortSignal): Deadline {
  const end = performance.now() + milliseconds;
  const timeout = AbortSignal.timeout(milliseconds);
  return {
    signal: alsoEndedBy === undefined ? timeout : AbortSignal.any([timeout, alsoEndedBy]),
    remainingMs: () => Math.max(0, Math.ceil(end - performance.now())),
  };
}

/** Whether the time ran out, as against somebody having called it off. */
export function timedOut({ signal }: Deadline): boolean {
  return signal.aborted && signal.reason instanceof DOMException && signal.reason.name === 'TimeoutError';
}

/** Waits, but not beyond the deadline. */
export async function pauseWithin({ signal, remainingMs }: Deadline, milliseconds: number): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, Math.min(milliseconds, remainingMs()));
    signal.addEventListener('abort', end, { once: true });
  });
}
