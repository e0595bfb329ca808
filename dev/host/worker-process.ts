// Starts the worker, hands it invocations, and brings it back after a crash.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { readFrames, writeFrame } from './frames.ts';
import type { Call, FromWorker, RegisteredFunction, ToWorker } from './messages.ts';

export type WorkerReply =
  | (Extract<FromWorker, { type: 'reply' }> & { body: Buffer })
  | Extract<FromWorker, { type: 'empty' | 'error' }>;

export type WorkerOptions = {
  folder: string;
  main: string;
  packageType: string;
  env: Record<string, string>;
  /** From the end of a crashed worker to the start of the next one, in ms. */
  restartDelayMs: number;
  graceMs: number;
  write: (line: string) => void;
  log: (level: string, message: string) => void;
  /** A worker that came up after a crash or a restart tells again what it registered. */
  registered: (functions: RegisteredFunction[]) => void;
};

type Running = { child: ChildProcess; pipe: Socket; ended: Promise<void> };

const WORKER_FILE = fileURLToPath(new URL('./worker.ts', import.meta.url));
const LINES_KEPT = 30;

export type AppWorker = {
  pid(): number | undefined;
  /** Resolves with what the app registered; rejects with the reason when the app does not load. */
  start(): Promise<RegisteredFunction[]>;
  invoke(id: string, functionName: string, call: Call, body: readonly Uint8Array[]): Promise<WorkerReply>;
  restart(): Promise<void>;
  stop(): Promise<void>;
};

export function createWorker(options: WorkerOptions): AppWorker {
  const pending = new Map<string, (reply: WorkerReply) => void>();
  const lastLines: string[] = [];
  let running: Running | undefined;
  let stopping = false;
  let restartTimer: NodeJS.Timeout | undefined;

  function start(): Promise<RegisteredFunction[]> {
    const { promise, resolve, reject } = Promise.withResolvers<RegisteredFunction[]>();
    const child = spawn(
      process.execPath,
      [
        '--disable-warning=ExperimentalWarning',
        WORKER_FILE,
        options.folder,
        options.main,
        options.packageType,
      ],
      { env: options.env, stdio: ['ignore', 'pipe', 'pipe', 'pipe'] },
    );
    const pipe = child.stdio[3] as Socket;
    pipe.on('error', () => {}); // the end of the process says more
    for (const stream of [child.stdout!, child.stderr!]) {
      createInterface({ input: stream }).on('line', (line) => {
        if (lastLines.push(line) > LINES_KEPT) lastLines.shift();
        options.write(line);
      });
    }
    const ended = new Promise<void>((done) => {
      child.once('close', (code, signal) => {
        done();
        reject(
          new Error(`the app ended (${signal ?? `exit code ${code}`}) while it was loading${outputTail()}`),
        );
        workerEnded(child, code, signal);
      });
    });
    child.once('error', reject);
    running = { child, pipe, ended };

    readFrames<FromWorker>(pipe, (message, body) => {
      if (message.type === 'started') resolve(message.functions);
      else if (message.type === 'failed') reject(new Error(message.message));
      else if (message.type === 'log') options.log(message.level, message.message);
      else {
        const settle = pending.get(message.id);
        pending.delete(message.id);
        settle?.(message.type === 'reply' ? { ...message, body } : message);
      }
    });
    return promise;
  }

  function outputTail(): string {
    return lastLines.length > 0
      ? `; its last output:\n${lastLines.map((line) => `    ${line}`).join('\n')}`
      : '';
  }

  function workerEnded(child: ChildProcess, code: number | null, signal: NodeJS.Signals | null): void {
    if (running?.child !== child) return;
    running = undefined;
    for (const [id, settle] of pending) settle({ type: 'error', id, message: 'the worker ended' });
    pending.clear();
    if (stopping) return;
    options.log('error', `The worker ended unexpectedly (${signal ?? `exit code ${code}`}).`);
    restartTimer = setTimeout(() => {
      start().then(options.registered, (error: unknown) => options.log('error', String(error)));
    }, options.restartDelayMs);
  }

  async function end(): Promise<void> {
    clearTimeout(restartTimer);
    const old = running;
    if (!old) return;
    running = undefined;
    writeFrame(old.pipe, { type: 'terminate' } satisfies ToWorker);
    const kill = setTimeout(() => old.child.kill('SIGKILL'), options.graceMs);
    await old.ended;
    clearTimeout(kill);
  }

  return {
    pid: () => running?.child.pid,
    start,

    invoke(id, functionName, call, body) {
      if (!running) return Promise.resolve({ type: 'error', id, message: 'no worker is running' });
      const { promise, resolve } = Promise.withResolvers<WorkerReply>();
      pending.set(id, resolve);
      writeFrame(running.pipe, { type: 'invoke', id, functionName, ...call } satisfies ToWorker, body);
      return promise;
    },

    async restart() {
      await end();
      options.registered(await start());
    },

    async stop() {
      stopping = true;
      await end();
    },
  };
}
