// The functions of the running app, their routes and timers, replaced as a whole when the app is reloaded.
import { createRouter } from './router.ts';
import type { Router } from './router.ts';
import { createTimer } from './timers.ts';
import type { Invoke, Run, Timer } from './timers.ts';
import type { RegisteredFunction } from './wire.ts';
import { AppLoadError } from './worker-process.ts';

export type AppFunctions = {
  router(): Router;
  /** Replaces the functions by those that an app registered, without starting its timers. Throws AppLoadError. */
  adopt(registered: RegisteredFunction[]): void;
  /** Until the next `adopt` there is no function. */
  clear(): void;
  startTimers(): void;
  stopTimers(): void;
  /** Runs a timer now; undefined when there is none of this name. */
  runTimer(name: string, input?: string): Promise<Run> | undefined;
};

export function createAppFunctions(routePrefix: string, invoke: Invoke): AppFunctions {
  let router = createRouter([], routePrefix);
  let timers = new Map<string, Timer>();

  function stopTimers(): void {
    for (const timer of timers.values()) timer.stop();
  }

  function clear(): void {
    stopTimers();
    timers = new Map();
    router = createRouter([], routePrefix);
  }

  function addTimer(name: string, schedule: string | undefined): void {
    if (schedule === undefined) return;
    try {
      timers.set(name, createTimer(name, schedule, invoke));
    } catch (error) {
      throw new Error(`${name}: ${(error as Error).message}`, { cause: error });
    }
  }

  return {
    router: () => router,
    clear,

    adopt(registered) {
      clear();
      if (registered.length === 0) throw new AppLoadError('it registers no function');
      try {
        router = createRouter(registered, routePrefix);
        for (const { name, schedule } of router.functions) addTimer(name, schedule);
      } catch (error) {
        throw new AppLoadError((error as Error).message);
      }
    },

    startTimers() {
      for (const timer of timers.values()) timer.start();
    },
    stopTimers,
    runTimer: (name, input) => timers.get(name)?.run(input),
  };
}
