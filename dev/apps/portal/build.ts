import { join } from 'node:path';
import { build } from 'vite';
import { sharedOptions } from './serve.ts';

/**
 * Builds the portal as a static site for the gateway at this address: `index.html` for every path that is no file.
 *
 * @returns the folder of the site.
 */
export async function buildPortal(gatewayUrl: string, folder: string): Promise<string> {
  const outDir = join(folder, 'portal');
  await build({
    ...sharedOptions(gatewayUrl),
    logLevel: 'warn',
    build: { outDir, emptyOutDir: true, minify: false },
  });
  return outDir;
}
