// When the worker restarts after a crash. Observed on a real host: immediately after the first crash, about ten seconds
// after the last restart for the second; the third closes its port and ends it, unless thirty minutes lie between two crashes
// (Azure/azure-functions-host, RpcFunctionInvocationDispatcher.cs).

const CRASHES_ALLOWED = 2;
const FORGOTTEN_AFTER_MS = 30 * 60_000;

export type CrashPolicy = {
  /** @returns milliseconds until the worker restarts; undefined: it does not restart. */
  crashed(nowMs: number): number | undefined;
  /** Call after the app was replaced on purpose: earlier crashes belong to another program. */
  forget(): void;
};

/** @param restartIntervalMs minimum time between two restarts. */
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
