// A functions host for laptops and tests: see README.md beside this file.
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { format } from 'node:util';
import { createAppFunctions } from './app-functions.ts';
import { bodyBudgetWarning } from './body-budget.ts';
import { createFront } from './front.ts';
import { createInProcessWorker } from './in-process.ts';
import type { Load } from './in-process.ts';
import type { FunctionInfo } from './router.ts';
import { readAppFiles } from './settings.ts';
import type { Run } from './timers.ts';
import { createWebServer, DEFAULT_MAX_BODY_BYTES } from './web-server.ts';
import { createWorker } from './worker-process.ts';

export type HostOptions = {
  /** The app's folder: package.json and host.json. */
  app: string;
  /** In place of a file that a process of its own loads: registers an app in this one. It has no environment of its own. */
  load?: Load;
  /** Overrides package.json's main; may be a .ts file. */
  main?: string;
  /** Default: any free port. */
  port?: number;
  /** The environment of the app, beside what Core Tools sets. */
  env?: Record<string, string>;
  /** Run timers on their schedules. Default true; otherwise only `runTimer` and the admin route run them. */
  schedules?: boolean;
  /** Receives the lines of the app and the host. Default: standard output. */
  output?: (line: string) => void;
  /**
   * Milliseconds for requests, and then for appTerminate hooks, after stop(). Default as on Azure: 30 s
   * (HostOptions.ShutdownTimeout), then 5 s (WorkerConstants.cs).
   */
  shutdownGraceMs?: number;
  /** Minimum time between two restarts of the worker after crashes, in ms. Default 10000, as on a real host. */
  restartDelayMs?: number;
  /** Time from the third crash of the worker, which closes the port, to the end of the host, in ms. Default 6000, as on a real host. */
  endDelayMs?: number;
};

export type Host = {
  url: string;
  port: number;
  functions: FunctionInfo[];
  /** The key for `POST /admin/functions/<name>`. */
  hostKey: string;
  workerPid(): number | undefined;
  /** Runs a timer function now, with that `input`; rejects when it fails. */
  runTimer(name: string, input?: string): Promise<void>;
  /** Restarts the worker, such as after a source change. Requests wait meanwhile. Rejects when the app does not load. */
  restartWorker(): Promise<void>;
  stop(): Promise<void>;
  /** Settles with the reason when the host ends on its own, after the third crash of its worker. */
  ended: Promise<string>;
};

const LEVELS = ['trace', 'debug', 'information', 'warning', 'error', 'critical', 'none'];
const CORE_TOOLS_DEFAULTS = { AZURE_FUNCTIONS_ENVIRONMENT: 'Development', FUNCTIONS_WORKER_RUNTIME: 'node' };

