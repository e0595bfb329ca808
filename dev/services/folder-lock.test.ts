import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commandLine, FolderInUse, lockFolder } from './folder-lock.ts';
import { tempFolder } from '../../test/support/temp-folder.ts';
import { lockedFolder, isRunning, startHolder, until } from './support.ts';

test('a second start on a folder names the process and the address of the first', async () => {
  const path = tempFolder();
  const { holder } = await startHolder(path);
  const second = lockFolder(path, 'npm start');
  await expect(second).rejects.toThrow(FolderInUse);
  await expect(second).rejects.toThrow(`npm start, process ${holder.pid}, at http://127.0.0.1:7071`);
});

test('of many simultaneous starts exactly one gets the folder', async () => {
  const path = tempFolder();
  const starts = await Promise.allSettled(Array.from({ length: 8 }, () => lockFolder(path, 'npm start')));
  const held = starts.filter((start) => start.status === 'fulfilled');
  expect(held).toHaveLength(1);
  held[0]?.value.release();
});

test('a released folder can be held again and says nothing about its last holder', async () => {
  const path = tempFolder();
  (await lockFolder(path, 'npm start')).release();
  expect(existsSync(join(path, 'running.json'))).toBe(false);
  (await lockedFolder(path)).announce('http://127.0.0.1:1');
  expect(JSON.parse(readFileSync(join(path, 'running.json'), 'utf8'))).toMatchObject({ pid: process.pid });
});

test('a killed process takes its services with it, and its folder is free immediately', async () => {
  const path = tempFolder();
  const { holder, servicePid } = await startHolder(path);
  holder.kill('SIGKILL');
  await once(holder, 'exit');
  await lockedFolder(path);
  await until(() => !isRunning(servicePid));
});

test('the next start first ends processes left behind when the reaper was killed too', async () => {
  const path = tempFolder();
  const { holder, servicePid } = await startHolder(path);
  const reaper = childrenOf(holder.pid ?? 0).find((pid) => commandLine(pid).includes('reaper.ts'));
  expect(reaper).toBeDefined();
  process.kill(reaper ?? 0, 'SIGKILL');
  holder.kill('SIGKILL');
  await once(holder, 'exit');
  expect(isRunning(servicePid)).toBe(true);
  await lockedFolder(path);
  expect(isRunning(servicePid)).toBe(false);
});

test('a process that merely got the number of a dead service is left alone', async () => {
  const path = tempFolder();
  const folder = await lockFolder(path, 'npm start');
  const bystander = { name: 'Azurite', pid: process.pid } as Parameters<typeof folder.note>[0];
  folder.note(bystander, '--location /another/folder');
  const kept = readFileSync(join(path, 'running.json'), 'utf8');
  folder.release();
  writeFileSync(join(path, 'running.json'), kept);
  await lockedFolder(path);
  expect(isRunning(process.pid)).toBe(true);
});

function childrenOf(parent: number): number[] {
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger);
  return pids.filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1] === String(parent);
    } catch {
      return false;
    }
  });
}
