// Loading an app: what refuses to start, what a real host would do instead, and where settings come from.
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { appFolder, hostFor, request } from './running-host.ts';

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

const ENVIRONMENT_APP = `
  import { app } from '@azure/functions';
  app.http('environment', { route: '{name}', handler: (request) => ({ body: process.env[request.params.name] ?? '(not set)' }) });
`;

describe('the memory that bodies may take', () => {
  const app = (methods: string) =>
    `import { app } from '@azure/functions';
    app.http('take', { methods: ${methods}, authLevel: 'anonymous', handler: () => ({}) });`;
  const hostJson = (maxConcurrentRequests: number) => ({ extensions: { http: { maxConcurrentRequests } } });
  const warning = /can end a real host/;

  test.each([
    [
      'no limit of the body is set',
      {},
      {},
      /16 concurrent requests .* take 1600 MB, .* to at most 26843545\.$/,
    ],
    [
      'the limit is a byte too large',
      {},
      { FUNCTIONS_REQUEST_BODY_SIZE_LIMIT: '26843546' },
      /to at most 26843545\.$/,
    ],
    [
      'host.json allows more concurrent requests',
      hostJson(17),
      { FUNCTIONS_REQUEST_BODY_SIZE_LIMIT: '25600000' },
      /17 concurrent requests/,
    ],
  ])('%s: a warning says so', async (_, json, env, expected) => {
    const folder = await folderWith({ 'main.js': app("['POST']"), 'host.json': json });
    const host = await hostFor(folder, { env });
    expect(host.lines.filter((line) => warning.test(line))).toEqual([expect.stringMatching(expected)]);
  });

  test.each([
    ['the limit fits', "['POST']", {}, { FUNCTIONS_REQUEST_BODY_SIZE_LIMIT: '26843545' }],
    ['few requests are let in at once', "['POST']", hostJson(4), {}],
    ['no function takes a body', "['GET']", {}, {}],
  ])('%s: no warning', async (_, methods, json, env) => {
    const folder = await folderWith({ 'main.js': app(methods), 'host.json': json });
    const host = await hostFor(folder, { env });
    expect(host.lines.filter((line) => warning.test(line))).toEqual([]);
  });
});

describe('an app that cannot be served', () => {
  test.each([
    [
      'throws at load',
      'throws.ts',
      /unable to load entry point "throws\.ts".*the setting SECRET is missing/s,
    ],
    ['exits at load', 'exits.ts', /it ended \(exit code 7\) while it was loading/],
    ['registers a name twice', 'duplicate.ts', /A function with id "twin" has already been registered/],
    [
      'has an invalid template',
      'bad-template.ts',
      /broken: the route "items.*" is not valid: there is no constraint "nosuch"/,
    ],
    [
      'has a reserved route or a bad name',
      'lost-functions.ts',
      /1bad: .*not a valid function name\nHost: .*\nreserved: .*conflicts/,
    ],
    ['registers nothing', 'empty.ts', /it registers no function/],
    ['has no such file', 'missing.ts', /unable to load entry point "missing\.ts": File does not exist/],
    ['has no file like it', 'missing/*.ts', /Found zero files matching the supplied pattern/],
    ['wants streaming', 'streaming.ts', /enableHttpStream.*buffered apps only/],
  ])('%s: startHost rejects and says why', async (_, main, reason) => {
    await expect(hostFor('odd', { main })).rejects.toThrow(reason);
  });

  test("the reason comes with the app's last output", async () => {
    await expect(hostFor('odd', { main: 'exits.ts' })).rejects.toThrow(
      /last output:\n {4}DATABASE_URL is missing/,
    );
    await expect(hostFor('odd', { main: 'throws.ts' })).rejects.toThrow(/a last line of the app/);
  });

  test('without a main, or without host.json, it is said', async () => {
    await expect(hostFor('odd')).rejects.toThrow('package.json names no "main"');
    await expect(hostFor(tmpdir())).rejects.toThrow(/is not a function app: it has no host\.json/);
  });

  test('a port in use is said, before the app is loaded', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void other.close());
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as AddressInfo;
    await expect(hostFor('odd', { main: 'half-a.ts', port })).rejects.toThrow(`port ${port} is in use`);
  });
});

