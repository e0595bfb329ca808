/** A time limit that concurrent calls share. */
export interface Deadline {
  signal: AbortSignal;
  remainingMs(): number;
}

/** @param alsoEndedBy ends the deadline earlier, when no one needs the answer any more. */
export function deadlineIn(milliseconds: number, alsoEndedBy?: AbortSignal): Deadline {
  const end = performance.now() + milliseconds;
  const timeout = AbortSignal.timeout(milliseconds);
  return {
    signal: alsoEndedBy === undefined ? timeout : AbortSignal.any([timeout, alsoEndedBy]),
    remainingMs: () => Math.max(0, Math.ceil(end - performance.now())),
  };
}

/** Whether the time ran out, rather than the caller having cancelled. */
export function timedOut({ signal }: Deadline): boolean {
  return signal.aborted && signal.reason instanceof DOMException && signal.reason.name === 'TimeoutError';
}

/** Waits, but never past the deadline. */
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
