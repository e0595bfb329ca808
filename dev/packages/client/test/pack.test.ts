import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { beforeAll, expect, test } from 'vitest';
import { packClient } from '../pack.ts';
import { tempFolder } from '../../../../test/support/temp-folder.ts';

// A project of another developer, with the packed client and what it needs installed.

const root = join(import.meta.dirname, '..', '..', '..', '..');
const project = tempFolder();
const modules = join(project, 'node_modules');

const run = (program: string, ...args: string[]) =>
  spawnSync(program, args, { cwd: project, encoding: 'utf8', shell: process.platform === 'win32' });

beforeAll(() => {
  const installed = join(modules, 'dermagate-client');
  mkdirSync(installed, { recursive: true });
  const unpacked = run('tar', '-xzf', packClient(project), '-C', installed, '--strip-components', '1');
  expect(unpacked.stderr).toBe('');
  for (const name of ['idb-keyval', 'openapi-fetch', 'openapi-typescript-helpers']) {
    symlinkSync(join(root, 'node_modules', name), join(modules, name), 'junction');
  }
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(project, 'example.ts'), examplesOfTheReadme());
});

/** The examples one after the other, with the values that they take from elsewhere. */
function examplesOfTheReadme(): string {
  const readme = readFileSync(join(root, 'dev/packages/client/README.md'), 'utf8');
  const examples = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, example]) => example);
  expect(examples.length).toBe(3);
  return `import type { Anamnesis, AnswerCreation } from 'dermagate-client';
declare const photo: File;
declare const anamnesis: Anamnesis;
declare const diagnoses: NonNullable<AnswerCreation['diagnoses']>;
declare function show(text: string): void;
${examples.join('\n')}
export const shown: [number, string, () => void] = [diagnosis.predictions.length, url, release];
`;
}

test('the examples of its README compile there, strictly and with the declarations of every library checked', () => {
  const strict = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--noEmit'];
  for (const module of [
    ['--module', 'nodenext'],
    ['--module', 'esnext', '--moduleResolution', 'bundler'],
  ]) {
    const { stdout, status } = run(
      'tsc',
      ...strict,
      ...module,
      '--target',
      'es2022',
      '--types',
      '',
      'example.ts',
    );
    expect([status, stdout]).toEqual([0, '']);
  }
});

test('it needs the first Node that has AbortSignal.any', () => {
  const packed = readFileSync(join(modules, 'dermagate-client', 'package.json'), 'utf8');
  expect(JSON.parse(packed)).toMatchObject({ engines: { node: '>=20.3' } });
  const readme = readFileSync(join(modules, 'dermagate-client', 'README.md'), 'utf8');
  expect(readme).toContain('Node ≥ 20.3.');
});

test('Node runs it, and ends although tabs would share its tokens', () => {
  writeFileSync(
    join(project, 'run.js'),
    `import { createDermagate, inMemory } from 'dermagate-client';
    const fetch = async ({ url, method }) => Response.json({ url, method });
    const tokens = { ...inMemory(), channel: 'tabs' };
    const api = createDermagate({ baseUrl: 'https://api.example.org', tokens, fetch });
    console.log(JSON.stringify((await api.GET('/healthy')).data));`,
  );
  const { stdout, stderr } = run(process.execPath, 'run.js');
  expect([stdout.trim(), stderr]).toEqual(['{"url":"https://api.example.org/healthy","method":"GET"}', '']);
});

test('a bundler makes it a small script for browsers without a setting, and without what only staff call', async () => {
  writeFileSync(
    join(project, 'page.js'),
    `import { createDermagate, inIndexedDb } from 'dermagate-client';
    createDermagate({ baseUrl: '', tokens: inIndexedDb() });`,
  );
  const { errors, warnings, outputFiles } = await build({
    absWorkingDir: project,
    entryPoints: ['page.js'],
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    write: false,
  });
  expect([errors, warnings]).toEqual([[], []]);
  const [script] = outputFiles;
  expect(script?.contents.length).toBeLessThan(25_000);
  expect(script?.text).toContain('/api/v1/mobile/cases');
  expect(script?.text.match(/\/api\/v1\/backoffice\/[\w-]+/g)).toEqual(['/api/v1/backoffice/set-language']);
});
