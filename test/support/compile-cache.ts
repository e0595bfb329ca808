import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeWhenKilled } from '../../dev/services/child.ts';

/**
 * One compile cache of Node for all processes of a run: each of a hundred apps takes from it what the first one has
 * stripped of its types and compiled. A file that has changed is compiled again.
 */
export default function setup(): (() => void) | undefined {
  if (process.env.NODE_COMPILE_CACHE !== undefined) return undefined;
  const path = mkdtempSync(join(tmpdir(), 'dermagate-compiled-'));
  // After the end of this process: what the run has started writes down at its own end what it has compiled.
  removeWhenKilled(path);
  process.env.NODE_COMPILE_CACHE = path;
  return () => void delete process.env.NODE_COMPILE_CACHE;
}

/** For the environment of a process that inherits nothing. */
export function compileCache(): Record<string, string> {
  const { NODE_COMPILE_CACHE } = process.env;
  return NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE };
}
