// Starts the worker, sends it invocations, and restarts it after a crash.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createCrashPolicy } from './crash-policy.ts';
import { frameReader, writeFrame } from './wire.ts';
import type { Call, FromWorker, RegisteredFunction, ReplyHead } from './wire.ts';

export type WorkerOptions = {
  folder: string;
  main: string;
  env: Record<string, string>;
  /** Minimum time between two restarts after crashes, in ms. */
  restartDelayMs: number;
  /** Time for the app to finish when it is stopped, in ms. */
  graceMs: number;
  /** Receives each line of the app's own output. */
  write: (line: string) => void;
  log: Log;
  /** Called when a restarted worker registers its functions again. */
  loadedAgain: (functions: RegisteredFunction[]) => void;
  notLoadedAgain: () => void;
  /** Called after so many crashes that no worker restarts; requests wait for the host's decision. */
  abandoned: (reason: string) => void;
};

/** `id`: of the invocation that logs. */
export type Log = (level: string, category: string, message: string, id?: string) => void;

export type Outcome =
  | { type: 'reply'; http: ReplyHead; body: Buffer }
  | { type: 'done' }
  | { type: 'error'; message: string };

export type AppWorker = {
  pid(): number | undefined;
  /** Resolves with the app's registrations; rejects with AppLoadError. */
  start(): Promise<RegisteredFunction[]>;
  invoke(id: string, functionName: string, call: Call, body?: readonly Uint8Array[]): Promise<Outcome>;
  restart(): Promise<void>;
  /** Fails the invocations that wait for a restarted worker. */
  releaseWaiting(): void;
  stop(): Promise<void>;
};

/** The app does not load, or one of its functions cannot be served. */
export class AppLoadError extends Error {}

const WORKER_FILE = fileURLToPath(new URL('worker.ts', import.meta.url));
const LINES_KEPT = 30;
/** Flex Consumption's limit for initialization. */
const LOAD_TIMEOUT_MS = 30_000;

type Pending = Map<string, (outcome: Outcome) => void>;
type Running = { child: ChildProcess; pipe: Socket; pending: Pending; ended: Promise<void> };

/** As under Core Tools, `languageWorkers__node__arguments` takes Node's own arguments, such as `--inspect=9229`. */
function nodeArguments({ languageWorkers__node__arguments: own = '' }: Record<string, string>): string[] {
  return ['--disable-warning=ExperimentalWarning', ...own.split(' ').filter((argument) => argument !== '')];
}

