import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Child } from './child.ts';
import { write } from './local-state.ts';

/** The process that has locked a folder; stored in its `running.json` for the next one. */
export type Holder = {
  pid: number;
  host: string;
  /** As typed: `npm start`. */
  command: string;
  startedAt: string;
  /** Its address, once it answers. */
  address?: string;
  /** Opens /admin of the host at this address: `npm run timer`. */
  adminKey?: string;
  /** Its child processes; `marker` is a unique part of their command line. */
  children: { name: string; pid: number; marker: string }[];
};

export type LockedFolder = {
  path: string;
  /** Records a child, so that the next holder can end it if this process and the reaper are both killed. */
  note: (child: Child, marker: string) => void;
  /** Records the address of this process, and the key to its /admin. */
  announce: (address: string, adminKey?: string) => void;
  release: () => void;
};

/** Another running process has locked the folder. */
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
 * Locks `path`, created when missing, for this process, and ends processes that an earlier, killed holder left running. The
 * kernel locks a SQLite file and releases it with the process, so the lock is never stale, and two simultaneous starts cannot
 * both get it. Throws FolderInUse.
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
  // Others on this machine must not read the key.
  const save = () => write(infoFile, holder, 0o600);
  save();
  return {
    path,
    note({ name, pid }, marker) {
      holder.children = [...holder.children.filter((child) => child.name !== name), { name, pid, marker }];
      save();
    },
    announce(address, adminKey) {
      holder.address = address;
      if (adminKey !== undefined) holder.adminKey = adminKey;
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
    `${path} cannot be used by this user: ${(cause as Error).message}. If another user (root, perhaps) created it, ` +
      'remove it, change its owner, or start as that user.',
    { cause },
  );

/** The process that has locked `path` now; undefined without one. */
export function runningHolder(path: string): Holder | undefined {
  const holder = readHolder(join(path, 'running.json'));
  return holder !== undefined && commandLine(holder.pid) !== '' ? holder : undefined;
}

function readHolder(file: string): Holder | undefined {
  if (!existsSync(file)) return undefined;
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Holder;
  } catch {
    // Damaged: an earlier version did not write it at once.
    return undefined;
  }
}

/** The full command line of a process; empty without such a process, and for a zombie. */
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

/** Ends a process that is not a child of this one: by SIGINT (PostgreSQL's "fast shutdown"), then by SIGKILL. */
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
