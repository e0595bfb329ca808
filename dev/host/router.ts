// From the registered functions to the routes that the host serves, with the host's own order and refusals.
import type { Binding, RegisteredFunction } from './messages.ts';
import { compileTemplate } from './route-template.ts';
import type { RouteTemplate } from './route-template.ts';

export type FunctionInfo = {
  name: string;
  /** `httpTrigger`, `timerTrigger`, … */
  trigger: string;
  /** HTTP only: upper case. Empty: every method. */
  methods?: string[];
  /** HTTP only: with the prefix, without a leading slash. */
  route?: string;
  authLevel?: string;
  /** Timers only. */
  schedule?: string;
  runOnStartup?: boolean;
  /** Why the host does not serve this function. */
  error?: string;
};

type Route = { info: FunctionInfo; template: RouteTemplate };
export type Match = { info: FunctionInfo; params: Record<string, string> };

export type Router = {
  functions: FunctionInfo[];
  /** Set when one template is invalid: then the host answers nothing but 503. */
  fatal: string | undefined;
  match(method: string, path: string): Match | undefined;
};

export function createRouter(registered: RegisteredFunction[], routePrefix: string): Router {
  const functions = registered.map((registration) => describe(registration, routePrefix));
  // The order of matching: by name, ordinal and ignoring case (.NET compares the upper-case forms).
  functions.sort((a, b) => compareOrdinal(a.name.toUpperCase(), b.name.toUpperCase()));
  const routes: Route[] = [];
  let fatal: string | undefined;
  for (const info of functions) {
    if (info.route === undefined || info.error !== undefined) continue;
    try {
      routes.push({ info, template: compileTemplate(info.route) });
    } catch (error) {
      fatal ??= `The route "${info.route}" of function "${info.name}" is not valid: ${(error as Error).message}`;
      info.error = fatal;
    }
  }
  return {
    functions,
    fatal,
    match(method, path) {
      for (const { info, template } of routes) {
        if (info.methods!.length > 0 && !info.methods!.includes(method)) continue;
        const params = template(path);
        if (params) return { info, params };
      }
      return undefined;
    },
  };
}

function compareOrdinal(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function describe({ name, bindings }: RegisteredFunction, routePrefix: string): FunctionInfo {
  const binding = Object.values(bindings).find(({ type }) => /trigger$/i.test(type));
  const info: FunctionInfo = { name, trigger: binding?.type ?? 'none' };
  const type = info.trigger.toLowerCase();
  if (type === 'httptrigger') Object.assign(info, httpFields(name, binding!, routePrefix));
  if (type === 'timertrigger') {
    info.schedule = binding!.schedule ?? '';
    info.runOnStartup = binding!.runOnStartup === true;
  }
  // Azure/azure-functions-host, Host/FunctionMetadataManager.cs and Utility.IsValidFunctionName
  if (!/^[a-z][\w-]{0,127}$/i.test(name) || name.toLowerCase() === 'host') {
    info.error = `"${name}" is not a valid function name`;
  }
  return info;
}

function httpFields(name: string, binding: Binding, routePrefix: string): Partial<FunctionInfo> {
  const route = binding.route || name;
  const reserved = /^(?:admin|runtime)/i.test(route);
  return {
    methods: (binding.methods ?? []).map((method) => method.toUpperCase()),
    route: routePrefix === '' ? route : `${routePrefix}/${route}`,
    authLevel: (binding.authLevel ?? 'function').toLowerCase(),
    ...(reserved && { error: `The specified route conflicts with one or more built in routes: "${route}"` }),
  };
}
