// Builds the host's routes from the app's registrations, with the real host's order and refusals.
import { compileTemplate } from './route-template.ts';
import type { RouteTemplate } from './route-template.ts';
import type { Binding, RegisteredFunction } from './wire.ts';

export type FunctionInfo = {
  name: string;
  /** `httpTrigger`, `timerTrigger`, … */
  trigger: string;
  /** HTTP only, in upper case; undefined means every method. */
  methods?: string[];
  /** HTTP only: with the prefix. */
  route?: string;
  /** HTTP only: `anonymous`, `function` or `admin`. */
  authLevel?: string;
  /** Disabled by a setting: it answers 404. */
  disabled: boolean;
  /** Why the host does not serve this function. */
  error?: string;
};

export type Match = { info: FunctionInfo; params: Record<string, string> };

export type Router = {
  /** In matching order. */
  functions: FunctionInfo[];
  /** Set when one template is invalid: the host then answers every request with 503. */
  fatal: string | undefined;
  match(method: string, path: string): Match | undefined;
};

export function createRouter(
  registered: RegisteredFunction[],
  routePrefix: string,
  settings: Record<string, string>,
): Router {
  const functions = registered.map((registration) => describe(registration, routePrefix, settings));
  // Ordinal, ignoring case: .NET compares the upper-case forms, code unit by code unit (FunctionMetadataManager.cs).
  functions.sort((a, b) => ordinal(a.name.toUpperCase(), b.name.toUpperCase()));
  const routes: { info: FunctionInfo; template: RouteTemplate }[] = [];
  let fatal: string | undefined;
  for (const info of functions) {
    if (info.route === undefined || info.error !== undefined) continue;
    try {
      routes.push({ info, template: compileTemplate(info.route) });
    } catch (error) {
      info.error = `the route "${info.route}" is not valid: ${(error as Error).message}`;
      fatal ??= `${info.name}: ${info.error}`;
    }
  }
  return {
    functions,
    fatal,
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

function describe(
  { name, bindings }: RegisteredFunction,
  routePrefix: string,
  settings: Record<string, string>,
): FunctionInfo {
  const binding = Object.values(bindings).find(({ type }) => /trigger$/i.test(type))!;
  const info: FunctionInfo = { name, trigger: binding.type, disabled: isDisabled(name, settings) };
  if (binding.type.toLowerCase() === 'httptrigger')
    Object.assign(info, httpFields(name, binding, routePrefix));
  // Azure/azure-functions-host, Utility.IsValidFunctionName
  if (!/^[a-z][\w-]{0,127}$/i.test(name) || name.toLowerCase() === 'host') {
    info.error = `"${name}" is not a valid function name`;
  }
  return info;
}

function httpFields(name: string, binding: Binding, routePrefix: string): Partial<FunctionInfo> {
  const route = binding.route || name;
  // Azure/azure-functions-host, ScriptHost.ValidateHttpFunction: any route with this prefix, even `administrators`
  const reserved = /^\/*(?:admin|runtime)/i.test(route);
  return {
    ...(binding.methods && { methods: binding.methods.map((method) => method.toUpperCase()) }),
    route: routePrefix === '' ? route : `${routePrefix}/${route}`,
    authLevel: (binding.authLevel ?? 'function').toLowerCase(),
    ...(reserved && { error: `the route "${route}" conflicts with the host's own routes` }),
  };
}

/** `AzureWebJobs.<name>.Disabled`, or with underscores where dots cannot be set: `true` or `1`. */
function isDisabled(name: string, settings: Record<string, string>): boolean {
  const value =
    settings[`AzureWebJobs.${name}.Disabled`] ??
    settings[`AzureWebJobs_${name.replaceAll('.', '_')}_Disabled`];
  return /^(?:true|1)$/i.test(value ?? '');
}
