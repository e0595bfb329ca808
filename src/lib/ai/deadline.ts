import { setTimeout as sleep } from 'node:timers/promises';

/** A time limit that concurrent calls share. */
export interface Deadline {
  signal: AbortSignal;
  remainingMs(): number;
}

/**
 * A timer and a listener of its own: `AbortSignal.timeout` and `AbortSignal.any` cost five times as much, and what they leave
 * to the garbage collector lives as long as the deadline.
 *
 * @param alsoEndedBy ends the deadline earlier, when no one needs the answer any more.
 */
export function deadlineIn(milliseconds: number, alsoEndedBy?: AbortSignal): Deadline {
  const end = performance.now() + milliseconds;
  const ended = new AbortController();
  const timeOut = () => ended.abort(new DOMException('The time of the call has run out.', 'TimeoutError'));
  const timer = setTimeout(timeOut, milliseconds).unref();
  const endEarlier = () => {
    clearTimeout(timer);
    ended.abort(alsoEndedBy?.reason);
  };
  if (alsoEndedBy?.aborted === true) endEarlier();
  else alsoEndedBy?.addEventListener('abort', endEarlier, { once: true });
  return {
    signal: ended.signal,
    remainingMs: () => Math.max(0, Math.ceil(end - performance.now())),
  };
}

/** Whether the time ran out, rather than the caller having cancelled. */
export function timedOut({ signal }: Deadline): boolean {
  return signal.aborted && signal.reason instanceof DOMException && signal.reason.name === 'TimeoutError';
}

/** Waits, but never past the deadline. */
export async function pauseWithin({ signal, remainingMs }: Deadline, milliseconds: number): Promise<void> {
  const ms = Math.min(milliseconds, remainingMs());
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}
