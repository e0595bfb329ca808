/**
 * Calls `onOrphaned` when dev/run/run.mjs, the parent of this process, ends without a signal, as when it is killed. Under any
 * other parent nothing is watched: a process put in the background is meant to stay.
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
