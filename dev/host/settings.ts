// The files of a function app: package.json, host.json and local.settings.json.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export type AppFiles = {
  main: string;
  packageType: string;
  routePrefix: string;
  /** The longest that one invocation may take, in ms. */
  functionTimeoutMs: number;
  localPort: number | undefined;
  values: Record<string, string>;
};

type Json = Record<string, unknown>;

const FLEX_FUNCTION_TIMEOUT_MS = 30 * 60_000;

export function readAppFiles(folder: string): AppFiles {
  const packageJson = readJson(folder, 'package.json') ?? {};
  const hostJson = readJson(folder, 'host.json');
  if (!hostJson) throw new Error(`${join(folder, 'host.json')} is missing: this is no function app folder`);
  const settings = readJson(folder, 'local.settings.json') ?? {};
  if (settings.IsEncrypted === true) {
    throw new Error('local.settings.json is encrypted; run "func settings decrypt" first');
  }
  const { localPort, values } = localSettings(settings);
  return {
    main: typeof packageJson.main === 'string' ? packageJson.main : '',
    packageType: packageJson.type === 'module' ? 'module' : 'commonjs',
    routePrefix: routePrefix(hostJson),
    functionTimeoutMs: functionTimeout(hostJson),
    localPort,
    values,
  };
}

function routePrefix(hostJson: Json): string {
  const http = object(object(hostJson.extensions).http);
  return typeof http.routePrefix === 'string' ? http.routePrefix : 'api';
}

function functionTimeout(hostJson: Json): number {
  const value = hostJson.functionTimeout;
  if (value === undefined) return FLEX_FUNCTION_TIMEOUT_MS;
  if (value === '-1') return Infinity;
  const match = /^(?:(\d+)\.)?(\d\d):(\d\d):(\d\d)$/.exec(String(value));
  if (!match) throw new Error(`host.json: functionTimeout is "[d.]hh:mm:ss", not ${JSON.stringify(value)}`);
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = match.slice(1).map((part) => Number(part ?? 0));
  return (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000;
}

function localSettings(settings: Json): Pick<AppFiles, 'localPort' | 'values'> {
  const values: Record<string, string> = {};
  for (const [key, value] of Object.entries(object(settings.Values))) {
    if (typeof value === 'object') {
      throw new Error(`local.settings.json: Values.${key} must be a string, as in the cloud`);
    }
    values[key] = String(value);
  }
  const port = object(settings.Host).LocalHttpPort;
  return { localPort: typeof port === 'number' ? port : undefined, values };
}

function object(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}

/** JSON with comments and trailing commas, which Azure's tools accept in these files. */
function readJson(folder: string, name: string): Json | undefined {
  const path = join(folder, name);
  if (!existsSync(path)) return undefined;
  const text = readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
  try {
    return object(JSON.parse(withoutComments(text)));
  } catch (error) {
    throw new Error(`${path}: ${(error as Error).message}`, { cause: error });
  }
}

function withoutComments(text: string): string {
  const token =
    /"(?:[^"\\]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\/|,(?=(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*[}\]])/g;
  return text.replace(token, (found) => (found.startsWith('"') ? found : ''));
}
