/** Up to a tenth more or less, so that the clients of one instance do not come all at once. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms * (0.9 + Math.random() / 5));
    signal.addEventListener('abort', done);
    if (signal.aborted) done();
  });
}
