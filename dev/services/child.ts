import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { ReaperOrder } from './reaper.ts';

export type ChildOptions = {
  /** Its name in messages: `PostgreSQL`. */
  name: string;
  command: string;
  args: string[];
  env: NodeJS.ProcessEnv;
  cwd?: string;
  uid?: number;
  gid?: number;
  /** Receives its standard output and error; emptied at each start. */
  logFile: string;
  /** The signal for an orderly exit; SIGKILL follows after `graceMs`. */
  stopSignal: NodeJS.Signals;
  graceMs: number;
};

export type Child = {
  name: string;
  pid: number;
  logFile: string;
  /** Resolves when the process has ended, never rejects: `exit code 1` or `signal SIGKILL`. */
  ended: Promise<string>;
  /** How it ended, or undefined while it runs. */
  outcome: () => string | undefined;
  /** Stops it gracefully; a second call waits for the first. */
  stop: () => Promise<void>;
};

/** What a Node process of ours needs of this one's environment, and nothing secret. */
export const inheritedEnvironment = (): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  SystemRoot: process.env.SystemRoot,
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
  NODE_NO_WARNINGS: '1',
});

/**
 * Starts a process that never outlives this one, however this one ends. It has its own process group, so that a Ctrl-C in
 * the terminal does not reach it and this process controls its exit.
 */
export async function startChild(options: ChildOptions): Promise<Child> {
  mkdirSync(dirname(options.logFile), { recursive: true });
  const log = openSync(options.logFile, 'w');
  const { command, args, env, cwd, uid, gid, name, logFile, stopSignal, graceMs } = options;
  const child = spawn(command, args, {
    env,
    stdio: ['ignore', log, log],
    detached: process.platform !== 'win32',
    ...(cwd === undefined ? {} : { cwd }),
    ...(uid === undefined ? {} : { uid }),
    ...(gid === undefined ? {} : { gid }),
  });
  closeSync(log);
  const { promise: ended, resolve } = Promise.withResolvers<string>();
  let outcome: string | undefined;
  const pid = await startedPid(child, name);
  order({ end: pid, signal: stopSignal, graceMs });
  child.on('exit', (code, signal) => {
    outcome = signal === null ? `exit code ${code}` : `signal ${signal}`;
    order({ forget: pid });
    resolve(outcome);
  });
  const stop = async () => {
    if (outcome !== undefined) return;
    child.kill(stopSignal);
    const killer = setTimeout(() => child.kill('SIGKILL'), graceMs);
    await ended;
    clearTimeout(killer);
  };
  return { name, pid, logFile, ended, outcome: () => outcome, stop };
}

function startedPid(child: ChildProcess, name: string): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('spawn', () => resolve(child.pid as number));
    child.once('error', (error) => reject(new Error(`${name} did not start: ${error.message}`)));
  });
}

/**
 * Waits until `ready` resolves to true. Throws with the end of the child's log when the child ends first or after
 * `timeoutMs`; an error of `ready` counts as "not yet".
 */
export async function waitUntilReady(child: Child, ready: () => Promise<boolean>, timeoutMs: number) {
  const deadline = Date.now() + timeoutMs;
  while (true) {
    if (child.outcome() !== undefined) {
      throw new Error(`${child.name} ended at start-up (${child.outcome()}).\n${endOfLog(child.logFile)}`);
    }
    if (await ready().catch(() => false)) return;
    if (Date.now() > deadline) {
      await child.stop();
      throw new Error(`${child.name} was not ready after ${timeoutMs / 1000} s.\n${endOfLog(child.logFile)}`);
    }
    await sleep(25);
  }
}

/** The last lines of a log, indented, under its path, for messages. */
export function endOfLog(logFile: string, lines = 20): string {
  const text = existsSync(logFile) ? readFileSync(logFile, 'utf8').trimEnd() : '';
  const tail = text === '' ? ['(empty)'] : text.split('\n').slice(-lines);
  return [`${logFile}:`, ...tail.map((line) => `    ${line}`)].join('\n');
}

let reaper: ChildProcess | undefined;

function order(what: ReaperOrder) {
  if (reaper === undefined) {
    reaper = spawn(process.execPath, [fileURLToPath(new URL('./reaper.ts', import.meta.url))], {
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
      env: inheritedEnvironment(),
    });
    reaper.on('exit', () => (reaper = undefined));
    reaper.stdin?.on('error', () => undefined);
    // Neither the process nor the pipe may keep this process alive: the reaper acts after its end.
    reaper.unref();
    (reaper.stdin as unknown as { unref(): void }).unref();
  }
  reaper.stdin?.write(`${JSON.stringify(what)}\n`);
}

/** Removes a folder when this process dies. Call the returned function after removing it yourself. */
export function removeWhenKilled(folder: string): () => void {
  order({ remove: folder });
  return () => order({ forget: folder });
}
