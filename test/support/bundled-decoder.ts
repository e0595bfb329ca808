import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { bundling } from '../../dev/run/build.ts';
import { tempFolderInProject } from './temp-folder.ts';

/**
 * The decoder's program as it deploys, gone with the file: it starts in half the CPU time of its sources, and every
 * picture that cannot be decoded costs a process.
 */
export async function bundledDecoder(): Promise<URL> {
  const root = join(import.meta.dirname, '..', '..');
  const outfile = join(tempFolderInProject(), 'decode-worker.js');
  await build({ ...bundling, entryPoints: [join(root, 'src', 'lib', 'image', 'decode-worker.ts')], outfile });
  return pathToFileURL(outfile);
}
