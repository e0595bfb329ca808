import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../test/support/temp-folder.ts';
import { until } from '../services/support.ts';

const PROJECT = join(import.meta.dirname, '..', '..');

/** What npm would have done, noted in `installs`: it leaves this Node and, last, its record of what it installed. */
const FAKE_NPM = `#!/bin/sh
echo "$@" >> installs
rm -rf node_modules && mkdir -p node_modules/.bin && ln -s '${process.execPath}' node_modules/.bin/node
sleep 0.7
test -e interrupt && kill -9 $PPID $$
cp package-lock.json node_modules/.package-lock.json
`;

/** A project of two packages, with dev/run/run.mjs and an npm that installs nothing. */
function project() {
  const root = tempFolder();
  for (const folder of ['dev/run', 'path']) mkdirSync(join(root, folder), { recursive: true });
  cpSync(join(PROJECT, 'dev', 'run', 'run.mjs'), join(root, 'dev', 'run', 'run.mjs'));
  writeFileSync(join(root, 'path', 'npm'), FAKE_NPM);
  chmodSync(join(root, 'path', 'npm'), 0o755);
  writeLock(root, '1.0.0');
  return root;
}

function writeLock(root: string, version: string) {
  const packages = {
    '': {},
    'node_modules/a': { version },
    'node_modules/mac': { version: '1.0.0', optional: true },
  };
  writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ packages }));
}

function start(root: string, args: string[]) {
  const child = spawn(process.execPath, [join(root, 'dev', 'run', 'run.mjs'), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: `${join(root, 'path')}${delimiter}${process.env.PATH}` },
  });
  const output = { text: '' };
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => (output.text += chunk));
  }
  return { child, output };
}

async function run(root: string, ...args: string[]) {
  const { child, output } = start(root, args);
  await once(child, 'close');
  return { code: child.exitCode, text: output.text };
}

const installs = (root: string) =>
  existsSync(join(root, 'installs'))
    ? readFileSync(join(root, 'installs'), 'utf8').trim().split('\n').length
    : 0;

test('the first run installs, the next ones do not', async () => {
  const root = project();
  expect((await run(root, 'node', '-p', '6 * 7')).text).toMatch(/Installing packages[^]*42/);
  expect(await run(root, 'node', '-p', '6 * 7')).toEqual({ code: 0, text: '42\n' });
  expect(installs(root)).toBe(1);
});

test('development packages are asked for by name, so that NODE_ENV=production leaves none out', async () => {
  const root = project();
  await run(root, 'node', '-p', '1');
  expect(readFileSync(join(root, 'installs'), 'utf8')).toContain('ci --include=dev');
});

test('a node_modules that is a link to another folder is left alone', async () => {
  const [root, other] = [project(), tempFolder()];
  writeFileSync(join(other, 'kept'), '');
  symlinkSync(other, join(root, 'node_modules'));
  const { code, text } = await run(root, 'node', '-p', '1');
  expect([code, installs(root), existsSync(join(other, 'kept'))]).toEqual([1, 0, true]);
  expect(text).toContain('node_modules is a link');
});

test('two first runs at once install once', async () => {
  const root = project();
  const runs = await Promise.all([run(root, 'node', '-p', '"done"'), run(root, 'node', '-p', '"done"')]);
  expect(runs.map(({ code }) => code)).toEqual([0, 0]);
  expect(runs.map(({ text }) => text.includes('done'))).toEqual([true, true]);
  expect(installs(root)).toBe(1);
});

test('an installation that was killed half way is done again', async () => {
  const root = project();
  writeFileSync(join(root, 'interrupt'), '');
  const killed = start(root, ['node', '-p', '1']);
  await once(killed.child, 'close');
  expect(killed.child.signalCode).toBe('SIGKILL');
  rmSync(join(root, 'interrupt'));
  expect((await run(root, 'node', '-p', '6 * 7')).text).toContain('42');
  expect(installs(root)).toBe(2);
});

test('a changed package-lock.json installs again; an optional package for another platform does not', async () => {
  const root = project();
  await run(root, 'node', '-p', '1');
  const record = join(root, 'node_modules', '.package-lock.json');
  writeFileSync(record, JSON.stringify({ packages: { 'node_modules/a': { version: '1.0.0' } } }));
  await run(root, 'node', '-p', '1');
  expect(installs(root)).toBe(1);
  writeLock(root, '2.0.0');
  await run(root, 'node', '-p', '1');
  expect(installs(root)).toBe(2);
});

test("the target's exit code is the exit code, and a signal is passed on to it", async () => {
  const root = project();
  await run(root, 'node', '-p', '1');
  writeFileSync(
    join(root, 'dev', 'wait.ts'),
    "process.on('SIGTERM', () => process.exit(7)); console.log('up'); setInterval(() => {}, 1000);",
  );
  expect((await run(root, 'node', '-e', 'process.exit(3)')).code).toBe(3);
  const { child, output } = start(root, ['dev/wait.ts']);
  await until(() => output.text.includes('up'));
  child.kill('SIGTERM');
  await once(child, 'close');
  expect(child.exitCode).toBe(7);
});

test('without a target the usage is shown', async () => {
  expect(await run(project())).toMatchObject({ code: 2, text: expect.stringContaining('usage:') });
});
