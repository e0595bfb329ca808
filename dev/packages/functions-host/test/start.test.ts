// Loading an app in a process of its own: what refuses to start, and what the app finds.
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { bodyBudgetWarning } from '../body-budget.ts';
import { registerAnswers } from './apps/answers.ts';
import { hostFor, request } from './running-host.ts';

/** A folder with these files (objects are written as JSON) that can import what this project has installed. */
async function folderWith(files: Record<string, string | object>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'host-app-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await symlink(
    fileURLToPath(new URL('../../../../node_modules', import.meta.url)),
    join(folder, 'node_modules'),
  );
  const all = { 'package.json': { type: 'module', main: 'main.js' }, 'host.json': {}, ...files };
  for (const [name, content] of Object.entries(all)) {
    await writeFile(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return folder;
}

const appOf = (registrations: string) => `import { app } from '@azure/functions';\n${registrations}`;

describe('the memory that bodies may take', () => {
  const takes = (method: string) => [{ name: 'take', route: 'take', methods: [method] }];
  const largest = 26_843_545;

  test.each([
    [
      'no limit of the body is set',
      104_857_600,
      undefined,
      /10 concurrent .* take 1000 MB, .* to at most 26843545\.$/,
    ],
    ['the limit is a byte too large', largest + 1, undefined, /to at most 26843545\.$/],
    ['host.json allows more concurrent requests', 25_600_000, 11, /11 concurrent requests/],
  ])('%s: a warning says so', (_, bytes, concurrent, expected) => {
    expect(bodyBudgetWarning(takes('POST'), bytes, concurrent)).toMatch(expected);
  });

  test.each([
    ['the limit fits', 'POST', largest, undefined],
    ['few requests are let in at once', 'POST', 104_857_600, 2],
    ['no function takes a body', 'GET', 104_857_600, undefined],
  ])('%s: no warning', (_, method, bytes, concurrent) => {
    expect(bodyBudgetWarning(takes(method), bytes, concurrent)).toBe(undefined);
  });

  test('the host prints it, by the limit of the environment and by host.json', async () => {
    const warnings = async (maxConcurrentRequests: number) => {
      const app = await folderWith({ 'host.json': { extensions: { http: { maxConcurrentRequests } } } });
      const env = { FUNCTIONS_REQUEST_BODY_SIZE_LIMIT: String(largest) };
      const { lines } = await hostFor({ app, env, load: registerAnswers });
      return lines.filter((line) => line.includes('can end a real host'));
    };
    expect(await warnings(11)).toEqual([expect.stringContaining('11 concurrent requests')]);
    expect(await warnings(10)).toEqual([]);
  });
});

describe('an app that cannot be served', () => {
  test.each([
    [
      'throws at load',
      `console.log('a last line of the app'); throw new Error('the setting SECRET is missing');`,
      /unable to load entry point "main\.js".*the setting SECRET is missing.*last output:\n {4}a last line/s,
    ],
    [
      'exits at load',
      `console.error('DATABASE_URL is missing'); process.exit(7);`,
      /it ended \(exit code 7\) while it was loading\nIts last output:\n {4}DATABASE_URL is missing/,
    ],
    [
      'registers a name twice',
      appOf(`for (const route of ['one', 'two']) app.http('twin', { route, handler: () => ({}) });`),
      /A function with id "twin" has already been registered/,
    ],
    [
      'registers a function that a real host loses',
      appOf(`app.http('reserved', { route: 'administrators', handler: () => ({}) });`),
      /reserved: the route "administrators" conflicts/,
    ],
    [
      'registers a hook that this host does not run',
      appOf(`app.hook.preInvocation(() => {});`),
      /This host runs no preInvocation hooks/,
    ],
    ['registers nothing', `console.log('no function here');`, /it registers no function/],
  ])('%s: startHost rejects and says why', async (_, main, reason) => {
    await expect(hostFor({ app: await folderWith({ 'main.js': main }) })).rejects.toThrow(reason);
  });

  test('without its file, a main, or a good host.json, it is said', async () => {
    const app = await folderWith({});
    await expect(hostFor({ app })).rejects.toThrow(
      'unable to load entry point "main.js": File does not exist',
    );
    await writeFile(join(app, 'package.json'), '{}');
    await expect(hostFor({ app })).rejects.toThrow('package.json names no "main"');
    await writeFile(join(app, 'host.json'), '{ "version": ');
    await expect(hostFor({ app })).rejects.toThrow(/host\.json is not valid JSON/);
    await rm(join(app, 'host.json'));
    await expect(hostFor({ app })).rejects.toThrow(/is not a function app: it has no host\.json/);
  });

  test('a port in use is said, before the app is loaded', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void other.close());
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as AddressInfo;
    await expect(hostFor({ port })).rejects.toThrow(`port ${port} is in use`);
  });
});

test("routePrefix is 'api' unless host.json says otherwise", async () => {
  const usual = await hostFor({ app: await folderWith({}), load: registerAnswers });
  expect((await request(usual, 'GET /api/get-only')).text).toBe('got');
  expect((await request(usual, 'GET /get-only')).status).toBe(404);
});

test('a log level in host.json drops the lines below it', async () => {
  const hostJson = { logging: { logLevel: { default: 'Warning' } } };
  const host = await hostFor({ app: await folderWith({ 'host.json': hostJson }), load: registerAnswers });
  await request(host, 'GET /api/logs');
  expect(host.lines.filter((line) => /a warning|an information/.test(line))).toEqual([
    expect.stringContaining('a warning'),
  ]);
});

test('the app is in its own folder, with the given environment and none of the host’s, over what Core Tools sets', async () => {
  const app = await folderWith({
    'main.js': appOf(`
      app.http('process', { handler: () => ({
        jsonBody: { cwd: process.cwd(), env: process.env, execArgv: process.execArgv },
      }) });
    `),
  });
  const env = {
    GREETING: 'hello',
    FUNCTIONS_WORKER_RUNTIME: 'other',
    languageWorkers__node__arguments: '--no-deprecation',
  };
  const host = await hostFor({ app, env });
  const { text } = await request(host, 'GET /api/process');
  const found = JSON.parse(text) as { cwd: string; env: Record<string, string>; execArgv: string[] };
  expect(found.cwd).toContain(app);
  expect(found.env).toMatchObject({
    ...env,
    AZURE_FUNCTIONS_ENVIRONMENT: 'Development',
    WEBSITE_HOSTNAME: `localhost:${host.port}`,
  });
  expect(process.env.PATH).toBeTypeOf('string');
  expect(Object.keys(found.env)).not.toContain('PATH');
  expect(found.execArgv).toContain('--no-deprecation');
});