/** Rejects with AppLoadError when the app does not load, or one of its functions cannot be served. */
export async function startHost(options: HostOptions): Promise<Host> {
  const folder = resolve(options.app);
  const files = readAppFiles(folder);
  const requestGraceMs = options.shutdownGraceMs ?? 30_000;
  const graceMs = options.shutdownGraceMs ?? 5000;
  const hostKey = randomBytes(32).toString('base64url');
  const write = options.output ?? ((line: string) => void process.stdout.write(`${line}\n`));
  // Advice of the host is not output of the app: a program that reads the app's output must not find it there.
  const advise = options.output ?? ((line: string) => void process.stderr.write(`${line}\n`));
  /** The lines of the invocations that a manual run waits for. */
  const linesOf = new Map<string, string[]>();

  function log(level: string, category: string, message: string, id = '', to = write): void {
    linesOf.get(id)?.push(message);
    const lowest = category === 'system' ? 'warning' : files.logLevel;
    if (LEVELS.indexOf(level) < LEVELS.indexOf(lowest)) return;
    to(`[${new Date().toISOString()}] ${level === 'information' ? '' : `${level}: `}${message}`);
  }
  const failed = (name: string, id: string, message: string) =>
    log('error', 'system', `Executed 'Functions.${name}' (Failed, Id=${id}): ${message}`);

  const loading = Promise.withResolvers<void>();
  const maxBodyBytes = bodyLimit(options.env);
  const web = createWebServer(
    maxBodyBytes,
    async (exchange) => {
      await loading.promise;
      return respond(exchange);
    },
    (error) => log('error', 'system', format(error)),
  );
  const port = await listen(web.server, options.port ?? 0);
  const worker = options.load
    ? createInProcessWorker({ load: options.load, graceMs, log })
    : createWorker({
        folder,
        main: options.main ?? files.main,
        env: { ...CORE_TOOLS_DEFAULTS, WEBSITE_HOSTNAME: `localhost:${port}`, ...options.env },
        restartDelayMs: options.restartDelayMs ?? 10_000,
        graceMs,
        write,
        log,
        loadedAgain(registered) {
          functions.adopt(registered);
          startTimers();
        },
        notLoadedAgain: () => functions.clear(),
        abandoned(reason) {
          functions.stopTimers();
          web.server.close();
          setTimeout(() => void endByItself(reason), options.endDelayMs ?? 6000).unref();
        },
      });
  const { promise: ended, resolve: hasEnded } = Promise.withResolvers<string>();

  const functions = createAppFunctions(files.routePrefix, runWithData);
  const respond = createFront({
    router: functions.router,
    worker,
    key: hostKey,
    runTimer: functions.runTimer,
    failed,
  });

  function startTimers(): void {
    if (options.schedules ?? true) functions.startTimers();
  }

  async function runWithData(name: string, data: string): Promise<Run> {
    const id = randomUUID();
    const lines: string[] = [];
    linesOf.set(id, lines);
    const outcome = await worker.invoke(id, name, { data });
    linesOf.delete(id);
    if (outcome.type !== 'error') return { lines };
    failed(name, id, outcome.message);
    return { failure: outcome.message, lines };
  }

  let stopped: Promise<void> | undefined;
  async function stop(): Promise<void> {
    functions.stopTimers();
    worker.releaseWaiting();
    await web.stop(requestGraceMs);
    await worker.stop();
  }

  /** Like the exit of its process: connections are cut, waiting requests get no reply. */
  async function endByItself(reason: string): Promise<void> {
    web.server.closeAllConnections();
    await (stopped ??= stop());
    hasEnded(reason);
  }

  try {
    functions.adopt(await worker.start());
  } catch (error) {
    web.server.closeAllConnections();
    await stop();
    throw error;
  }
  const overBudget = bodyBudgetWarning(
    functions.router().functions,
    maxBodyBytes,
    files.maxConcurrentRequests,
  );
  if (overBudget !== undefined) log('warning', 'system', overBudget, '', advise);
  startTimers();
  loading.resolve();

  return {
    url: `http://127.0.0.1:${port}`,
    port,
    hostKey,
    get functions() {
      return functions.router().functions;
    },
    workerPid: () => worker.pid(),

    async runTimer(name, input) {
      const running = functions.runTimer(name, input);
      if (running === undefined) throw new Error(`there is no timer function "${name}"`);
      const { failure } = await running;
      if (failure !== undefined) throw new Error(`the timer function "${name}" failed: ${failure}`);
    },
    restartWorker: () => worker.restart(),
    stop: () => (stopped ??= stop()),
    ended,
  };
}

/** A setting that is not a number is ignored, as on Azure. */
function bodyLimit({ FUNCTIONS_REQUEST_BODY_SIZE_LIMIT: limit = '' }: Record<string, string> = {}): number {
  return /^\d+$/.test(limit) ? Number(limit) : DEFAULT_MAX_BODY_BYTES;
}

async function listen(server: Server, port: number): Promise<number> {
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new Error(`port ${port} is in use: stop the process that listens there, or choose another port`, {
      cause: error,
    });
  }
  return (server.address() as AddressInfo).port;
}
