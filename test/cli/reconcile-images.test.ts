import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { openBlobs } from '../../src/cli/open-blobs.ts';
import type { AppContext } from '../../src/lib/app/context.ts';
import { connectDatabase } from '../../src/lib/db/connect.ts';
import { runTimer } from '../../src/lib/timers/timer.ts';
import { reconcileImagesTimer } from '../../src/timers/reconcile-images.ts';
import { register } from '../support/accounts.ts';
import { testApp } from '../support/app.ts';
import { cliCommand } from '../support/cli-command.ts';
import { compileCache } from '../support/compile-cache.ts';
import { skinPhoto } from '../support/images.ts';
import { blobNames, storePhoto } from '../support/stored-images.ts';

// Real storage whose blobs are old enough to be rubbish: the clock of the command runs ahead.

const app = await testApp();
const command = cliCommand('reconcile-images');
const tomorrow = `const now = Date.now; const Real = Date;
  globalThis.Date = class extends Real { constructor(...a) { super(...(a.length ? a : [now() + 2 * 60 * 60 * 1000])); } };`;

function reconcile(args: string[], env: Record<string, string | undefined> = {}) {
  const settings = {
    PATH: process.env['PATH'],
    ...compileCache(),
    NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(tomorrow)}`,
    DATABASE_URL: app.databaseUrl,
    STORAGE_CONNECTION_STRING: app.env['STORAGE_CONNECTION_STRING'],
    STORAGE_CONTAINER: app.env['STORAGE_CONTAINER'],
    ...env,
  };
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    execFile(process.execPath, [command(), ...args], { env: settings }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

let stored: string[] = [];
beforeAll(async () => {
  const { access_token: token } = await register(app);
  await storePhoto(app, token, await skinPhoto({ width: 64, height: 48, format: 'jpeg' }));
  stored = await blobNames(app);
  const names = Array.from({ length: 60 }, (_, n) =>
    createHash('sha256').update(`orphan ${n}`).digest('hex').slice(0, 48),
  );
  await Promise.all(names.map((name) => app.blobs.getBlockBlobClient(name).upload('stray', 5)));
});

test('it counts, and removes nothing unless it is told how many', async () => {
  expect(await reconcile([])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^61 blobs, 60 that no row names\. .*--remove-orphans 60\n$/) as string,
  });
  expect(await reconcile(['--remove-orphans', '59'])).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^60 of 61 blobs have no row, .*\nNothing was removed\.\n$/) as string,
  });
  expect((await blobNames(app)).length).toBe(61);
});

test('the timer stops before them, as an alert sees in the log', async () => {
  const { db, pool } = connectDatabase({ url: app.databaseUrl, poolMax: 1, onIdleError: () => undefined });
  const blobs = openBlobs(app.env);
  const clock = { now: () => new Date(Date.now() + 2 * 60 * 60 * 1000) };
  const config = { LOG_LEVEL: 'info' };
  const lines: string[] = [];
  await runTimer(
    reconcileImagesTimer,
    { db, blobs, clock, config } as AppContext,
    (_, line) => void lines.push(line),
  );
  await pool.end();
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    { level: 'error', event: 'image_orphans_too_many', orphans: 60, blobs: 61, allowed: 50 },
    { level: 'error', event: 'timer_failed', error: 'TooManyOrphans', errorCode: 'too_many_orphans' },
  ]);
  expect((await blobNames(app)).length).toBe(61);
});

test('as many as there are go, and what rows name stays', async () => {
  expect(await reconcile(['--remove-orphans', '60'])).toMatchObject({
    code: 0,
    stdout: 'interrupted: 0\norphans: 60\nmissing: 0\nfound: 0\nthumbnails: 0\n',
  });
  expect(await blobNames(app)).toEqual(stored);
});

test.each([
  [['--remove-orphans', 'all'], {}, /^usage/],
  [['--all'], {}, /--all/],
  [[], { DATABASE_URL: '' }, /DATABASE_URL must be set/],
  [[], { STORAGE_CONNECTION_STRING: '' }, /STORAGE_ACCOUNT_URL or STORAGE_CONNECTION_STRING/],
  [[], { DATABASE_URL: 'postgresql://x:secret-17@127.0.0.1:1/none' }, /cannot be reached/],
  [
    [],
    {
      STORAGE_CONNECTION_STRING:
        'DefaultEndpointsProtocol=http;AccountName=a;AccountKey=a2V5;BlobEndpoint=http://127.0.0.1:1/a',
    },
    /^The blob storage that STORAGE_… names cannot be reached, or refuses: (?:REQUEST_SEND_ERROR|ECONNREFUSED|no answer)/,
  ],
  [[], { STORAGE_CONTAINER: 'no-such-container' }, /or refuses: ContainerNotFound$/m],
  [[], { STORAGE_CONNECTION_STRING: 'secret-17' }, /or refuses: .+/],
])('%j %j is refused', async (args, env, message) => {
  const { code, stdout, stderr } = await reconcile(args, env);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(message);
  expect(stderr).not.toMatch(/secret-17|^ +at /m);
});
