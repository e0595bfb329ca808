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
import { createKestrel, DEFAULT_LIMITS } from './kestrel.ts';
import type { FunctionInfo } from './router.ts';
import { composeEnvironment, readAppFiles } from './settings.ts';
import { createInProcessWorker } from './in-process.ts';
import type { Load } from './in-process.ts';
import { AppLoadError, createWorker } from './worker-process.ts';

export type { FunctionInfo };

export type HostOptions = {
  /** The app's folder: package.json, host.json and perhaps local.settings.json. */
  app: string;
  /** In place of a file that a process of its own loads: registers an app in this one. It has no environment of its own. */
  load?: Load;
  /** Overrides package.json's main; may be a .ts file or a glob. */
  main?: string;
  /** 0: any free port. Default: local.settings.json's Host.LocalHttpPort, else any free port. */
  port?: number;
  /** In place of the Values of local.settings.json. */
  values?: Record<string, string>;
  /** Overrides the process environment and local.settings.json. */
  env?: Record<string, string>;
  /** Pass process.env on to the app. Default true. */
  inheritEnv?: boolean;
  /** Require a key where authLevel is not anonymous, as in the cloud. Default false, as under `func start`. */
  enableAuth?: boolean;
  /** The key for /admin, and for functions with enableAuth. Default: a random key. */
  hostKey?: string;
  /** Run timers on their schedules. Default true; otherwise only `runTimer` and the admin route run them. */
  schedules?: boolean;
  /** Receives the lines of the app and the host. Default: standard output. */
  output?: 'inherit' | ((line: string) => void);
  /**
   * Milliseconds for requests, and then for appTerminate hooks, after stop(). Default as on Azure: 30 s
   * (HostOptions.ShutdownTimeout), then 5 s (WorkerConstants.cs).
   */
  shutdownGraceMs?: number;
  /** Minimum time between two restarts of the worker after crashes, in ms. Default 10000, as on a real host. */
  restartDelayMs?: number;
  /** Time from the third crash of the worker to the end of the host, in ms. Default 30000, as on a real host. */
  endDelayMs?: number;
  /**
   * Reject when the app does not load, or one of its functions cannot be served. Default true; with false the host behaves
   * like a real one: it stays up and answers 404 or 503.
   */
  strict?: boolean;
};

export type Host = {
  url: string;
  port: number;
  functions: FunctionInfo[];
  hostKey: string;
  workerPid(): number | undefined;
  /** Runs a timer function now; rejects when it fails. */
  runTimer(name: string): Promise<void>;
  /** Restarts the worker, such as after a source change. Requests wait meanwhile. Rejects when the app does not load. */
  restartWorker(): Promise<void>;
  stop(): Promise<void>;
  /** Settles with the reason when the host ends on its own, after the third crash of its worker. */
  ended: Promise<string>;
};

const LEVELS = ['trace', 'debug', 'information', 'warning', 'error', 'critical', 'none'];

