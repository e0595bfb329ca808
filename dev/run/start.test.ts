import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Holder } from '../services/folder-lock.ts';
import { compileCache } from '../../test/support/compile-cache.ts';
import { tempFolder } from '../../test/support/temp-folder.ts';
import { loadSecrets } from '../services/local-state.ts';
import { isRunning, until } from '../services/support.ts';
import { writeLocalSettings } from './settings.ts';

const PROJECT = join(import.meta.dirname, '..', '..');
const PARTS = ['dev', 'src', 'migrations', 'host.json', 'package.json', 'local.settings.example.json'];

/** A checkout of its own, so that a running `npm start` of this one is neither disturbed nor met. */
const root = tempFolder();

function npmStart(env: NodeJS.ProcessEnv = {}, args: string[] = [], script = 'start.ts') {
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, [join(root, 'dev', 'run', script), ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH, HOME, ...compileCache(), PORT: '0', PORTAL_PORT: '0', BCRYPT_COST: '4', ...env },
  });
  started.push(child);
  const output = { text: '' };
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => (output.text += chunk));
  }
  return { child, output };
}

/** Edits what a migration of this checkout does. @returns what undoes it. */
function editBaseline(): () => void {
  const file = join(root, 'migrations', '14-create-outbox.ts');
  const source = readFileSync(file, 'utf8');
  writeFileSync(file, source.replace('length(dedupe_key) <= 200', 'length(dedupe_key) <= 201'));
  return () => writeFileSync(file, source);
}

const ended = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null;

const logIn = (url: string | undefined, email = '', password = '') =>
  fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });

const started: ChildProcess[] = [];
let running: ReturnType<typeof npmStart>;
/** The second one, of `npm run dev`. */
let watching: ReturnType<typeof npmStart>;
let servicePids: number[] = [];

beforeAll(async () => {
  for (const part of PARTS) cpSync(join(PROJECT, part), join(root, part), { recursive: true });
  symlinkSync(join(PROJECT, 'node_modules'), join(root, 'node_modules'));
  running = npmStart();
  await until(() => running.output.text.includes('Try it:') || ended(running.child));
  const { children } = JSON.parse(readFileSync(join(root, '.local', 'running.json'), 'utf8')) as Holder;
  servicePids = children.map(({ pid }) => pid);
});

afterAll(async () => {
  for (const child of started) child.kill('SIGKILL');
  await until(() => !servicePids.some(isRunning));
});

test('every step is shown with its time, and the total', () => {
  for (const step of [
    'PostgreSQL ready',
    'Azurite ready',
    'AI service ready',
    'Mail catcher ready',
    'Web PubSub ready',
    'Database migrated',
    'Demo users',
  ]) {
    expect(running.output.text).toMatch(new RegExp(`${step}.* \\(\\d+\\.\\d s\\)`));
  }
  expect(running.output.text).toMatch(/Ready at http:\/\/127\.0\.0\.1:\d+ after \d+\.\d s/);
});

test('a mail that the app sends is at the printed address, with a link of the portal', async () => {
  const address = (what: string) => new RegExp(`${what} +(http://\\S+)`).exec(running.output.text)?.[1] ?? '';
  await fetch(`${address('Ready at')}/api/auth/request-reset`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'patient@dermagate.example' }),
  });
  const mails = async () =>
    (await (await fetch(`${address('Mails')}/messages.json`)).json()) as { to: string[]; text: string }[];
  await expect.poll(async () => (await mails()).length, { timeout: 30_000 }).toBe(1);
  expect((await mails())[0]?.to).toEqual(['patient@dermagate.example']);
  expect((await mails())[0]?.text).toContain(`${address('Portal')}/reset-password#token=dgp_`);
});

test('the portal is served first of all addresses, and the gateway lets both names of its origin in', async () => {
  const addresses = [...running.output.text.matchAll(/^ {2}(\w+) +(http:\S+)/gm)].map(([, name, url]) => ({
    name,
    url: url ?? '',
  }));
  const portal = new URL(addresses[0]?.url ?? '');
  expect(addresses[0]?.name).toBe('Portal');
  const page = await fetch(new URL('/reset-password', portal));
  expect(await page.text()).toContain('/src/main.tsx');
  const gateway = /Ready at (\S+)/.exec(running.output.text)?.[1] ?? '';
  for (const origin of [portal.origin, `http://localhost:${portal.port}`]) {
    const { headers } = await fetch(`${gateway}/healthy`, { headers: { origin } });
    expect(headers.get('access-control-allow-origin')).toBe(origin);
  }
});

test('the printed commands, run literally, end in a diagnosis of the demo photo', async () => {
  const commands = running.output.text.split('\n').filter((line) => /^(curl|TOKEN=)/.test(line));
  const { stdout } = await promisify(execFile)('bash', ['-c', commands.join('\n')], { cwd: root });
  const [health, registered, me, diagnosis] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as object);
  expect(health).toEqual({ status: 'healthy', database: 'connected' });
  expect(registered).toMatchObject({ token_type: 'bearer' });
  expect(me).toMatchObject({ user: { role: 'physician' }, physician: { user_id: expect.any(Number) } });
  expect(diagnosis).toMatchObject({
    predictions: expect.arrayContaining([expect.objectContaining({ disease: 'atopic_dermatitis' })]),
    red_flags: { hasRedFlags: false },
    image_validity: { isValid: true },
  });
});

