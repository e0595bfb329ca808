// npm run build: what Azure runs. One bundle, dist/main.js, with its lazily loaded chunks, its workers and their files beside
// it in one folder (src/lib/app/worker-url.ts relies on that).
import { copyFileSync, globSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { build, type BuildOptions, type Plugin } from 'esbuild';
import { scriptArguments } from '../services/script-arguments.ts';

const { resolve } = createRequire(import.meta.url);
const root = join(import.meta.dirname, '..', '..');

/** CommonJS packages inside an ES module bundle still call `require` for Node's own modules. */
const REQUIRE = `import { createRequire as __createRequire } from 'node:module';
const require = __createRequire(import.meta.url);`;

/** zod's messages in fifty languages are a sixth of the bundle; only the English ones are used. */
const onlyEnglishOfZod: Plugin = {
  name: 'only-english-of-zod',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, ({ path }) => ({
      contents: `export { default as en } from './en.js'`,
      resolveDir: dirname(path),
    }));
  },
};

export const bundling = {
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node24',
  // Azure's worker injects the first, which is not a package. sharp loads native code from node_modules. piscina would
  // load the last for an option that we do not use.
  external: ['@azure/functions-core', 'sharp', '@napi-rs/nice'],
  // piscina finds its `worker.js` beside itself.
  define: { __dirname: 'import.meta.dirname' },
  banner: { js: REQUIRE },
  plugins: [onlyEnglishOfZod],
  logLevel: 'warning',
} satisfies BuildOptions;

/**
 * Empties `outdir` and bundles the app into it; src/lib/app/worker-url.ts finds the workers and assets there. Returns the files
 * with their sizes in bytes.
 */
export async function buildApp(outdir: string): Promise<{ file: string; bytes: number }[]> {
  rmSync(outdir, { recursive: true, force: true });
  mkdirSync(join(outdir, 'assets'), { recursive: true });
  const main = join(root, 'src', 'main.ts');
  const piscinaWorker = join(dirname(resolve('piscina')), 'worker.js');
  const workers = [...globSync('src/**/*-worker.ts', { cwd: root }), piscinaWorker];
  refuseTwins([main, ...workers]);
  const options = { ...bundling, absWorkingDir: root, outdir, entryNames: '[name]', sourcemap: true };
  // Lazily imported SDKs become files of their own. In one file Node would parse them at every start: three times the text,
  // and 1.2 times the time to the first reply, minified or not (`npm run bench -- --only cold-start` compares).
  await build({ ...options, entryPoints: [main], splitting: true, chunkNames: 'lazy-[name]-[hash]' });
  await build({ ...options, entryPoints: workers });
  const assets = namedAssets();
  refuseTwins(assets);
  for (const asset of assets) copyFileSync(asset, join(outdir, 'assets', basename(asset)));
  return globSync('**/*', { cwd: outdir })
    .map((file) => ({ file, bytes: statSync(join(outdir, file)).size }))
    .filter(({ file }) => statSync(join(outdir, file)).isFile())
    .toSorted((a, b) => a.file.localeCompare(b.file));
}

/** Every file that the sources name in a literal `assetUrl('…'`. */
function namedAssets(): string[] {
  const named = globSync('src/**/*.ts', { cwd: root }).flatMap((file) => {
    const { resolve } = createRequire(join(root, file));
    const names = readFileSync(join(root, file), 'utf8').matchAll(/\bassetUrl\(\s*'([^']+)'/g);
    return [...names]
      .map(([, name = '']) => name)
      .filter((name) => !name.includes('…'))
      .map((name) => resolve(name));
  });
  return [...new Set(named)];
}

/** The bundle has no folders, so two files of one name would overwrite each other. */
function refuseTwins(files: string[]) {
  const twins = files.filter(
    (file, index) => files.findIndex((other) => basename(other) === basename(file)) < index,
  );
  if (twins.length > 0)
    throw new Error(`Two files of the same name cannot both be bundled: ${twins.join(', ')}`);
}

if (import.meta.main) {
  scriptArguments('usage: npm run build', {});
  const startedAt = performance.now();
  const files = await buildApp(join(root, 'dist'));
  const kib = (bytes: number) => `${(bytes / 1024).toFixed(1)} KiB`.padStart(12);
  for (const { file, bytes } of files) console.log(`${kib(bytes)}  dist/${file}`);
  console.log(`built in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
}