export async function startHost(options: HostOptions): Promise<Host> {
  const folder = resolve(options.app);
  const files = readAppFiles(folder);
  const requestGraceMs = options.shutdownGraceMs ?? 30_000;
  const graceMs = options.shutdownGraceMs ?? 5000;
  const hostKey = options.hostKey ?? randomBytes(32).toString('base64url');
  const { output } = options;
  const write =
    typeof output === 'function' ? output : (line: string) => void process.stdout.write(`${line}\n`);

  // Advice of the host is not output of the app: a program that reads the app's output must not find it there.
  const advise =
    typeof output === 'function' ? output : (line: string) => void process.stderr.write(`${line}\n`);

  function log(level: string, category: string, message: string, to = write): void {
    const lowest = category === 'system' ? 'warning' : files.logLevel;
    if (LEVELS.indexOf(level) < LEVELS.indexOf(lowest)) return;
    to(`[${new Date().toISOString()}] ${level === 'information' ? '' : `${level}: `}${message}`);
  }
  const warn = (message: string) => log('warning', 'system', message, advise);
  const failed = (name: string, id: string, message: string) =>
    log('error', 'system', `Executed 'Functions.${name}' (Failed, Id=${id}): ${message}`);

  const { env, skipped } = composeEnvironment(
    options.values ?? files.values,
    (options.inheritEnv ?? true) ? process.env : {},
    options.env,
  );
  for (const key of skipped)
    warn(`${key} of local.settings.json is not used: the environment sets it already.`);

  const loading = Promise.withResolvers<void>();
  const maxBodyBytes = bodyLimit(env);
  const kestrel = createKestrel(
    { ...DEFAULT_LIMITS, maxBodyBytes },
    async (exchange) => {
      await loading.promise;
      return respond(exchange);
    },
    (error) => log('error', 'system', format(error)),
  );
  const port = await listen(kestrel.server, options.port ?? files.localPort ?? 0);
  const inProcess = options.load && { load: options.load, folder, graceMs, log };
  const worker = inProcess
    ? createInProcessWorker(inProcess)
    : createWorker({
        folder,
        main: options.main ?? files.main,
        packageType: files.packageType,
        env: { WEBSITE_HOSTNAME: `localhost:${port}`, ...env },
        restartDelayMs: options.restartDelayMs ?? 10_000,
        graceMs,
        functionTimeoutMs: files.functionTimeoutMs,
        write,
        log,
        loadedAgain(registered) {
          for (const reason of functions.adopt(registered)) log('error', 'system', reason);
          startTimers();
        },
        notLoadedAgain: () => void functions.adopt([]),
        abandoned(reason) {
          functions.stopTimers();
          setTimeout(() => void endByItself(reason), options.endDelayMs ?? 30_000).unref();
        },
      });
  const { promise: ended, resolve: hasEnded } = Promise.withResolvers<string>();

  const functions = createAppFunctions(files.routePrefix, env, invokeWithData, warn);
  const respond = createFront({
    router: functions.router,
    worker,
    key: hostKey,
    keysOnFunctions: options.enableAuth ?? false,
    homePage: env.AzureWebJobsDisableHomepage?.toLowerCase() !== 'true',
    run: (name, input) => void functions.run(name, input),
    failed,
  });

  function startTimers(): void {
    if (options.schedules ?? true) functions.startTimers();
  }

  async function invokeWithData(name: string, data: string): Promise<string | undefined> {
    const id = randomUUID();
    const outcome = await worker.invoke(id, name, { data });
    if (outcome.type !== 'error') return undefined;
    failed(name, id, outcome.message);
    return outcome.message;
  }

  let stopped: Promise<void> | undefined;
  async function stop(): Promise<void> {
    functions.stopTimers();
    worker.releaseWaiting();
    await kestrel.stop(requestGraceMs);
    await worker.stop();
  }

  /** Like the exit of its process: connections are cut, waiting requests get no reply. */
  async function endByItself(reason: string): Promise<void> {
    kestrel.server.closeAllConnections();
    await (stopped ??= stop());
    hasEnded(reason);
  }

  try {
    const reasons = functions.adopt(await worker.start());
    if (reasons.length > 0 && options.strict !== false) throw new AppLoadError(reasons.join('\n'));
    for (const reason of reasons) log('error', 'system', reason);
  } catch (error) {
    if (!(error instanceof AppLoadError) || error.unsupported || options.strict !== false) {
      kestrel.server.closeAllConnections();
      await stop();
      throw error;
    }
    log('error', 'system', `The app did not load: ${error.message}`);
  }
  const { functions: served } = functions.router();
  const overBudget = bodyBudgetWarning(served, maxBodyBytes, files.maxConcurrentRequests);
  if (overBudget !== undefined) warn(overBudget);
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
    runTimer: functions.runTimer,
    restartWorker: () => worker.restart(),
    stop: () => (stopped ??= stop()),
    ended,
  };
}

/** A setting that is not a number is ignored, as on Azure. */
function bodyLimit({ FUNCTIONS_REQUEST_BODY_SIZE_LIMIT: limit = '' }: Record<string, string>): number {
  return /^\d+$/.test(limit) ? Number(limit) : DEFAULT_LIMITS.maxBodyBytes;
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
