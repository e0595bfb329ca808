// The app's form must not matter: sources, CommonJS, and bundles of either format that contain the library.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { BuildOptions } from 'esbuild';
import { expect, onTestFinished, test } from 'vitest';
import { appFolder, hostFor, request } from './running-host.ts';

const BANNER = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";

/** A folder without node_modules: whatever the bundle does not hold is not there. */
async function bundled(options: BuildOptions, packageJson: object): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'host-bundle-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await build({
    entryPoints: [join(appFolder('routes'), 'main.ts')],
    bundle: true,
    platform: 'node',
    external: ['@azure/functions-core'],
    logLevel: 'error',
    ...options,
    outfile: join(folder, 'main.js'),
  });
  await writeFile(join(folder, 'package.json'), JSON.stringify({ main: 'main.js', ...packageJson }));
  await writeFile(join(folder, 'host.json'), '{}');
  return folder;
}

async function serves(folder: string): Promise<void> {
  const host = await hostFor(folder);
  expect(host.functions.length).toBeGreaterThan(15);
  expect(JSON.parse((await request(host, 'GET /api/int/5')).text)).toMatchObject({
    name: 'int',
    params: { id: '5' },
  });
}

test('an ESM bundle with a createRequire banner', async () => {
  await serves(await bundled({ format: 'esm', banner: { js: BANNER } }, { type: 'module' }));
});

test('an ESM bundle without the banner does not load, as on Azure', async () => {
  await expect(serves(await bundled({ format: 'esm' }, { type: 'module' }))).rejects.toThrow(
    /Dynamic require of/,
  );
});

test('a CommonJS bundle', async () => {
  await serves(await bundled({ format: 'cjs' }, {}));
});

test('a minified bundle', async () => {
  await serves(await bundled({ format: 'esm', minify: true, banner: { js: BANNER } }, { type: 'module' }));
});

test('CommonJS and ESM sources side by side, by their endings', async () => {
  const host = await hostFor('formats');
  expect((await request(host, 'GET /api/common')).text).toBe('common');
  expect((await request(host, 'GET /api/modern')).text).toBe('modern');
  expect((await request(host, 'GET /api/typed')).text).toBe('typed');
});
