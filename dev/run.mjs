// Runs a script or an installed command of this project: `node dev/run.mjs <file | command> [args]`.
// Plain JavaScript on purpose: on a fresh clone it is the first thing that runs, under whatever Node (≥ 20)
// is on the PATH and before anything is installed. It installs what the lock file says when that has not
// been done yet, then starts the target under the Node that package.json pins.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const bin = join(root, 'node_modules', '.bin');
const windows = process.platform === 'win32';

/** A command that npm installed: its JavaScript or binary is reached through node_modules/.bin. */
const command = (name) => join(bin, windows ? `${name}.cmd` : name);

function installIfNeeded() {
  const stamp = join(root, 'node_modules', '.installed-lock-sha256');
  const wanted = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  console.log('Installing packages (npm ci); this happens once for each package-lock.json …');
  const npm = spawnSync(windows ? 'npm.cmd' : 'npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: 'inherit',
    shell: windows,
  });
  if (npm.status !== 0) {
    console.error('npm ci failed; see its output above.');
    process.exit(npm.status ?? 1);
  }
  writeFileSync(stamp, wanted);
}

const [target, ...args] = process.argv.slice(2);
if (target === undefined) {
  console.error('usage: node dev/run.mjs <file | command> [args]');
  process.exit(2);
}
installIfNeeded();
const isFile = /\.[mc]?[jt]s$/.test(target);
const child = spawn(
  command(isFile ? 'node' : target),
  isFile ? ['--disable-warning=ExperimentalWarning', join(root, target), ...args] : args,
  {
    cwd: root,
    stdio: 'inherit',
    shell: windows,
    env: { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH ?? ''}` },
  },
);
// A terminal sends Ctrl-C to the whole process group; the child decides when it is done, we wait for it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
  });
}
child.on('error', (error) => {
  console.error(`${target}: ${error.message}`);
  process.exit(1);
});
child.on('exit', (code, signal) => {
  process.exit(signal === null ? (code ?? 1) : 128 + constants.signals[signal]);
});
