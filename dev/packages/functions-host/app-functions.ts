// The functions of the running app, their routes and timers, replaced as a whole when the app is reloaded.
import { createRouter } from './router.ts';
import type { Router } from './router.ts';
import { createTimer } from './timers.ts';
import type { Invoke, Timer } from './timers.ts';
import type { RegisteredFunction } from './wire.ts';

export type AppFunctions = {
  router(): Router;
  /** Loads the functions that an app registered, without starting its timers. Returns those that cannot be served, and why. */
  adopt(registered: RegisteredFunction[]): string[];
  startTimers(): void;
  stopTimers(): void;
  /** Runs a function without an HTTP trigger. Resolves with the error's text, or undefined. */
  run(functionName: string, input: string): Promise<string | undefined>;
  /** Rejects when there is no such timer, or when its function fails. */
  runTimer(functionName: string): Promise<void>;
};

const SERVED_TRIGGERS = ['httptrigger', 'timertrigger'];

export function createAppFunctions(
  routePrefix: string,
  settings: Record<string, string>,
  invoke: Invoke,
  warn: (message: string) => void,
): AppFunctions {
  let router = createRouter([], routePrefix, settings);
  let timers = new Map<string, Timer>();

  function stopTimers(): void {
    for (const timer of timers.values()) timer.stop();
  }

  function adopt(registered: RegisteredFunction[]): string[] {
    stopTimers();
    timers = new Map();
    router = createRouter(registered, routePrefix, settings);
    for (const info of router.functions) {
      const { bindings } = registered.find(({ name }) => name === info.name)!;
      const trigger = info.trigger.toLowerCase();
      if (!SERVED_TRIGGERS.includes(trigger)) {
        warn(`${info.name}: nothing fires a ${info.trigger} here; POST /admin/functions/${info.name} does.`);
      }
      if (trigger !== 'timertrigger' || info.error !== undefined) continue;
      const binding = Object.values(bindings).find(({ type }) => type === info.trigger)!;
      try {
        timers.set(info.name, createTimer(info.name, binding, settings, invoke));
      } catch (error) {
        info.error = (error as Error).message;
      }
    }
    if (registered.length === 0) return ['it registers no function of the v4 programming model'];
    return router.functions.flatMap(({ name, error }) => (error === undefined ? [] : [`${name}: ${error}`]));
  }

  return {
    router: () => router,
    adopt,
    stopTimers,

    startTimers() {
      for (const { name, disabled } of router.functions) if (!disabled) timers.get(name)?.start();
    },

    run: (functionName, input) => timers.get(functionName)?.run() ?? invoke(functionName, input),

    async runTimer(functionName) {
      const timer = timers.get(functionName);
      if (!timer) throw new Error(`there is no timer function "${functionName}"`);
      const failure = await timer.run();
      if (failure !== undefined) throw new Error(`the timer function "${functionName}" failed: ${failure}`);
    },
  };
}