test('the printed command for live counts prints them, from the gateway that has printed it', async () => {
  const [, script = '', url = ''] =
    /Live +npm run (live) -- --url (http:\S+)/.exec(running.output.text) ?? [];
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const file = scripts[script]?.split(' ').at(-1) ?? '';
  const child = spawn(process.execPath, [join(root, file), '--url', url]);
  started.push(child);
  child.stdout.setEncoding('utf8');
  const [line] = (await once(child.stdout, 'data')) as [string];
  expect(line).toMatch(/^\d\d:\d\d:\d\d {2}waiting: .*in review: \d+ .*AI: \w+\n/);
  child.kill();
  const stranger = ['--url', url, '--email', 'patient@dermagate.example', '--password', 'demo-patient-pass'];
  const refused = spawn(process.execPath, [join(root, file), ...stranger]);
  started.push(refused);
  const [reason] = (await once(refused.stderr.setEncoding('utf8'), 'data')) as [string];
  await once(refused, 'close');
  expect(refused.exitCode).toBe(1);
  expect(reason).toMatch(/role/i);
});

test('npm run timer runs a timer of it by hand, and prints the counts', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [
    join(root, 'dev', 'run', 'timer.ts'),
    'openLanes',
  ]);
  expect(stdout).toMatch(/^openLanes ran in \d+ ms: \w+ \d+/);
  const unknown = promisify(execFile)(process.execPath, [join(root, 'dev', 'run', 'timer.ts'), 'openLane']);
  await expect(unknown).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('There is no timer openLane.'),
  });
});

test('every printed demo user can log in', async () => {
  const url = /Ready at (\S+)/.exec(running.output.text)?.[1];
  const users = [...running.output.text.matchAll(/^ {4}(\S+@\S+) +(\S+) +\((\w+)\)$/gm)];
  expect(users.map(([, , , role]) => role)).toEqual(['patient', 'physician', 'admin']);
  for (const [, email, password] of users) {
    expect((await logIn(url, email, password)).status).toBe(200);
  }
});

test('a second start in the same folder names the first and leaves it running', async () => {
  const second = npmStart();
  await once(second.child, 'close');
  expect(second.child.exitCode).toBe(1);
  expect(second.output.text).toContain(`npm start, process ${running.child.pid}, at http://127.0.0.1:`);
  expect(servicePids.every(isRunning)).toBe(true);
});

test('an end by SIGTERM is in order, does not wait for event streams, and leaves no process', async () => {
  const url = /Ready at (\S+)/.exec(running.output.text)?.[1];
  const login = await logIn(url, 'physician@dermagate.example', 'demo-physician-pass');
  const { access_token: token } = (await login.json()) as { access_token: string };
  const held = fetch(`${url}/api/v1/backoffice/unique-sessions/connect`, {
    headers: { authorization: `Bearer ${token}`, 'last-event-id': '999999999' },
  });
  const isHeld = async () => /^dermagate_streams_held 1$/m.test(await (await fetch(`${url}/metrics`)).text());
  await expect.poll(isHeld).toBe(true);
  running.child.kill('SIGTERM');
  // Held for 25 s it would have ended with an answer.
  await expect(held).rejects.toThrow();
  await once(running.child, 'close');
  expect(running.child.exitCode).toBe(0);
  expect(servicePids.filter(isRunning)).toEqual([]);
});

