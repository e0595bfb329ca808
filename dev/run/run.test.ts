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
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
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

describe('the types of the client', () => {
  const documentOf = (root: string) => join(root, 'docs', 'openapi.json');
  const made = (root: string) => readFileSync(join(root, 'made'), 'utf8');

  /** A project with a document, and a maker that notes each time it runs. */
  function projectWithClient(maker = '') {
    const root = project();
    const client = join(root, 'dev', 'packages', 'client');
    for (const folder of [join(client, 'src'), join(root, 'docs')]) mkdirSync(folder, { recursive: true });
    writeFileSync(documentOf(root), '{}');
    writeFileSync(
      join(client, 'generate.ts'),
      `${maker}; const { appendFileSync, writeFileSync } = await import('node:fs');
for (const name of ['schema', 'operations']) writeFileSync('dev/packages/client/src/' + name + '.ts', '');
appendFileSync('made', 'x');`,
    );
    return root;
  }

  test('are made when they are missing, and again when the document is newer', async () => {
    const root = projectWithClient();
    expect((await run(root, 'node', '-p', '6 * 7')).text).toContain('42');
    expect((await run(root, 'node', '-p', '6 * 7')).text).toBe('42\n');
    expect(made(root)).toBe('x');
    const later = new Date(Date.now() + 60_000);
    utimesSync(documentOf(root), later, later);
    await run(root, 'node', '-p', '1');
    expect(made(root)).toBe('xx');
    rmSync(join(root, 'dev/packages/client/src/operations.ts'));
    await run(root, 'node', '-p', '1');
    expect(made(root)).toBe('xxx');
  });

  test('from a damaged document end the run with what to do, but for the command that repairs it', async () => {
    const root = projectWithClient("throw new Error('no JSON')");
    const { code, text } = await run(root, 'node', '-p', '6 * 7');
    expect([code, text.includes('42')]).toEqual([1, false]);
    expect(text).toContain('repair it, or run `npm run generate`');
    mkdirSync(join(root, 'dev/tools/generate'), { recursive: true });
    writeFileSync(join(root, 'dev/tools/generate/main.ts'), 'console.log(6 * 7);');
    expect(await run(root, 'dev/tools/generate/main.ts')).toEqual({ code: 0, text: '42\n' });
  });
});

/** A lock file as a killed run has left it, before another process got its number. */
function leaveLock(root: string, content: string) {
  mkdirSync(join(root, '.local'), { recursive: true });
  const lock = join(root, '.local', 'installing');
  writeFileSync(lock, content);
  return lock;
}

const startOf = (pid: number) => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[19];

test('a lock with the number of a process that this one comes from does not stop it', async () => {
  for (const content of [`${process.pid}`, `${process.pid} `, `${process.ppid} 1`]) {
    const root = project();
    leaveLock(root, content);
    expect((await run(root, 'node', '-p', '6 * 7')).text).toMatch(/Installing packages[^]*42/);
  }
});

test('a lock with its own number does not stop it', async () => {
  const root = project();
  leaveLock(root, '');
  // The shell becomes the run, with the same number.
  const script = `printf %s $$ > .local/installing; exec "$0" dev/run/run.mjs node -p '6 * 7'`;
  const child = spawn('sh', ['-c', script, process.execPath], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: `${join(root, 'path')}${delimiter}${process.env.PATH}` },
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  await once(child, 'close');
  expect(text).toContain('42');
});

test('a lock that names no process counts only while it may be being written', async () => {
  const root = project();
  const longAgo = new Date(Date.now() - 60_000);
  utimesSync(leaveLock(root, ''), longAgo, longAgo);
  expect((await run(root, 'node', '-p', '6 * 7')).text).toContain('42');
});

test.skipIf(process.platform !== 'linux')(
  'a lock counts while its process lives, and not for another one with its number',
  async () => {
    const other = spawn('sleep', ['60']);
    onTestFinished(() => void other.kill('SIGKILL'));
    const pid = other.pid as number;
    const reused = project();
    leaveLock(reused, `${pid} 1`);
    expect((await run(reused, 'node', '-p', '6 * 7')).text).toContain('42');

    const root = project();
    const lock = leaveLock(root, `${pid} ${startOf(pid)}`);
    const { child, output } = start(root, ['node', '-p', '6 * 7']);
    await until(() => output.text.includes(`waiting for it to remove ${lock}`));
    expect(installs(root)).toBe(0);
    other.kill('SIGKILL');
    await once(child, 'close');
    expect([output.text.includes('42'), installs(root)]).toEqual([true, 1]);
  },
);

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
