// npm run package: makes the zip that deploys, dist/dermagate.zip, from a staging folder.
import { copyFileSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Zippable, zipSync } from 'fflate';
import { scriptArguments } from '../services/script-arguments.ts';
import { buildApp } from './build.ts';
import { nativePackages, stageNativePackages } from './native-packages.ts';

const root = join(import.meta.dirname, '..', '..');

/** Our files that may deploy. Any file not named here or in native-packages.ts (source maps, settings, tests) is an error. */
const DEPLOYS = /^(host\.json|package\.json|dist\/[\w.-]+\.js|dist\/assets\/[\w.-]+\.(js|css|json))$/;

/**
 * Dates in a zip are local times without a zone, so the same fields in every zone make the same bytes. 1980 is the
 * format's first year (APPNOTE.TXT 4.4.6).
 */
const FIXED_DATE = new Date(1980, 0, 1);
/** APPNOTE.TXT 4.4.2: made on Unix, so that the upper half of the attributes is a Unix mode. */
const UNIX = 3;
const READABLE_FILE = 0o100644 << 16;

export type Package = { folder: string; zip: string; files: { file: string; bytes: number }[] };

/**
 * Empties `outdir`, builds the app into it, stages the files to deploy in `outdir/staged` and packs them as
 * `outdir/dermagate.zip`: the same sources give the same bytes. Sizes are in bytes, unpacked.
 * @throws when the build contains a file that must not deploy.
 */
export async function packageApp(outdir: string): Promise<Package> {
  const staged = await stageApp(outdir);
  const zip = join(outdir, 'dermagate.zip');
  writeFileSync(zip, zipStaged(staged.folder));
  return { ...staged, zip };
}

/**
 * The same without the zip.
 * @param installed the folder with node_modules; packages missing there for Azure's platform are fetched.
 */
export async function stageApp(outdir: string, installed = root): Promise<Omit<Package, 'zip'>> {
  const built = (await buildApp(outdir)).map(({ file }) => file.replaceAll('\\', '/'));
  const folder = join(outdir, 'staged');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  copyFileSync(join(root, 'host.json'), join(folder, 'host.json'));
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(minimalPackageJson(), null, 2)}\n`);
  for (const file of built.filter((name) => !name.endsWith('.map'))) {
    const target = join(folder, 'dist', file);
    mkdirSync(dirname(target), { recursive: true });
    copyFileSync(join(outdir, file), target);
  }
  stageNativePackages(folder, installed);
  const native = [...nativePackages().keys()].map((path) => `${path}/`);
  const files = listStaged(folder);
  const mayDeploy = (file: string) => DEPLOYS.test(file) || native.some((path) => file.startsWith(path));
  const unexpectedFiles = files.filter(({ file }) => !mayDeploy(file)).map(({ file }) => file);
  if (unexpectedFiles.length > 0)
    throw new Error(`These files must not deploy: ${unexpectedFiles.join(', ')}`);
  return { folder, files };
}

/** Without dependencies, so that no tool installs any: the bundle contains all code. */
function minimalPackageJson(): Record<string, unknown> {
  const { name, version, type, main } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  ) as Record<string, unknown>;
  return { name, version, private: true, type, main };
}

function listStaged(folder: string): { file: string; bytes: number }[] {
  return globSync('**/*', { cwd: folder })
    .map((file) => ({ file: file.replaceAll('\\', '/'), stat: statSync(join(folder, file)) }))
    .filter(({ stat }) => stat.isFile())
    .map(({ file, stat }) => ({ file, bytes: stat.size }))
    .toSorted((a, b) => (a.file < b.file ? -1 : 1));
}

/** The same files give the same bytes, at any time and on any machine. */
export function zipStaged(folder: string): Uint8Array {
  const content: Zippable = {};
  for (const { file } of listStaged(folder)) {
    content[file] = [
      readFileSync(join(folder, file)),
      { level: 9, mtime: FIXED_DATE, os: UNIX, attrs: READABLE_FILE },
    ];
  }
  return zipSync(content);
}

if (import.meta.main) {
  scriptArguments('usage: npm run package', {});
  const startedAt = performance.now();
  const { zip, files } = await packageApp(join(root, 'dist'));
  const kib = (bytes: number) => `${(bytes / 1024).toFixed(1)} KiB`.padStart(12);
  for (const { file, bytes } of files) console.log(`${kib(bytes)}  ${file}`);
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  console.log(
    `${kib(total)}  unpacked\n${kib(statSync(zip).size)}  dist/dermagate.zip, ${files.length} files, ` +
      `in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`,
  );
}
