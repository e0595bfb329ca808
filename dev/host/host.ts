// A functions host for laptops and tests: see README.md beside this file.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { createFront } from './http-front.ts';
import { createRouter } from './router.ts';
import type { FunctionInfo } from './router.ts';
import { readAppFiles } from './settings.ts';
import { createWorker } from './worker-process.ts';

export type { FunctionInfo };

export type HostOptions = {
  /** The app's folder: package.json, host.json and perhaps local.settings.json. */
  app: string;
  /** Instead of package.json's main; may be a .ts file or a glob. */
  main?: string;
  /** 0 or absent: a free one. */
  port?: number;
  /** Wins over the process environment and local.settings.json. */
  env?: Record<string, string>;
  /** Pass process.env on to the app. Default true. */
  inheritEnv?: boolean;
  enableAuth?: boolean;
  /** Where the app's and the host's own lines go. Default: standard output. */
  output?: 'inherit' | ((line: string) => void);
  /** How long requests and hooks may still take after stop(). Default 5000. */
  shutdownGraceMs?: number;
  /** From a crash of the worker to its restart. Default 10000, as seen on a real host. */
  restartDelayMs?: number;
  /** Reject when the app does not load or loses a function. Default true; false is what a real host does. */
  strict?: boolean;
};

export type Host = {
  url: string;
  port: number;
  functions: FunctionInfo[];
  workerPid(): number | undefined;
  runTimer(name: string): Promise<void>;
  restartWorker(): Promise<void>;
  stop(): Promise<void>;
};

export async function startHost(options: HostOptions): Promise<Host> {
  const folder = resolve(options.app);
  const files = readAppFiles(folder);
  const write =
    typeof options.output === 'function'
      ? options.output
      : (line: string) => void process.stdout.write(`${line}\n`);
  const log = (level: string, message: string) =>
    write(`[${new Date().toISOString()}] ${level === 'information' ? '' : `${level}: `}${message}`);
  const env = {
    AZURE_FUNCTIONS_ENVIRONMENT: 'Development',
    ...files.values,
    ...((options.inheritEnv ?? true) ? definedEntries(process.env) : {}),
    ...options.env,
  };
  const graceMs = options.shutdownGraceMs ?? 5000;
  let router = createRouter([], files.routePrefix);
  const worker = createWorker({
    folder,
    main: options.main ?? files.main,
    packageType: files.packageType,
    env,
    restartDelayMs: options.restartDelayMs ?? 10_000,
    graceMs,
    write,
    log,
    registered: (functions) => (router = createRouter(functions, files.routePrefix)),
  });
  try {
    router = createRouter(await worker.start(), files.routePrefix);
  } catch (error) {
    await worker.stop();
    throw error;
  }
  const server = createFront({
    match: (method, path) => router.match(method, path),
    invoke: (id, name, http, body) => worker.invoke(id, name, { http }, body),
    fatal: () => router.fatal,
  });
  server.listen(options.port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    get functions() {
      return router.functions;
    },
    workerPid: worker.pid,
    runTimer: async (name) => {
      await worker.invoke(crypto.randomUUID(), name, { data: '{}' }, []);
    },
    restartWorker: worker.restart,
    async stop() {
      const closed = once(server, 'close');
      server.close();
      server.closeIdleConnections();
      const kill = setTimeout(() => server.closeAllConnections(), graceMs);
      await closed;
      clearTimeout(kill);
      await worker.stop();
    },
  };
}

function definedEntries(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
