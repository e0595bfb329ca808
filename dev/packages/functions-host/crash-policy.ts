// When the worker starts again after a crash. Seen on a real host: at once after the first crash, about ten seconds
// after the last restart for the second, and the third ends the host, unless thirty minutes lie between two of them
// (Azure/azure-functions-host, RpcFunctionInvocationDispatcher.cs).

const CRASHES_ALLOWED = 2;
const FORGOTTEN_AFTER_MS = 30 * 60_000;

export type CrashPolicy = {
  /** @returns milliseconds until the worker starts again; undefined: it does not. */
  crashed(nowMs: number): number | undefined;
  /** The app has been replaced on purpose: its crashes are those of another program. */
  forget(): void;
};

/** @param restartIntervalMs at least this long between two restarts. */
export function createCrashPolicy(restartIntervalMs: number): CrashPolicy {
  let crashes = 0;
  let lastCrashAt = -Infinity;
  let lastRestartAt = -Infinity;
  return {
    crashed(now) {
      if (now - lastCrashAt > FORGOTTEN_AFTER_MS) crashes = 0;
      crashes += 1;
      lastCrashAt = now;
      if (crashes > CRASHES_ALLOWED) return undefined;
      const delay = Math.max(0, lastRestartAt + restartIntervalMs - now);
      lastRestartAt = now + delay;
      return delay;
    },
    forget() {
      crashes = 0;
      lastRestartAt = -Infinity;
    },
  };
}
