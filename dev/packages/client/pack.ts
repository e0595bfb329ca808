// npm run client:pack: makes dermagate-client-<version>.tgz for use outside this repository, where packages must be
// JavaScript. In here `exports` names the sources, so that nothing is built and nothing is stale.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const own = import.meta.dirname;

/**
 * Empties `outdir/package`, compiles the client into it and packs it.
 * @returns the path of the tarball in `outdir`.
 * @throws with the output of the failed tool.
 */
export function packClient(outdir: string): string {
  const folder = join(outdir, 'package');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  run('tsc', ['-p', own, '--noEmit', 'false', '--outDir', join(folder, 'dist')]);
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(packageJson(), null, 2)}\n`);
  copyFileSync(join(own, 'README.md'), join(folder, 'README.md'));
  const tarball = run('npm', ['pack', folder, '--pack-destination', outdir, '--silent']).trim();
  return join(outdir, tarball);
}

function packageJson(): Record<string, unknown> {
  const text = readFileSync(join(own, 'package.json'), 'utf8');
  const { name, version, description, license, type, dependencies } = JSON.parse(text) as Record<
    string,
    unknown
  >;
  return {
    name,
    version,
    description,
    license,
    type,
    exports: {
      '.': { types: './dist/index.d.ts', default: './dist/index.js' },
      './staff': { types: './dist/staff.d.ts', default: './dist/staff.js' },
      './operations': { types: './dist/operation-calls.d.ts', default: './dist/operation-calls.js' },
    },
    sideEffects: false,
    engines: { node: '>=20.3' },
    dependencies,
  };
}

function run(program: string, args: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new Error(`${program} failed: ${error?.message ?? `${stdout}${stderr}`}`);
  return stdout;
}

if (import.meta.main) console.log(packClient(join(own, '..', '..', '..', '.local', 'client')));