test('npm run dev restarts the app on change, and waits out a file that does not load', async () => {
  watching = npmStart({}, ['--watch']);
  const { child, output } = watching;
  await until(() => output.text.includes('Try it:') || ended(child));
  const url = /Ready at (\S+)/.exec(output.text)?.[1];
  const health = async () => ((await (await fetch(`${url}/healthy`)).json()) as { status?: unknown }).status;
  const file = join(root, 'src', 'functions', 'health', 'get-healthy.ts');
  const source = readFileSync(file, 'utf8');
  writeFileSync(file, source.replaceAll(/(literal\(|return \{ status: )'healthy'/g, "$1'edited'"));
  await until(() => output.text.includes('get-healthy.ts changed: restarted in'));
  expect(await health()).toBe('edited');
  writeFileSync(file, 'no TypeScript');
  await until(() => output.text.includes('waiting for the next change'));
  writeFileSync(file, source);
  await until(() => output.text.split('changed: restarted in').length === 3);
  expect(await health()).toBe('healthy');
});

test('npm run dev names a migration that was edited and the command that replaces the database, and goes on', async () => {
  const { output } = watching;
  const restore = editBaseline();
  await until(() => /14-create-outbox\.ts changed, but .*waiting/.test(output.text));
  expect(output.text).toMatch(
    /other migrations: 14-create-outbox has changed\. `npm run dev -- --fresh` replaces it/,
  );
  restore();
  await until(() => output.text.includes('14-create-outbox.ts changed: restarted in'));
});

test('the death of a service ends the whole with its name and its log', async () => {
  const { child, output } = watching;
  const { children } = JSON.parse(readFileSync(join(root, '.local', 'running.json'), 'utf8')) as Holder;
  process.kill(children.find(({ name }) => name === 'AI service')?.pid ?? 0, 'SIGKILL');
  await once(child, 'close');
  expect(child.exitCode).toBe(1);
  expect(output.text).toContain('AI service ended by itself (signal SIGKILL)');
  expect(output.text).toContain(join('.local', 'logs', 'ai-service.log'));
  expect(children.map(({ pid }) => pid).filter(isRunning)).toEqual([]);
});

test('a port in use, a port that is none and an unknown option each get a clear refusal', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const refusal = async (env: NodeJS.ProcessEnv, args: string[] = []) => {
    const { child, output } = npmStart(env, args);
    await once(child, 'close');
    expect(child.exitCode).toBe(1);
    return output.text;
  };
  expect(await refusal({ PORT: String(port) })).toContain(`Port ${port} on 127.0.0.1 is in use`);
  expect(await refusal({ PORT: '70000' })).toContain('PORT=70000 is not a port number');
  expect(await refusal({}, ['--sede'])).toContain('--sede');
  server.close();
});

// The app never asks these two, and their start takes longer than its own.
const given = { AI_SERVICE_URL: 'https://ai.example', STORAGE_ACCOUNT_URL: 'https://theirs.blob.example' };

test('a configuration that the app refuses ends the start with every wrong key, before it changes the database', async () => {
  const { child, output } = npmStart({ ...given, BCRYPT_COST: '99', CORS_ORIGINS: '*' });
  await once(child, 'close');
  expect(child.exitCode).toBe(1);
  expect(output.text).toContain('BCRYPT_COST');
  expect(output.text).toContain('CORS_ORIGINS');
  // A password hashed at cost 99 takes years, and demo users made with a pepper that is refused could not log in later.
  expect(output.text).not.toMatch(/Database migrated|Demo users/);
});

test('a database of other migrations is refused without a terminal, and replaced with --fresh', async () => {
  editBaseline();
  const refused = npmStart(given);
  await once(refused.child, 'close');
  expect(refused.child.exitCode).toBe(1);
  expect(refused.output.text).toMatch(
    /The database \S+\/dermagate was made by other migrations: 14-create-outbox has changed\. `npm start -- --fresh` replaces it/,
  );
  const { child, output } = npmStart(given, ['--fresh']);
  await until(() => output.text.includes('Ready at') || ended(child));
  expect(output.text).toMatch(
    /Replacing the database \S+\/dermagate and its demo data …\n {2}Migrating the database \S+ …\n {2}Database migrated: \d/,
  );
  expect(output.text).toContain('3 ready');
  child.kill('SIGTERM');
  await once(child, 'close');
});

test.each([
  ['PGSSLMODE', 'require'],
  ['PGOPTIONS', '-c no_such=1'],
])(
  '%s, set for psql, is named at once where the PostgreSQL of a laptop refuses what it asks for',
  async (name, value) => {
    const { child, output } = npmStart({ ...given, [name]: value });
    await once(child, 'close');
    expect(child.exitCode).toBe(1);
    expect(output.text).toContain(`unset ${name}`);
  },
);

test('`npm run services` migrates the database that local.settings.json names, as npm start does', async () => {
  const file = join(root, 'local.settings.json');
  const DATABASE_URL = 'postgresql://dermagate:x@127.0.0.1:1/dermagate';
  writeFileSync(file, JSON.stringify({ IsEncrypted: false, Values: { DATABASE_URL } }));
  const { child, output } = npmStart(given, [], 'services.ts');
  // With a database it would go on until it is stopped.
  const stopWhenReady = () => output.text.includes('Next:') && child.kill();
  child.stdout.on('data', stopWhenReady);
  await once(child, 'close');
  rmSync(file);
  expect(output.text).toContain('PostgreSQL: as set by DATABASE_URL');
  expect(output.text).toContain('ECONNREFUSED');
  expect(child.exitCode).toBe(1);
});

test('in production the app gets no secrets that `npm run services` has generated', async () => {
  const { SECRET_KEY, PASSWORD_PEPPER, FIELD_ENCRYPTION_KEY } = loadSecrets(join(root, '.local'));
  const secrets = { SECRET_KEY, PASSWORD_PEPPER, FIELD_ENCRYPTION_KEY };
  writeLocalSettings(root, secrets);
  const { child, output } = npmStart({ ...given, AZURE_FUNCTIONS_ENVIRONMENT: 'Production' });
  await once(child, 'close');
  rmSync(join(root, 'local.settings.json'));
  expect(child.exitCode).toBe(1);
  for (const name of Object.keys(secrets)) expect(output.text).toContain(name);
});
