import { chmodSync, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { expect, test } from 'vitest';
import type { LockedFolder } from './folder-lock.ts';
import { ensureDatabase, query, startPostgres } from './postgres.ts';
import { afterwards } from '../../test/support/cleanup.ts';
import { tempFolder } from '../../test/support/temp-folder.ts';
import { lockedFolder, isRunning } from './support.ts';

const OWNER = { role: 'dermagate', password: "it's a pass/word?", database: 'dermagate' };

/** Locked until the file ends: tests that need no new cluster start this one, which is made once. */
const cluster = await lockedFolder();

async function start(folder: LockedFolder, options: { superuserPassword?: string; port?: number } = {}) {
  const postgres = await startPostgres(folder, {
    superuserPassword: 'superuser-password',
    logFile: join(folder.path, 'postgres.log'),
    throwAway: true,
    ...options,
  });
  afterwards(() => postgres.child.stop());
  return postgres;
}

test('the database belongs to a role that is no superuser, in UTF-8 and UTC, behind a password', async () => {
  const postgres = await start(cluster);
  const url = await ensureDatabase(postgres, OWNER);
  const [facts] = await query(
    url,
    `SELECT current_user AS role, rolsuper, rolcreaterole, rolcreatedb, current_setting('timezone') AS timezone,
            pg_encoding_to_char(encoding) AS encoding, datdba = pg_roles.oid AS owned
       FROM pg_roles, pg_database WHERE rolname = current_user AND datname = current_database()`,
  );
  expect(facts).toEqual({
    role: 'dermagate',
    rolsuper: false,
    rolcreaterole: true,
    rolcreatedb: true,
    timezone: 'UTC',
    encoding: 'UTF8',
    owned: true,
  });
  const intruder = new pg.Client({ connectionString: url.replace(/:[^:@]+@/, ':guess@') });
  await expect(intruder.connect()).rejects.toMatchObject({ code: '28P01' });
});

test('a restart finds its rows, and its port when that is still free', async () => {
  const first = await start(cluster);
  const url = await ensureDatabase(first, OWNER);
  await query(url, 'CREATE TABLE kept AS SELECT 42 AS answer');
  await first.child.stop();
  const second = await start(cluster, { port: first.port });
  expect(second.port).toBe(first.port);
  expect(await query(await ensureDatabase(second, OWNER), 'SELECT answer FROM kept')).toEqual([
    { answer: 42 },
  ]);
});

test('a stopped server leaves no process and no lock behind', async () => {
  const { child } = await start(cluster);
  await child.stop();
  expect(isRunning(child.pid)).toBe(false);
  expect(existsSync(join(cluster.path, 'postgres', 'data', 'postmaster.pid'))).toBe(false);
});

test('it starts in a folder that no other user may enter', async () => {
  const closed = tempFolder();
  chmodSync(closed, 0o700);
  const path = join(closed, 'project', '.local');
  mkdirSync(path, { recursive: true });
  const { superuserUrl } = await start(await lockedFolder(path));
  expect(await query(superuserUrl, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  expect(statSync(closed).mode & 0o777).toBe(0o700);
});

test('what a server that was killed leaves in its data folder does not keep it from starting', async () => {
  const { child } = await start(cluster);
  process.kill(child.pid, 'SIGKILL');
  await child.ended;
  const pidFile = join(cluster.path, 'postgres', 'data', 'postmaster.pid');
  expect(existsSync(pidFile)).toBe(true);
  // As after a reboot, when another process has the number by now.
  writeFileSync(pidFile, `${process.pid}\n`);
  await start(cluster);
});

test('an interrupted initdb is begun anew', async () => {
  const folder = await lockedFolder();
  mkdirSync(join(folder.path, 'postgres', 'data.unfinished'), { recursive: true });
  writeFileSync(join(folder.path, 'postgres', 'data.unfinished', 'PG_VERSION'), '18\n');
  await start(folder);
});

test('data that was made with other secrets is refused with what to do about it', async () => {
  await (await start(cluster)).child.stop();
  await expect(start(cluster, { superuserPassword: 'another' })).rejects.toThrow(
    /was made with other secrets/,
  );
});

test('data of another major version is left alone and named', async () => {
  const folder = await lockedFolder();
  const data = join(folder.path, 'postgres', 'data');
  mkdirSync(data, { recursive: true });
  writeFileSync(join(data, 'PG_VERSION'), '12\n');
  await expect(start(folder)).rejects.toThrow(`${data} was made by PostgreSQL 12; installed is 18`);
});
