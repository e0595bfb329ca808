// The files of a function app: package.json, host.json and local.settings.json.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export type AppFiles = {
  /** package.json: a file or a glob; empty when there is none. */
  main: string;
  packageType: 'module' | 'commonjs';
  routePrefix: string;
  /** host.json: extensions.http.maxConcurrentRequests. */
  maxConcurrentRequests: number | undefined;
  /** host.json: time limit of one invocation, in ms. */
  functionTimeoutMs: number;
  /** host.json: the app's log lines below this level are dropped. */
  logLevel: string;
  /** local.settings.json: Host.LocalHttpPort. */
  localPort: number | undefined;
  /** local.settings.json: Values. */
  values: Record<string, string>;
};

type Json = Record<string, unknown>;

const CORE_TOOLS_DEFAULTS = { AZURE_FUNCTIONS_ENVIRONMENT: 'Development', FUNCTIONS_WORKER_RUNTIME: 'node' };
/** Flex Consumption's default. */
const FUNCTION_TIMEOUT_MS = 30 * 60_000;

export function readAppFiles(folder: string): AppFiles {
  const hostJson = readJson(folder, 'host.json');
  if (!hostJson) throw new Error(`${folder} is not a function app: it has no host.json`);
  const packageJson = readJson(folder, 'package.json') ?? {};
  const localSettings = readJson(folder, 'local.settings.json') ?? {};
  return {
    main: typeof packageJson.main === 'string' ? packageJson.main : '',
    packageType: packageJson.type === 'module' ? 'module' : 'commonjs',
    ...hostOptions(hostJson),
    ...localOptions(localSettings),
  };
}

function hostOptions(hostJson: Json): Omit<AppFiles, 'main' | 'packageType' | 'localPort' | 'values'> {
  const { routePrefix = 'api', maxConcurrentRequests } = object(object(hostJson.extensions).http);
  const levels = object(object(hostJson.logging).logLevel);
  const level = levels.Function ?? levels.default;
  if (typeof routePrefix !== 'string')
    throw new Error('host.json: extensions.http.routePrefix must be a string');
  return {
    routePrefix: routePrefix.replaceAll(/^\/|\/$/g, ''),
    maxConcurrentRequests: typeof maxConcurrentRequests === 'number' ? maxConcurrentRequests : undefined,
    functionTimeoutMs: functionTimeout(hostJson.functionTimeout),
    logLevel: typeof level === 'string' ? level.toLowerCase() : 'information',
  };
}

function functionTimeout(value: unknown): number {
  if (value === undefined) return FUNCTION_TIMEOUT_MS;
  if (value === '-1') return Infinity;
  const match = typeof value === 'string' && /^(?:(\d+)\.)?(\d{1,2}):(\d\d):(\d\d)$/.exec(value);
  if (!match)
    throw new Error(
      `host.json: functionTimeout must be "[d.]hh:mm:ss" or "-1", not ${JSON.stringify(value)}`,
    );
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = match.slice(1).map((part) => Number(part ?? 0));
  return (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000;
}

function localOptions(settings: Json): Pick<AppFiles, 'localPort' | 'values'> {
  if (settings.IsEncrypted === true) {
    throw new Error('local.settings.json is encrypted; decrypt it with "func settings decrypt" first');
  }
  const values: Record<string, string> = {};
  for (const [key, value] of Object.entries(object(settings.Values))) {
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') {
      throw new Error(`local.settings.json: Values.${key} must be a string, as settings are in the cloud`);
    }
    values[key] = String(value);
  }
  const port = object(settings.Host).LocalHttpPort;
  return { localPort: typeof port === 'number' ? port : undefined, values };
}

function object(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}

/** JSON with comments and trailing commas, as Azure's own tools accept it. */
function readJson(folder: string, name: string): Json | undefined {
  const path = join(folder, name);
  if (!existsSync(path)) return undefined;
  const text = readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
  const token =
    /"(?:[^"\\]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\/|,(?=(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*[}\]])/g;
  try {
    return object(JSON.parse(text.replaceAll(token, (found) => (found.startsWith('"') ? found : ''))));
  } catch (error) {
    throw new Error(`${path} is not valid JSON: ${(error as Error).message}`, { cause: error });
  }
}

export type Environment = { env: Record<string, string>; skipped: string[] };

/**
 * The app's process.env: `forced` overrides `inherited`, which overrides local.settings.json, which overrides the variables
 * that Core Tools sets. As in Core Tools, an empty inherited variable is ignored. `skipped` are the keys of
 * local.settings.json that the inherited environment overrides.
 */
export function composeEnvironment(
  values: Record<string, string>,
  inherited: NodeJS.ProcessEnv,
  forced: Record<string, string> = {},
): Environment {
  const env: Record<string, string> = {};
  for (const [key, value] of Object.entries(inherited)) if (value !== undefined) env[key] = value;
  const skipped: string[] = [];
  for (const [key, value] of Object.entries({ ...CORE_TOOLS_DEFAULTS, ...values })) {
    if (!env[key]) env[key] = value;
    else if (key in values && env[key] !== value && !(key in forced)) skipped.push(key);
  }
  return { env: { ...env, ...forced }, skipped };
}
