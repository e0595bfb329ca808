import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { ReaperOrder } from './reaper.ts';

export type ChildOptions = {
  /** How messages call it: `PostgreSQL`. */
  name: string;
  command: string;
  args: string[];
  env: NodeJS.ProcessEnv;
  cwd?: string;
  uid?: number;
  gid?: number;
  /** Receives its standard output and error; emptied at each start. */
  logFile: string;
  /** What asks it to end in order; SIGKILL follows after `graceMs`. */
  stopSignal: NodeJS.Signals;
  graceMs: number;
};

export type Child = {
  name: string;
  pid: number;
  logFile: string;
  /** Settles, never rejects, when the process has ended: `exit code 1` or `signal SIGKILL`. */
  ended: Promise<string>;
  /** How it ended, or undefined while it runs. */
  outcome: () => string | undefined;
  /** Ends it in order; the second call waits for the first. */
  stop: () => Promise<void>;
};

/**
 * Starts a process that never outlives this one, however this one ends, and that a Ctrl-C in the terminal does
 * not reach: it is in a process group of its own, so that its end is ours to order.
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
 * Waits until `ready` answers true. Throws with the end of the child's log when the child ends first or
 * `timeoutMs` pass; what `ready` throws counts as "not yet".
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

/** The last lines of a log, indented, under its path; for messages. */
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
      env: { PATH: process.env.PATH, SystemRoot: process.env.SystemRoot, NODE_NO_WARNINGS: '1' },
    });
    reaper.on('exit', () => (reaper = undefined));
    reaper.stdin?.on('error', () => undefined);
    // Neither the process nor the pipe keeps us alive: its work begins when we are gone.
    reaper.unref();
    (reaper.stdin as unknown as { unref(): void }).unref();
  }
  reaper.stdin?.write(`${JSON.stringify(what)}\n`);
}

/** Has a folder removed should this process die; give the returned function a call after removing it. */
export function removeWhenKilled(folder: string): () => void {
  order({ remove: folder });
  return () => order({ forget: folder });
}
