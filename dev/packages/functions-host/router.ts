// Builds the host's routes from the app's registrations, with the real host's order and refusals.
import { compileTemplate } from './route-template.ts';
import type { RouteTemplate } from './route-template.ts';
import type { Binding, RegisteredFunction } from './wire.ts';

export type FunctionInfo = {
  name: string;
  /** HTTP only, in upper case; undefined means every method. */
  methods?: string[];
  /** HTTP only: with the prefix. */
  route?: string;
  /** Timers only. */
  schedule?: string;
};

export type Match = { info: FunctionInfo; params: Record<string, string> };

export type Router = {
  /** In matching order. */
  functions: FunctionInfo[];
  match(method: string, path: string): Match | undefined;
};

/** Throws for the first function that a real host would not serve, and for what this one does not. */
export function createRouter(registered: RegisteredFunction[], routePrefix: string): Router {
  const functions = registered.map(({ name, bindings }) =>
    describe(name, Object.values(bindings), routePrefix),
  );
  // Ordinal, ignoring case: .NET compares the upper-case forms, code unit by code unit (FunctionMetadataManager.cs).
  functions.sort((a, b) => ordinal(a.name.toUpperCase(), b.name.toUpperCase()));
  const routes: { info: FunctionInfo; template: RouteTemplate }[] = [];
  for (const info of functions) {
    const { name, route } = info;
    if (route === undefined) continue;
    try {
      routes.push({ info, template: compileTemplate(route) });
    } catch (error) {
      throw new Error(`${name}: the route "${route}" is not valid: ${(error as Error).message}`, {
        cause: error,
      });
    }
  }
  return {
    functions,
    match(method, path) {
      for (const { info, template } of routes) {
        if (info.methods && !info.methods.includes(method)) continue;
        const params = template(path);
        if (params) return { info, params };
      }
      return undefined;
    },
  };
}

function ordinal(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function describe(name: string, bindings: Binding[], routePrefix: string): FunctionInfo {
  // Azure/azure-functions-host, Utility.IsValidFunctionName
  if (!/^[a-z][\w-]{0,127}$/i.test(name) || name.toLowerCase() === 'host') {
    throw new Error(`"${name}" is not a valid function name`);
  }
  const { type, schedule = '', ...http } = bindings.find(({ type }) => /trigger$/i.test(type))!;
  if (type === 'timerTrigger') return { name, schedule };
  if (type !== 'httpTrigger') throw new Error(`${name}: this host runs HTTP and timer triggers, no ${type}`);
  if ((http.authLevel ?? 'anonymous') !== 'anonymous') {
    throw new Error(`${name}: this host asks for no function keys; set authLevel to 'anonymous'`);
  }
  const route = http.route || name;
  // Azure/azure-functions-host, ScriptHost.ValidateHttpFunction: any route with this prefix, even `administrators`
  if (/^\/*(?:admin|runtime)/i.test(route)) {
    throw new Error(`${name}: the route "${route}" conflicts with the host's own routes`);
  }
  return {
    name,
    ...(http.methods && { methods: http.methods.map((method) => method.toUpperCase()) }),
    route: routePrefix === '' ? route : `${routePrefix}/${route}`,
  };
}
