import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { compileCache } from '../support/compile-cache.ts';

const root = join(import.meta.dirname, '..', '..');
const commands = globSync(['src/cli/*.ts', 'dev/{run,apps/*,tools/*}/*.ts'], {
  cwd: root,
  exclude: ['**/script-arguments.ts'],
}).filter((file) =>
  /\b(?:readArguments|scriptArguments)\(\s*(?:usage|'usage: )/.test(readFileSync(join(root, file), 'utf8')),
);

/** Runs a command with nothing in its environment: it must know its arguments before it asks for settings. */
function run(file: string, args: readonly string[]) {
  return new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
    const env = { PATH: process.env['PATH'], ...compileCache() };
    execFile(process.execPath, [join(root, file), ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });
}

test('every command that takes arguments is examined', () => {
  expect(commands.map((file) => basename(file, '.ts'))).toEqual(
    expect.arrayContaining([
      'create-admin',
      'deactivate-user',
      'erase-user',
      'outbox',
      'parameters',
      // These do much at once: half an hour of tests, settings and a database, files.
      'soak',
      'services',
      'verify',
      'write-schema',
    ]),
  );
});

test.each(commands)('%s says how it is used, and names an argument that it does not know', async (file) => {
  expect(await run(file, ['--help'])).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^usage: npm run [a-z:-]+/),
    stderr: '',
  });
  const { code, stdout, stderr } = await run(file, ['--no-such', 'x']);
  expect([code, stdout]).toEqual([expect.any(Number), '']);
  expect(code).not.toBe(0);
  expect(stderr).toMatch(/^Unknown option '--no-such'\.\nusage: npm run /);
});
