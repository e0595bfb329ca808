import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeWhenKilled } from '../../dev/services/child.ts';
import { afterwards } from './cleanup.ts';

/** An empty folder of its own, gone when the calling test (or file) ends, and when the run is killed. */
export function tempFolder(parent = tmpdir()): string {
  const path = mkdtempSync(join(parent, 'dermagate-test-'));
  const removed = removeWhenKilled(path);
  afterwards(async () => {
    rmSync(path, { recursive: true, force: true, maxRetries: 5 });
    removed();
  });
  return path;
}

/** The same inside the project, where code finds the installed packages. */
export function tempFolderInProject(): string {
  const local = join(import.meta.dirname, '..', '..', '.local');
  mkdirSync(local, { recursive: true });
  return tempFolder(local);
}
