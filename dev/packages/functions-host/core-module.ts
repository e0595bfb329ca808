// The module `@azure/functions-core`, which Azure's worker injects for `@azure/functions`.
// Same surface and same refusals as Azure/azure-functions-nodejs-worker (setupCoreModule.ts, coreApi/, hooks/).
import Module from 'node:module';
import type { RegisteredFunction } from './wire.ts';

export type Level = 'trace' | 'debug' | 'information' | 'warning' | 'error' | 'critical' | 'none';
export type HookName = 'appStart' | 'appTerminate' | 'preInvocation' | 'postInvocation' | 'log';
export type Hook = (context: unknown) => unknown;
export type Handler = (...args: unknown[]) => unknown;

/** The half of `@azure/functions` that the worker calls: one model for the app, one invocation model per call. */
export type ProgrammingModel = {
  name: string;
  version: string;
  getInvocationModel(context: unknown): InvocationModel | Promise<InvocationModel>;
  getCapabilities?(
    capabilities: Record<string, string>,
  ): Record<string, string> | Promise<Record<string, string>>;
};

export type InvocationModel = {
  getArguments(): Promise<{ context: unknown; inputs: unknown[] }>;
  invokeFunction(context: unknown, inputs: unknown[], handler: Handler): Promise<unknown>;
  getResponse(context: unknown, result: unknown): Promise<{ returnValue?: { http?: unknown } | null }>;
};

/** What the app has registered so far. `started` locks registration, as the worker does. */
export type AppState = {
  functions: Map<string, { metadata: RegisteredFunction; handler: Handler }>;
  hooks: Record<HookName, Hook[]>;
  model: ProgrammingModel | undefined;
  started: boolean;
  /** Data shared by the hooks of the whole app; each invocation also has its own `hookData`. */
  hookData: Record<string, unknown>;
};

export function createAppState(): AppState {
  return {
    functions: new Map(),
    hooks: { appStart: [], appTerminate: [], preInvocation: [], postInvocation: [], log: [] },
    model: undefined,
    started: false,
    hookData: {},
  };
}

/** Marks errors of the host itself; the library checks for it. */
export function systemError<E extends Error>(error: E): E {
  return Object.assign(error, { isAzureFunctionsSystemError: true });
}

class Disposable {
  #callOnDispose: (() => unknown) | undefined;

  constructor(callOnDispose: () => unknown) {
    this.#callOnDispose = callOnDispose;
  }

  static from(...parts: { dispose?: () => unknown }[]): Disposable {
    return new Disposable(() => parts.forEach((part) => part.dispose?.()));
  }

  dispose(): void {
    const callOnDispose = this.#callOnDispose;
    this.#callOnDispose = undefined;
    callOnDispose?.();
  }
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
    Disposable,
    log,

    setProgrammingModel(model: ProgrammingModel): void {
      current().model = model;
    },

    getProgrammingModel(): ProgrammingModel | undefined {
      return current().model;
    },

    registerFunction(metadata: RegisteredFunction & { functionId?: string }, handler: Handler): Disposable {
      const app = current();
      if (app.started) {
        throw systemError(new Error('A function can only be registered during app startup.'));
      }
      const id = metadata.functionId ?? metadata.name;
      if (app.functions.has(id)) {
        throw systemError(new Error(`A function with id "${id}" has already been registered.`));
      }
      app.functions.set(id, { metadata, handler });
      return new Disposable(() => {
        if (app.started) throw systemError(new Error('A function can only be disposed during app startup.'));
        app.functions.delete(id);
      });
    },

    registerHook(name: string, hook: Hook): Disposable {
      const app = current();
      if (!Object.hasOwn(app.hooks, name)) {
        throw systemError(new RangeError(`Unrecognized hook "${name}"`));
      }
      const hooks = app.hooks[name as HookName];
      hooks.push(hook);
      return new Disposable(() => {
        const index = hooks.indexOf(hook);
        if (index !== -1) hooks.splice(index, 1);
      });
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
