import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Child } from './child.ts';

/** Who holds a folder; kept in its `running.json` for whoever comes next. */
export type Holder = {
  pid: number;
  host: string;
  /** What was typed: `npm start`. */
  command: string;
  startedAt: string;
  /** Where it answers, once it does. */
  address?: string;
  /** Processes it started; `marker` is a part of the command line that only they have. */
  children: { name: string; pid: number; marker: string }[];
};

export type LockedFolder = {
  path: string;
  /** Notes a child, so that the next holder can end it if both we and the reaper are killed. */
  note: (child: Child, marker: string) => void;
  /** Notes where we answer. */
  announce: (address: string) => void;
  release: () => void;
};

/** Another living process holds the folder. */
export class FolderInUse extends Error {
  readonly holder: Holder | undefined;

  constructor(path: string, holder: Holder | undefined) {
    const who = holder === undefined ? 'another process' : `${holder.command}, process ${holder.pid}`;
    const where = holder?.address === undefined ? '' : `, at ${holder.address}`;
    super(`${path} is in use: ${who}${where}. Stop that one first, or work in a second checkout.`);
    this.name = 'FolderInUse';
    this.holder = holder;
  }
}

/**
 * Takes `path` (made when missing) for this process alone, and ends what an earlier, killed holder left
 * running. The lock is the kernel's, on a SQLite file: it goes with the process, so it can never be stale,
 * and two simultaneous starts cannot both get it. Throws FolderInUse.
 */
export async function lockFolder(path: string, command: string): Promise<LockedFolder> {
  makeFolder(path);
  const lock = new DatabaseSync(join(path, 'lock.sqlite'));
  const infoFile = join(path, 'running.json');
  try {
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    // SQLITE_BUSY, https://www.sqlite.org/rescode.html
    if ((error as { errcode?: number }).errcode === 5) throw new FolderInUse(path, readHolder(infoFile));
    throw notWritable(path, error);
  }
  for (const { name, pid, marker } of readHolder(infoFile)?.children ?? []) {
    if (!commandLine(pid).includes(marker)) continue;
    console.log(`Ending ${name} (process ${pid}), which a killed run left behind …`);
    await endForeign(pid, marker);
  }
  const holder: Holder = {
    pid: process.pid,
    host: hostname(),
    command,
    startedAt: new Date().toISOString(),
    children: [],
  };
  const save = () => writeFileSync(infoFile, `${JSON.stringify(holder, null, 2)}\n`);
  save();
  return {
    path,
    note({ name, pid }, marker) {
      holder.children = [...holder.children.filter((child) => child.name !== name), { name, pid, marker }];
      save();
    },
    announce(address) {
      holder.address = address;
      save();
    },
    release() {
      rmSync(infoFile, { force: true });
      lock.close();
    },
  };
}

function makeFolder(path: string) {
  try {
    mkdirSync(path, { recursive: true });
  } catch (error) {
    throw notWritable(path, error);
  }
}

const notWritable = (path: string, cause: unknown) =>
  new Error(
    `${path} cannot be used by this user: ${(cause as Error).message}. If another user (root, perhaps) made it, ` +
      'remove it, give it to yourself, or start as that user.',
    { cause },
  );

function readHolder(file: string): Holder | undefined {
  if (!existsSync(file)) return undefined;
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Holder;
  } catch {
    // Read while it was being written.
    return undefined;
  }
}

/** The full command line of a process; empty when there is none (or a zombie). */
export function commandLine(pid: number): string {
  if (process.platform === 'linux') {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    } catch {
      return '';
    }
  }
  return spawnSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout ?? '';
}

/** Ends a process that is not our child: asks (SIGINT is PostgreSQL's "fast shutdown"), then insists. */
export async function endForeign(pid: number, marker: string) {
  for (const [signal, patienceMs] of [
    ['SIGINT', 8000],
    ['SIGKILL', 4000],
  ] as const) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
    for (const deadline = Date.now() + patienceMs; Date.now() < deadline; await sleep(50)) {
      if (!commandLine(pid).includes(marker)) return;
    }
  }
  throw new Error(`process ${pid} does not end`);
}
