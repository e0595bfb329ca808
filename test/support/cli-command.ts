import { join } from 'node:path';
import { inject } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');

/**
 * The file of a command of `src/cli/` for each process that a test file starts: first the source, as npm runs it, then the
 * bundle of this run, which starts in a third of the CPU time.
 */
export function cliCommand(name: string): () => string {
  let started = false;
  return () => {
    if (started) return join(ROOT, inject('services').commands, `${name}.js`);
    started = true;
    return join(ROOT, 'src', 'cli', `${name}.ts`);
  };
}
