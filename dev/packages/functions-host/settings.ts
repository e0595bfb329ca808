// The files of a function app that this host reads: package.json and host.json.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export type AppFiles = {
  /** package.json: the file that registers the functions; empty when there is none. */
  main: string;
  routePrefix: string;
  /** host.json: extensions.http.maxConcurrentRequests. */
  maxConcurrentRequests: number | undefined;
  /** host.json: the app's log lines below this level are dropped. */
  logLevel: string;
};

type Json = Record<string, unknown>;

export function readAppFiles(folder: string): AppFiles {
  const hostJson = readJson(folder, 'host.json');
  if (!hostJson) throw new Error(`${folder} is not a function app: it has no host.json`);
  const { main } = readJson(folder, 'package.json') ?? {};
  const { routePrefix, maxConcurrentRequests } = object(object(hostJson.extensions).http);
  const levels = object(object(hostJson.logging).logLevel);
  return {
    main: text(main, ''),
    routePrefix: text(routePrefix, 'api'),
    maxConcurrentRequests: typeof maxConcurrentRequests === 'number' ? maxConcurrentRequests : undefined,
    logLevel: text(levels.Function ?? levels.default, 'information').toLowerCase(),
  };
}

function text(value: unknown, otherwise: string): string {
  return typeof value === 'string' ? value : otherwise;
}

function object(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}

function readJson(folder: string, name: string): Json | undefined {
  const path = join(folder, name);
  if (!existsSync(path)) return undefined;
  try {
    return object(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    throw new Error(`${path} is not valid JSON: ${(error as Error).message}`, { cause: error });
  }
}