describe('the same apps with strict: false, as on a real host', () => {
  test.each(['throws.ts', 'exits.ts', 'duplicate.ts'])(
    '%s: every function 404, the home page 200',
    async (main) => {
      const host = await hostFor('odd', { main, strict: false });
      expect((await request(host, 'GET /fine')).status).toBe(404);
      expect((await request(host, 'GET /one')).status).toBe(404);
      expect((await request(host, 'GET /')).status).toBe(200);
      expect(host.lines.join('\n')).toContain('The app did not load');
    },
  );

  test('one invalid template: every request is 503', async () => {
    const host = await hostFor('odd', { main: 'bad-template.ts', strict: false });
    for (const path of ['/fine', '/items/1', '/nowhere', '/']) {
      const reply = await request(host, `GET ${path}`);
      expect(reply).toMatchObject({ status: 503, text: 'Function host is not running.' });
    }
  });

  test('a leading slash behind a prefix is an invalid template', async () => {
    const folder = await folderWith({
      'main.js': `
        import { app } from '@azure/functions';
        app.http('slashed', { route: '/x/{y}', handler: () => ({}) });
      `,
    });
    const host = await hostFor(folder, { strict: false });
    expect((await request(host, 'GET /api/x/1')).status).toBe(503);
  });

  test('a reserved route or a bad name loses that function only', async () => {
    const host = await hostFor('odd', { main: 'lost-functions.ts', strict: false });
    expect((await request(host, 'GET /fine')).text).toBe('fine');
    expect((await request(host, 'GET /administrators')).status).toBe(404);
    expect((await request(host, 'GET /bad-name')).status).toBe(404);
    expect(host.functions.filter(({ error }) => error).map(({ name }) => name)).toEqual([
      '1bad',
      'Host',
      'reserved',
    ]);
  });

  test('streaming is refused all the same', async () => {
    await expect(hostFor('odd', { main: 'streaming.ts', strict: false })).rejects.toThrow(
      'buffered apps only',
    );
  });
});

describe('what is loaded', () => {
  test('a glob loads all of its files', async () => {
    const host = await hostFor('odd', { main: 'half-*.ts' });
    expect(host.functions.map(({ name }) => name)).toEqual(['halfA', 'halfB']);
  });

  test("routePrefix is 'api' unless host.json says otherwise; comments and trailing commas are allowed there", async () => {
    const main = `
      import { app } from '@azure/functions';
      app.http('hi', { handler: () => ({ body: 'hi' }) });
    `;
    const usual = await hostFor(await folderWith({ 'main.js': main }));
    expect((await request(usual, 'GET /api/hi')).text).toBe('hi');
    expect((await request(usual, 'GET /hi')).status).toBe(404);
    const commented =
      '{ // a "comment"\n "note": "// none", /* and, more, */ "extensions": { "http": { "routePrefix": "v1", }, } }';
    const other = await hostFor(await folderWith({ 'main.js': main, 'host.json': commented }));
    expect((await request(other, 'GET /v1/hi')).text).toBe('hi');
    expect((await request(other, 'GET /api/hi')).status).toBe(404);
  });

  test('broken JSON in host.json is said with the file', async () => {
    const folder = await folderWith({ 'host.json': '{ "version": ' });
    await expect(hostFor(folder)).rejects.toThrow(/host\.json is not valid JSON/);
  });

  test('a function can only be registered while the app loads', async () => {
    const host = await hostFor('answers');
    const reply = await request(host, 'GET /late-registration');
    expect(reply.text).toBe('A function can only be registered during app startup.');
  });

  test('functionTimeout ends an invocation with 500, and its worker with it', async () => {
    const folder = await folderWith({
      'host.json': { functionTimeout: '00:00:01' },
      'main.js': `
        import { app } from '@azure/functions';
        app.http('hangs', { handler: () => new Promise(() => {}) });
        app.http('fine', { handler: () => ({}) });
      `,
    });
    const host = await hostFor(folder);
    const before = host.workerPid();
    expect((await request(host, 'GET /api/hangs')).status).toBe(500);
    await host.line(/exceeded functionTimeout/);
    await expect.poll(() => host.workerPid()).not.toBe(undefined);
    expect(host.workerPid()).not.toBe(before);
    await expect.poll(async () => (await request(host, 'GET /api/fine')).status).toBe(200);
  });
});

