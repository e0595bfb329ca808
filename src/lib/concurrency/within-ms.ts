/**
 * Awaits `work` for at most so many milliseconds; then its `signal` aborts. The caller waits no longer, even where `work`
 * ignores the signal.
 *
 * @param endedBy ends it earlier.
 * @throws {DOMException} `TimeoutError`, or the reason of `endedBy`.
 */
export async function withinMs<T>(
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
  endedBy?: AbortSignal,
): Promise<T> {
  endedBy?.throwIfAborted();
  const ended = new AbortController();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  function end(reason: unknown): void {
    reject(reason);
    ended.abort(reason);
  }
  const endEarlier = () => end(endedBy?.reason);
  endedBy?.addEventListener('abort', endEarlier, { once: true });
  // Cleared at the end: AbortSignal.timeout would hold the result of the work until it fires.
  const timer = setTimeout(() => end(new DOMException(`no answer within ${ms} ms`, 'TimeoutError')), ms);
  try {
    return await Promise.race([work(ended.signal), aborted]);
  } finally {
    clearTimeout(timer);
    endedBy?.removeEventListener('abort', endEarlier);
  }
}
