import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../dev/services/support.ts';
import { compileCache } from './support/compile-cache.ts';
import { tempFolder } from './support/temp-folder.ts';

// The commands of README.md and docs/, pasted into a copy of this checkout, beside a gateway that it starts.

const project = join(import.meta.dirname, '..');
/** What `npm ci` makes; the copy borrows it. */
const installed = ['node_modules', 'dev/packages/client/node_modules', 'dev/apps/portal/node_modules'];
const leftOut = new Set(['node_modules', '.git', '.local', 'dist', 'local.settings.json']);

const copy = tempFolder();
const { PATH, HOME } = process.env;
let gateway: ChildProcess;
let output = '';
let url = '';

beforeAll(async () => {
  cpSync(project, copy, { recursive: true, filter: (path) => !leftOut.has(basename(path)) });
  for (const folder of installed.filter((path) => existsSync(join(project, path)))) {
    symlinkSync(join(project, folder), join(copy, folder));
  }
  // `npm run dev`, on a port that nobody has.
  gateway = spawn(process.execPath, [join(copy, 'dev', 'run', 'start.ts'), '--watch'], {
    cwd: copy,
    env: { PATH, HOME, ...compileCache(), PORT: '0', BCRYPT_COST: '4' },
  });
  for (const stream of [gateway.stdout, gateway.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  await until(() => output.includes('Try it:') || gateway.exitCode !== null);
  url = /Ready at (\S+)/.exec(output)?.[1] ?? '';
});

afterAll(async () => {
  gateway.kill('SIGTERM');
  await until(() => gateway.exitCode !== null || gateway.signalCode !== null);
});

/** The blocks of one language in a chapter of a document. */
function blocksOf(document: string, chapter: string, language: 'sh' | 'ts'): string[] {
  const whole = readFileSync(join(project, document), 'utf8');
  const [text = ''] = whole.split(`\n## ${chapter}\n`)[1]?.split(/\n## /) ?? [];
  const blocks = text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'));
  return [...blocks].map(([, block = '']) => block);
}

/** What the commands print; fails with all of it when one of them fails. */
async function paste(commands: string): Promise<string> {
  const script = `exec 2>&1; ${commands.replaceAll('http://127.0.0.1:7071', url)}`;
  const options = { cwd: copy, env: { PATH, HOME, ...compileCache(), NO_COLOR: '1' } };
  return await promisify(execFile)('bash', ['--norc', '-euo', 'pipefail', '-c', script], options).then(
    ({ stdout }) => stdout,
    (error: { stdout: string }) => Promise.reject(new Error(`${commands}\n${error.stdout}`)),
  );
}

const answers = (printed: string) =>
  printed
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

test('"Try it" gives an account, two diagnoses, and the place of a mistake', async () => {
  const commands = blocksOf('README.md', 'Try it', 'sh');
  expect(commands.length).toBeGreaterThanOrEqual(5);
  const [health, account, me, diagnosis, spanish, refusal] = answers(await paste(commands.join('\n')));
  expect(health).toEqual({ status: 'healthy', database: 'connected' });
  expect(account).toMatchObject({ token_type: 'bearer' });
  expect(me).toMatchObject({ user: { email: 'me@example.org', role: 'patient' } });
  expect(diagnosis).toMatchObject({ red_flags: { hasRedFlags: false }, image_validity: { isValid: true } });
  expect(spanish).toMatchObject({
    red_flags: {
      flags: ['suspicious_pigmented_lesion'],
      flagDetails: [{ text: expect.stringMatching(/lunar/) }],
    },
  });
  expect(refusal).toMatchObject({
    code: 'anamnesis_invalid',
    errors: [expect.objectContaining({ pointer: '/lesion/colors/0' })],
  });
});

test('the TypeScript of "Try it" fits the client', async () => {
  const [example = ''] = blocksOf('README.md', 'Try it', 'ts');
  expect(example).toContain('dermagate-client');
  const folder = join(copy, 'dev', 'example');
  mkdirSync(folder);
  writeFileSync(join(folder, 'example.ts'), example);
  const config = { extends: '../apps/portal/tsconfig.json', include: ['example.ts'] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  await paste('npm run typecheck -- -p dev/example');
  rmSync(folder, { recursive: true });
});

describe('"Add an endpoint"', { timeout: 300_000 }, () => {
  const steps = blocksOf('docs/development.md', 'Add an endpoint', 'sh');
  const [start = '', query = '', endpoint = '', list = '', call = '', httpTest = '', plan = '', ...rest] =
    steps;
  const [asked = '', documents = '', request = '', verify = ''] = rest;

  test('begins with a gateway that watches its sources', () => {
    expect(start).toContain('npm run dev');
  });

  test('makes the running gateway answer', async () => {
    for (const step of [query, endpoint, list]) await paste(step);
    await until(() => /endpoints\.ts changed: (restarted|and)/.test(output) || gateway.exitCode !== null);
    const [stored, listed, refused] = answers(await paste(call));
    const [image] = (stored as { images: { uuid: string; url: string }[] }).images;
    expect(listed).toEqual({
      images: [{ uuid: image?.uuid, url: image?.url, created_at: expect.any(String) }],
    });
    expect(refused).toMatchObject({ code: 'validation_error', errors: [{ pointer: '/limit' }] });
  });

  test('adds a test that passes', async () => {
    expect(await paste(httpTest)).toContain('1 passed');
  });

  test('has its query planned', async () => {
    const planned = await paste(plan);
    expect(planned).toMatch(/^listImages\n {2}\S/m);
    expect(planned).not.toContain('FAULT');
  });

  test('brings the documents up to date', async () => {
    await paste(asked);
    await paste(documents);
    const examples = readFileSync(join(copy, 'src/lib/openapi/examples.json'), 'utf8');
    expect(JSON.parse(examples)).toHaveProperty('operations.listImages.responses.200');
    for (const file of ['docs/openapi.json', 'README.md', 'dev/packages/client/src/schema.ts']) {
      expect(readFileSync(join(copy, file), 'utf8'), file).toMatch(/listImages/);
    }
    expect(await paste('npm run routes')).toMatch(/GET +\/api\/common\/images\s/);
  });

  test('adds a request that is sent', async () => {
    expect(await paste(request)).toMatch(/test\/http\/collection[^]*0 failed/);
    expect(readFileSync(join(copy, 'test/http/images.http'), 'utf8')).toContain('My photos');
  });

  test('passes the checks', async () => {
    expect(verify.trim()).toBe('npm run verify');
    // What of it a new endpoint can offend; the rest is the same as without.
    const places =
      'src/functions src/domain/media/images src/endpoints.ts test/functions/common test/openapi dev/tools/query-plans';
    await paste(`npm run typecheck; npm run lint -- ${places}; npm run format -- --check ${places}`);
    await paste('npm test -- --project unit test/architecture test/contract test/openapi');
  });
});
