import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { commandLine, type LockedFolder, lockFolder } from './folder-lock.ts';
import { afterwards } from '../../test/support/cleanup.ts';
import { tempFolder } from '../../test/support/temp-folder.ts';

export async function lockedFolder(path = tempFolder()): Promise<LockedFolder> {
  const folder = await lockFolder(path, 'npm start');
  afterwards(async () => folder.release());
  return folder;
}

/** Starts holder.ts on `path`; resolves when its service runs. */
export async function startHolder(path: string): Promise<{ holder: ChildProcess; servicePid: number }> {
  const holder = spawn(process.execPath, [join(import.meta.dirname, 'holder.ts'), path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  afterwards(async () => void holder.kill('SIGKILL'));
  for await (const line of holder.stdout) return { holder, servicePid: Number(String(line)) };
  throw new Error('the holder ended');
}

export const isRunning = (pid: number): boolean => commandLine(pid) !== '';

/** Waits until `condition` holds; the test's own time limit is the only one. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(25);
}
