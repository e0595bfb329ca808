// From `npm start` to "Ready" in a fresh copy of this project, first and second start. Packages are already installed
// (installing them measures the network); data and settings do not exist.
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startChild, waitUntilReady } from '../../services/child.ts';
import { significant } from './compare.ts';
import { type Rig, root } from './rig.ts';
import { median } from './statistics.ts';
import { table } from './table.ts';

export const name = 'start';

const ROUNDS = 3;
const STOP_WITHIN_MS = 30_000;
const NOT_COPIED = new Set(['node_modules', '.git', '.local', 'dist', 'local.settings.json']);

export async function run(rig: Rig): Promise<string> {
  const first: number[] = [];
  const second: number[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    const checkout = join(rig.folder, `checkout-${round}`);
    copyProject(checkout);
    first.push(await timeToReady(rig, checkout));
    second.push(await timeToReady(rig, checkout));
    rmSync(checkout, { recursive: true, force: true });
  }
  const row = (label: string, times: number[]) => [label, seconds(median(times)), ...times.map(seconds)];
  const ratio = median(second.map((time, index) => time / (first[index] ?? Number.NaN)));
  console.log(`\nnpm start to "Ready", ${ROUNDS} fresh copies, packages installed`);
  console.log(
    table(
      ['', 'median s', ...first.map((_, index) => `copy ${index + 1}`)],
      [
        row('first time (makes database, storage, secrets, demo users)', first),
        row('second time', second),
        ['  ratio second / first', `× ${significant(ratio)}`, ...first.map(() => '')],
      ],
    ),
  );
  return `second start × ${significant(ratio)} of the first`;
}

const seconds = (ms: number) => significant(ms / 1000);

function copyProject(to: string): void {
  mkdirSync(to);
  cpSync(root, to, { recursive: true, filter: (path) => path === root || !NOT_COPIED.has(basename(path)) });
  symlinkSync(join(root, 'node_modules'), join(to, 'node_modules'));
}

/** Milliseconds; the start is stopped again. */
async function timeToReady(rig: Rig, checkout: string): Promise<number> {
  const logFile = join(checkout, '..', `${basename(checkout)}.log`);
  const startedAt = performance.now();
  const child = await startChild({
    name: 'npm start',
    ...npm(['start']),
    // Only the variables that locate programs: settings of the shell would save npm start some of its work.
    env: { PATH: process.env.PATH, HOME: process.env.HOME, SystemRoot: process.env.SystemRoot, PORT: '0' },
    cwd: checkout,
    logFile,
    stopSignal: 'SIGTERM',
    graceMs: STOP_WITHIN_MS,
  });
  let stopped: Promise<void> | undefined;
  // Once only: later the number may belong to another group.
  const stop = () => (stopped ??= stopGroup(child.pid));
  rig.undo(stop);
  const isReady = async () => existsSync(logFile) && /^Ready at /m.test(readFileSync(logFile, 'utf8'));
  await waitUntilReady(child, isReady, 120_000);
  const ms = performance.now() - startedAt;
  await stop();
  return ms;
}

/** A Ctrl-C in a terminal reaches the whole group. npm itself ends immediately, so wait for the whole group. */
async function stopGroup(pid: number): Promise<void> {
  const send = (signal: NodeJS.Signals | 0): boolean => {
    try {
      return process.kill(-pid, signal);
    } catch {
      return false; // ESRCH: the group is empty
    }
  };
  send('SIGTERM');
  for (const deadline = Date.now() + STOP_WITHIN_MS; send(0); await sleep(25)) {
    if (Date.now() > deadline) send('SIGKILL');
  }
}

/** The npm and Node of the current run, as in the developer's shell. */
function npm(args: string[]): { command: string; args: string[] } {
  const { npm_execpath: script, npm_node_execpath: node } = process.env;
  return script === undefined || node === undefined
    ? { command: 'npm', args }
    : { command: node, args: [script, ...args] };
}