describe('settings', () => {
  const settings = {
    Values: { HOST_TEST_A: 'from file', HOST_TEST_B: 'from file', HOST_TEST_C: 'from file', PORT_NUMBER: 5 },
  };

  test('options.env wins over the environment, the environment over local.settings.json', async () => {
    process.env.HOST_TEST_B = 'from environment';
    process.env.HOST_TEST_C = 'from environment';
    process.env.HOST_TEST_D = 'from environment';
    process.env.HOST_TEST_A = '';
    onTestFinished(() => {
      for (const letter of 'ABCD') delete process.env[`HOST_TEST_${letter}`];
    });
    const folder = await folderWith({ 'main.js': ENVIRONMENT_APP, 'local.settings.json': settings });
    const host = await hostFor(folder, { env: { HOST_TEST_C: 'from options' } });
    const value = async (name: string, on = host) => (await request(on, `GET /api/${name}`)).text;
    expect(await value('HOST_TEST_A')).toBe('from file'); // an empty variable does not count
    expect(await value('HOST_TEST_B')).toBe('from environment');
    expect(await value('HOST_TEST_C')).toBe('from options');
    expect(await value('HOST_TEST_D')).toBe('from environment');
    expect(await value('PORT_NUMBER')).toBe('5');
    expect(await host.line(/HOST_TEST_B of local\.settings\.json is not used/)).toContain('warning');
    expect(host.lines.join('\n')).not.toContain('HOST_TEST_C of local');

    const alone = await hostFor(folder, { inheritEnv: false });
    expect(await value('HOST_TEST_B', alone)).toBe('from file');
    expect(await value('HOST_TEST_D', alone)).toBe('(not set)');
  });

  test('options.values count in place of those of local.settings.json', async () => {
    const folder = await folderWith({ 'main.js': ENVIRONMENT_APP, 'local.settings.json': settings });
    const host = await hostFor(folder, { inheritEnv: false, values: { HOST_TEST_B: 'from options' } });
    const value = async (name: string) => (await request(host, `GET /api/${name}`)).text;
    expect([await value('HOST_TEST_A'), await value('HOST_TEST_B')]).toEqual(['(not set)', 'from options']);
  });

  test('AZURE_FUNCTIONS_ENVIRONMENT is Development where nothing is set', async () => {
    const folder = await folderWith({ 'main.js': ENVIRONMENT_APP });
    const usual = await hostFor(folder, { inheritEnv: false });
    expect((await request(usual, 'GET /api/AZURE_FUNCTIONS_ENVIRONMENT')).text).toBe('Development');
    expect((await request(usual, 'GET /api/WEBSITE_HOSTNAME')).text).toBe(`localhost:${usual.port}`);
    const staging = await folderWith({
      'main.js': ENVIRONMENT_APP,
      'local.settings.json': { Values: { AZURE_FUNCTIONS_ENVIRONMENT: 'Staging' } },
    });
    const other = await hostFor(staging, { inheritEnv: false });
    expect((await request(other, 'GET /api/AZURE_FUNCTIONS_ENVIRONMENT')).text).toBe('Staging');
  });

  test('Host.LocalHttpPort is the port when none is given', async () => {
    const port = 20_000 + Math.floor(Math.random() * 10_000); // below the range from which free ports are given
    const folder = await folderWith({
      'main.js': ENVIRONMENT_APP,
      'local.settings.json': { Host: { LocalHttpPort: port } },
    });
    const { startHost } = await import('../host.ts');
    const host = await startHost({ app: folder, output: () => {} });
    onTestFinished(() => host.stop());
    expect(host.port).toBe(port);
  });

  test.each([
    [{ IsEncrypted: true, Values: {} }, /encrypted/],
    [{ Values: { LIST: ['a'] } }, /Values\.LIST must be a string/],
  ])('%j is refused', async (content, reason) => {
    await expect(hostFor(await folderWith({ 'local.settings.json': content }))).rejects.toThrow(reason);
  });

  test("languageWorkers__node__arguments are the worker's Node arguments", async () => {
    const folder = await folderWith({
      'main.js': `
        import { app } from '@azure/functions';
        app.http('arguments', { handler: () => ({ jsonBody: process.execArgv }) });
      `,
      'local.settings.json': {
        Values: { languageWorkers__node__arguments: '--no-deprecation --stack-trace-limit=5' },
      },
    });
    const reply = await request(await hostFor(folder), 'GET /api/arguments');
    expect(JSON.parse(reply.text)).toEqual(
      expect.arrayContaining(['--no-deprecation', '--stack-trace-limit=5']),
    );
  });

  test('AzureWebJobsDisableHomepage makes the home page 204', async () => {
    const host = await hostFor('odd', { main: 'half-a.ts', env: { AzureWebJobsDisableHomepage: 'true' } });
    expect((await request(host, 'GET /')).status).toBe(204);
  });
});

test('the app finds itself in its own folder', async () => {
  const folder = await folderWith({
    'main.js': `
      import { app } from '@azure/functions';
      app.http('cwd', { handler: () => ({ body: process.cwd() }) });
    `,
  });
  expect((await request(await hostFor(folder), 'GET /api/cwd')).text).toContain(folder);
  expect(appFolder('odd')).not.toBe(process.cwd());
});