export function createWorker(options: WorkerOptions): AppWorker {
  const lastLines: string[] = [];
  let running: Running | undefined;
  let restarting: Promise<unknown> | undefined;
  let stopped = false;
  const crashes = createCrashPolicy(options.restartDelayMs);
  /** Pending between a crash and the start of the next worker; forever when none starts. */
  let recovering: Promise<unknown> | undefined;
  let crashTimer: NodeJS.Timeout | undefined;
  const { promise: released, resolve: release } = Promise.withResolvers<void>();

  function start(): Promise<RegisteredFunction[]> {
    const { promise, resolve, reject } = Promise.withResolvers<RegisteredFunction[]>();
    lastLines.length = 0;
    const child = spawn(
      process.execPath,
      [...nodeArguments(options.env), WORKER_FILE, options.folder, options.main],
      { env: options.env, stdio: ['ignore', 'pipe', 'pipe', 'pipe'] },
    );
    const pipe = child.stdio[3] as Socket;
    pipe.on('error', () => {}); // the end of the process, which follows, is more informative
    for (const stream of [child.stdout!, child.stderr!])
      createInterface({ input: stream }).on('line', keepLine);
    const pending: Pending = new Map();
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const self = { child, pipe, pending, ended };
    running = self;

    let loaded = false;
    const tooLate = setTimeout(() => {
      fail(`it did not finish loading within ${LOAD_TIMEOUT_MS / 1000} s`);
      child.kill('SIGKILL');
    }, LOAD_TIMEOUT_MS);
    function fail(reason: string): void {
      clearTimeout(tooLate);
      reject(new AppLoadError(reason + outputTail()));
    }

    child.once('error', (error) => {
      fail(`its process cannot be started: ${error.message}`);
      end();
    });
    child.once('close', (code, signal) => {
      const how = signal ?? `exit code ${code}`;
      fail(`it ended (${how}) while it was loading`);
      for (const settle of pending.values()) settle({ type: 'error', message: `the worker ended (${how})` });
      end();
      if (running !== self) return;
      running = undefined;
      if (loaded && !stopped) recover(how);
    });
    pipe.on(
      'data',
      frameReader((head, body) => {
        const message = head as FromWorker;
        if (message.type === 'started') {
          loaded = true;
          clearTimeout(tooLate);
          resolve(message.functions);
        } else if (message.type === 'failed') fail(message.message);
        else if (message.type === 'log') {
          options.log(message.level, message.category, message.message, message.id);
        } else {
          pending.get(message.id)?.(message.type === 'reply' ? { ...message, body } : message);
          pending.delete(message.id);
        }
      }),
    );
    return promise;
  }

  function keepLine(line: string): void {
    if (lastLines.push(line) > LINES_KEPT) lastLines.shift();
    options.write(line);
  }

  function outputTail(): string {
    return lastLines.length === 0 ? '' : `\nIts last output:\n    ${lastLines.join('\n    ')}`;
  }

  function recover(how: string): void {
    const delayMs = crashes.crashed(performance.now());
    const next =
      delayMs === undefined ? 'no other one starts' : `the next one starts in ${Math.ceil(delayMs / 1000)} s`;
    const reason = `The worker ended unexpectedly (${how}); ${next}.`;
    options.log('error', 'system', reason);
    const { promise, resolve } = Promise.withResolvers<void>();
    recovering = promise;
    if (delayMs === undefined) {
      options.abandoned(reason);
      return;
    }
    const comeBack = () => {
      if (recovering === promise) recovering = undefined;
      resolve();
    };
    crashTimer = setTimeout(() => void startAgain().then(comeBack, comeBack), delayMs);
  }

  async function startAgain(): Promise<void> {
    if (stopped) throw new AppLoadError('the host is stopping');
    try {
      options.loadedAgain(await start());
    } catch (error) {
      options.notLoadedAgain();
      options.log('error', 'system', `The app did not load: ${(error as Error).message}`);
      throw error;
    }
  }

  /** Waits for running invocations, then for appTerminate hooks; kills the worker when either exceeds its grace period. */
  async function end(): Promise<void> {
    clearTimeout(crashTimer);
    const old = running;
    if (!old) return;
    running = undefined;
    const deadline = performance.now() + options.graceMs;
    while (old.pending.size > 0 && performance.now() < deadline)
      await new Promise((next) => setTimeout(next, 10));
    writeFrame(old.pipe, { type: 'terminate' });
    const kill = setTimeout(() => {
      options.log(
        'warning',
        'system',
        `The worker has not ended within ${options.graceMs} ms; it is killed.`,
      );
      old.child.kill('SIGKILL');
    }, options.graceMs);
    await old.ended;
    clearTimeout(kill);
  }

  return {
    pid: () => running?.child.pid,
    start,

    async invoke(id, functionName, call, body) {
      if (restarting) await restarting.catch(() => {});
      if (recovering) await Promise.race([recovering, released]);
      if (!running) return { type: 'error', message: 'no worker is running' };
      const { promise, resolve } = Promise.withResolvers<Outcome>();
      running.pending.set(id, resolve);
      writeFrame(running.pipe, { type: 'invoke', id, functionName, ...call }, body);
      return promise;
    },

    restart() {
      clearTimeout(crashTimer);
      recovering = undefined;
      crashes.forget();
      const next = (restarting ?? Promise.resolve())
        .catch(() => {})
        .then(end)
        .then(startAgain);
      restarting = next;
      return next.finally(() => {
        if (restarting === next) restarting = undefined;
      });
    },

    releaseWaiting: release,

    async stop() {
      stopped = true;
      release();
      await end();
      await restarting?.catch(() => {});
      await end();
    },
  };
}
