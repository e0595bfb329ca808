// Runs a script or an installed command of this project: `node dev/run/run.mjs <file | command> [args]`.
// Plain JavaScript on purpose: on a fresh clone it is the first thing that runs, under whatever Node (≥ 20)
// is on the PATH and before anything is installed. It installs what the lock file says when that is not what
// node_modules holds, makes the client's types, then starts the target under the Node that package.json pins.
import { spawn } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const bin = join(root, 'node_modules', '.bin');
const windows = process.platform === 'win32';

/** A command that npm installed: its JavaScript or binary is reached through node_modules/.bin. */
const command = (name) => join(bin, windows ? `${name}.cmd` : name);

function fail(message, code = 1) {
  console.error(message);
  process.exit(code);
}

function readJson(...path) {
  try {
    return JSON.parse(readFileSync(join(root, ...path), 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * Whether node_modules is what package-lock.json says. npm writes down what it installed as the last step of an
 * install, so an interrupted one has no such record; and an install by hand needs none of ours.
 */
function isInstalled() {
  const wanted = readJson('package-lock.json')?.packages;
  const installed = readJson('node_modules', '.package-lock.json')?.packages;
  if (wanted === undefined) fail('package-lock.json is missing or damaged.');
  if (installed === undefined) return false;
  return Object.entries(wanted).every(([path, { version, optional, devOptional }]) => {
    if (path === '') return true;
    return path in installed ? installed[path].version === version : optional || devOptional;
  });
}

/** Two first runs at once (`npm start` beside `npm test`) must not install into each other's folder. */
async function installIfNeeded() {
  if (isInstalled()) return;
  const lock = join(root, '.local', 'installing');
  mkdirSync(dirname(lock), { recursive: true });
  for (let waited = false; !take(lock); waited = true) {
    if (!waited) console.log(`Another process is installing packages; waiting for it to remove ${lock} …`);
    await sleep(500);
  }
  const release = () => rmSync(lock, { force: true });
  process.on('exit', release);
  if (!isInstalled()) await install();
  // From now on the file is another process's.
  process.off('exit', release);
  release();
}

/** Takes the lock file unless a living process has it. */
function take(lock) {
  try {
    const { startedAt = '' } = statOf(process.pid) ?? {};
    writeFileSync(lock, `${process.pid} ${startedAt}`, { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
  if (isStale(lock)) rmSync(lock, { force: true });
  return false;
}

/** Milliseconds after which a lock file that names no process is what a killed one has left. */
const WRITTEN_IN = 5000;

/**
 * Whether the process that the lock file names has ended. In a container the numbers begin anew at each start, so that this
 * process, one that it comes from, or any other may have the number now; they differ in when they started.
 */
function isStale(lock) {
  try {
    const [pid, startedAt] = readFileSync(lock, 'utf8').split(' ');
    if (!(Number(pid) > 0)) return Date.now() - statSync(lock).mtimeMs > WRITTEN_IN;
    if (lineage().includes(pid)) return true;
    const now = statOf(pid)?.startedAt;
    if (startedAt && now !== undefined) return startedAt !== now;
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    // Gone, or no process ever had the number. EPERM: a living process of another user.
    return error.code === 'ESRCH';
  }
}

/** The numbers of this process and of those that it comes from. */
function lineage() {
  const found = [String(process.pid)];
  for (let pid = String(process.ppid); Number(pid) > 0 && !found.includes(pid); pid = statOf(pid)?.parent)
    found.push(pid);
  return found;
}

/** Undefined for a process that has ended, and where this is not Linux. */
function statOf(pid) {
  try {
    // https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html: pid (name) state ppid …, the start as the 22nd
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const end = stat.lastIndexOf(')');
    const fields = stat.slice(end + 2).split(' ');
    return { name: stat.slice(stat.indexOf('(') + 1, end), parent: fields[1], startedAt: fields[19] };
  } catch {
    return undefined;
  }
}

async function install() {
  // npm would empty the folder that the link leads to, and with it another copy of this project.
  if (lstatSync(join(root, 'node_modules'), { throwIfNoEntry: false })?.isSymbolicLink() === true)
    fail(
      'node_modules is a link and does not match package-lock.json: install in the folder that it leads to.',
    );
  console.log('Installing packages (npm ci); this happens once for each package-lock.json …');
  // Spelt out because NODE_ENV=production would leave out what this project runs on.
  const flags = ['--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'];
  const code = await running(spawn(windows ? 'npm.cmd' : 'npm', ['ci', ...flags], options()));
  if (code !== 0) fail('npm ci failed; see its output above.', code);
  if (!existsSync(command('node'))) {
    fail(
      'npm ci installed no Node 24 (package `node`): install scripts seem to be off (npm config get ignore-scripts).',
    );
  }
}

/** The client's types are not in git: they are made from docs/openapi.json where they are missing or older. */
async function makeClientTypes() {
  const client = join(root, 'dev', 'packages', 'client');
  const timeOf = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const maker = join(client, 'generate.ts');
  const newest = Math.max(timeOf(join(root, 'docs', 'openapi.json')), timeOf(maker));
  const made = ['schema.ts', 'operations.ts'].map((file) => timeOf(join(client, 'src', file)));
  if (Math.min(...made) >= newest) return;
  const code = await running(spawn(command('node'), [maker], options()));
  if (code !== 0)
    fail(
      "The client's types cannot be made from docs/openapi.json: repair it, or run `npm run generate`.",
      code,
    );
}

const options = (env = {}) => ({
  cwd: root,
  stdio: 'inherit',
  shell: windows,
  env: { ...process.env, ...env },
});

/** Waits for `child`, passing on to it what ends us. Returns the exit code as a shell has it. */
function running(child) {
  const handlers = ['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => {
    // A terminal sends Ctrl-C to the whole process group; the child decides when it is done, we wait for it.
    const handler = () => (signal !== 'SIGINT' || !process.stdin.isTTY) && child.kill(signal);
    process.on(signal, handler);
    return () => process.off(signal, handler);
  });
  // npm can be killed without passing it on; then nobody is left to stop what it started.
  const started = starters();
  const orphaned = () => starters() !== started && child.kill('SIGTERM');
  const watch = process.env.npm_lifecycle_event === undefined ? undefined : setInterval(orphaned, 500);
  return new Promise((resolve) => {
    child.on('error', (error) => fail(`${child.spawnfile}: ${error.message}`));
    child.on('exit', (code, signal) => {
      clearInterval(watch);
      for (const off of handlers) off();
      resolve(signal === null ? (code ?? 1) : 128 + constants.signals[signal]);
    });
  });
}

/** Our parent's number; where that is the shell between npm and us, which outlives npm, its parent's as well. */
function starters() {
  const parent = String(process.ppid);
  // Where this is not Linux, /bin/sh steps aside for its last command.
  const { name = '', parent: grandparent } = statOf(parent) ?? {};
  return /^[a-z]*sh$/.test(name) ? `${parent} ${grandparent}` : parent;
}

const [target, ...args] = process.argv.slice(2);
if (target === undefined) fail('usage: node dev/run/run.mjs <file | command> [args]', 2);
if (Number(process.versions.node.split('.')[0]) < 20)
  fail(`Node 20 or newer is needed; this is ${process.version}.`);
await installIfNeeded();
// `npm run generate` makes them itself, of a new document.
if (target !== 'dev/tools/generate/main.ts') await makeClientTypes();
const isFile = /\.[mc]?[jt]s$/.test(target);
const child = spawn(
  command(isFile ? 'node' : target),
  isFile ? ['--disable-warning=ExperimentalWarning', join(root, target), ...args] : args,
  // Tells the target whose end is its own: dev/services/die-with-parent.ts.
  options({ PATH: `${bin}${delimiter}${process.env.PATH ?? ''}`, DERMAGATE_RUNNER: String(process.pid) }),
);
process.exit(await running(child));
