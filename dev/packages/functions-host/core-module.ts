// The module `@azure/functions-core`, which Azure's worker injects for `@azure/functions`.
// After Azure/azure-functions-nodejs-worker (setupCoreModule.ts, coreApi/), as far as an app here needs it.
import Module from 'node:module';
import type { RegisteredFunction } from './wire.ts';

export type Level = 'trace' | 'debug' | 'information' | 'warning' | 'error' | 'critical' | 'none';
export type Hook = (context: object) => unknown;
export type Handler = (...args: unknown[]) => unknown;

/** The half of `@azure/functions` that the worker calls: one model for the app, one invocation model per call. */
export type ProgrammingModel = {
  name: string;
  version: string;
  getInvocationModel(context: unknown): InvocationModel | Promise<InvocationModel>;
};

export type InvocationModel = {
  getArguments(): Promise<{ context: unknown; inputs: unknown[] }>;
  invokeFunction(context: unknown, inputs: unknown[], handler: Handler): Promise<unknown>;
  getResponse(context: unknown, result: unknown): Promise<{ returnValue?: { http?: unknown } | null }>;
};

/** What the app has registered so far. `started` locks registration, as the worker does. */
export type AppState = {
  functions: Map<string, { metadata: RegisteredFunction; handler: Handler }>;
  appTerminate: Hook[];
  model: ProgrammingModel | undefined;
  started: boolean;
};

export function createAppState(): AppState {
  return {
    functions: new Map(),
    appTerminate: [],
    model: undefined,
    started: false,
  };
}

/** Marks errors of the host itself; the library checks for it. */
export function systemError<E extends Error>(error: E): E {
  return Object.assign(error, { isAzureFunctionsSystemError: true });
}

/**
 * Makes `require('@azure/functions-core')` work in this whole process, in bundles and in packages.
 * @param current the app that registers at the moment.
 */
export function installCoreModule(
  current: () => AppState,
  log: (level: Level, category: string, message: string) => void,
): void {
  const core = {
    version: '3.12.0',
    hostVersion: '4.1037.0',
    log,

    setProgrammingModel(model: ProgrammingModel): void {
      current().model = model;
    },

    getProgrammingModel(): ProgrammingModel | undefined {
      return current().model;
    },

    registerFunction(metadata: RegisteredFunction, handler: Handler): void {
      const app = current();
      if (app.started) {
        throw systemError(new Error('A function can only be registered during app startup.'));
      }
      if (app.functions.has(metadata.name)) {
        throw systemError(new Error(`A function with id "${metadata.name}" has already been registered.`));
      }
      app.functions.set(metadata.name, { metadata, handler });
    },

    registerHook(name: string, hook: Hook): void {
      if (name !== 'appTerminate') throw systemError(new Error(`This host runs no ${name} hooks.`));
      current().appTerminate.push(hook);
    },
  };

  // Azure's worker proxies the same method. CommonJS, ESM that imports CommonJS, and
  // bundles with a createRequire banner all pass through it.
  const prototype = Module.prototype as unknown as { require: (id: string) => unknown };
  prototype.require = new Proxy(prototype.require, {
    apply: (target, self, args: [string]) =>
      args[0] === '@azure/functions-core' ? core : Reflect.apply(target, self, args),
  });
}
