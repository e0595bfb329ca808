// An app in the host's own process: for tests, which then start none for each app.
import type { app as AzureFunctions } from '@azure/functions';
import { createAppState, installCoreModule } from './core-module.ts';
import type { AppState } from './core-module.ts';
import { invoke } from './invocation.ts';
import { AppLoadError } from './worker-process.ts';
import type { AppWorker, Log } from './worker-process.ts';

/** Registers the functions of an app, at once. */
export type Load = (functions: typeof AzureFunctions) => void;

type Options = {
  load: Load;
  /** Time for the app to finish when it is stopped, in ms. */
  graceMs: number;
  log: Log;
};

/** The library registers with one core module for the whole process, and apps register one after the other. */
let registering: AppState | undefined;
let library: Promise<typeof AzureFunctions> | undefined;
/** Of the library, which sets it once for the process: with its first registration. */
let model: AppState['model'];

async function loadLibrary(): Promise<typeof AzureFunctions> {
  const beforeAnyApp = createAppState();
  installCoreModule(
    () => registering ?? beforeAnyApp,
    () => {},
  );
  return (await import('@azure/functions')).app;
}

export function createInProcessWorker({ load, graceMs, log }: Options): AppWorker {
  const app = createAppState();
  const pending = new Set<Promise<unknown>>();

  return {
    pid: () => undefined,

    async start() {
      const functions = await (library ??= loadLibrary());
      registering = app;
      try {
        load(functions);
        model ??= app.model;
        app.model = model;
      } catch (error) {
        throw new AppLoadError(error instanceof Error ? (error.stack ?? error.message) : String(error));
      } finally {
        registering = undefined;
      }
      app.started = true;
      return [...app.functions.values()].map(({ metadata }) => metadata);
    },

    async invoke(id, functionName, call, body = []) {
      if (!app.started) return { type: 'error', message: 'the app has ended' };
      const running = invoke(app, { type: 'invoke', id, functionName, ...call }, Buffer.concat(body), log);
      pending.add(running);
      try {
        const { message, body: reply = new Uint8Array() } = await running;
        if (message.type === 'reply') return { type: 'reply', http: message.http, body: Buffer.from(reply) };
        return { type: 'done' };
      } catch (error) {
        const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
        return { type: 'error', message: text };
      } finally {
        pending.delete(running);
      }
    },

    async restart() {
      throw new Error('an app in this process does not restart');
    },

    releaseWaiting() {},

    async stop() {
      const grace = new Promise((resolve) => setTimeout(resolve, graceMs).unref());
      await Promise.race([Promise.allSettled(pending), grace]);
      if (!app.started) return;
      app.started = false;
      for (const hook of app.appTerminate) await hook({});
    },
  };
}
