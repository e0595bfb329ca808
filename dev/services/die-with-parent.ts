/**
 * Calls `onOrphaned` when dev/run/run.mjs, which started this process, is gone without having told us, as when it
 * was killed. Under any other parent nothing is watched: who puts us in the background wants us to stay.
 */
export function dieWithParent(onOrphaned: () => void): void {
  const parent = process.ppid;
  if (process.env['DERMAGATE_RUNNER'] !== String(parent)) return;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    onOrphaned();
  }, 500);
  watch.unref();
}
