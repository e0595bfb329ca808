// The packages that cannot be bundled: sharp and the libraries that it loads, for Azure's platform, on any machine that packs.
import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

interface LockEntry {
  version: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

/** The packages that dist/ imports from node_modules. */
const ENTRY = 'sharp';
/** Flex Consumption: Linux with glibc on x64. */
const NATIVE = ['@img/sharp-linux-x64', '@img/sharp-libvips-linux-x64'];
/** C++ sources, types, headers: nothing that runs. Licences stay. */
const LEFT_BEHIND = /(^|\/)(src|install|glib-2\.0|bin)(\/|$)|\.d\.[cm]?ts$/;

const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  lockfileVersion: number;
  packages: Record<string, LockEntry>;
};

/** Names as paths in node_modules, nested ones too. */
function entryOf(name: string, of = ''): [path: string, entry: LockEntry] | undefined {
  for (const path of [`${of}/node_modules/${name}`, `node_modules/${name}`]) {
    const entry = lock.packages[path];
    if (entry !== undefined) return [path, entry];
  }
  return undefined;
}

/** `name` and its dependencies, by path; with `optional`, those of other platforms too. */
function closure(name: string, { optional }: { optional: boolean }): Map<string, LockEntry> {
  const found = new Map<string, LockEntry>();
  const visit = (wanted: string, of: string) => {
    const [path, entry] = entryOf(wanted, of) ?? [];
    if (path === undefined || entry === undefined || found.has(path)) return;
    found.set(path, entry);
    const needed = { ...entry.dependencies, ...(optional && entry.optionalDependencies) };
    for (const next of Object.keys(needed)) visit(next, path);
  };
  visit(name, '');
  return found;
}

/** Every package that deploys, with its version from the lock file. */
export function nativePackages(): Map<string, string> {
  const paths = [...closure(ENTRY, { optional: false })].map(
    ([path, { version }]) => [path, version] as const,
  );
  const native = NATIVE.map((name) => {
    const [path, entry] = entryOf(name) ?? [];
    if (path === undefined || entry === undefined) throw new Error(`package-lock.json lacks ${name}.`);
    return [path, entry.version] as const;
  });
  return new Map([...paths, ...native]);
}

/**
 * Copies the packages into `folder`/node_modules: from `installed` where present, else npm fetches them and verifies them
 * against the checksums of the lock file.
 */
export function stageNativePackages(folder: string, installed = root): void {
  const packages = nativePackages();
  const hasAll = [...packages].every(([path, version]) => versionIn(join(installed, path)) === version);
  const fetched = hasAll ? undefined : fetchPackages();
  try {
    for (const path of packages.keys()) copyPackage(join(fetched ?? installed, path), join(folder, path));
  } finally {
    if (fetched !== undefined) rmSync(fetched, { recursive: true, force: true });
  }
}

function versionIn(folder: string): string | undefined {
  try {
    const text = readFileSync(join(folder, 'package.json'), 'utf8');
    return (JSON.parse(text) as { version: string }).version;
  } catch {
    return undefined;
  }
}

function copyPackage(from: string, to: string): void {
  const files = globSync('**/*', { cwd: from }).map((file) => file.replaceAll('\\', '/'));
  for (const file of files.filter((name) => !LEFT_BEHIND.test(name) && basename(name) !== '.bin')) {
    if (statSync(join(from, file)).isFile()) cpSync(join(from, file), join(to, file));
  }
}

/** @returns a new folder whose node_modules fits Azure's platform. */
function fetchPackages(): string {
  const folder = mkdtempSync(join(tmpdir(), 'dermagate-native-'));
  const packages = closure(ENTRY, { optional: true });
  const { version } = packages.get(`node_modules/${ENTRY}`) ?? { version: '' };
  const project = { name: 'native-packages', version: '0.0.0', dependencies: { [ENTRY]: version } };
  const { lockfileVersion } = lock;
  const ownLock = { ...project, lockfileVersion, packages: { '': project, ...Object.fromEntries(packages) } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(project));
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(ownLock));
  const platform = ['--os=linux', '--cpu=x64', '--libc=glibc'];
  const flags = ['--ignore-scripts', '--include=optional', '--prefer-offline', '--no-audit', '--no-fund'];
  const windows = process.platform === 'win32';
  const { status, stderr } = spawnSync(windows ? 'npm.cmd' : 'npm', ['ci', ...platform, ...flags], {
    cwd: folder,
    encoding: 'utf8',
    shell: windows,
  });
  if (status === 0) return folder;
  rmSync(folder, { recursive: true, force: true });
  throw new Error(`npm could not fetch ${NATIVE.join(' and ')}:\n${stderr}`);
}
