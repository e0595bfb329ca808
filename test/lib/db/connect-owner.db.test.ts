import { sql } from 'kysely';
import { expect, inject, onTestFinished, test } from 'vitest';
import { query } from '../../../dev/services/postgres.ts';
import type { Db } from '../../../src/lib/db/connect.ts';
import { connectOwner } from '../../../src/lib/db/connect-owner.ts';
import { testDatabase } from '../../support/database.ts';

// PostgreSQL ends connections: at a restart, by order of an administrator, with a database that is dropped. Without a listener
// for their errors the process ends; Vitest fails a run with such an error.

const { url } = await testDatabase();
const { superuserUrl } = inject('services');

function owner() {
  const db = connectOwner(url);
  onTestFinished(() => db.destroy());
  return db;
}

const backendOf = async (db: Db): Promise<number> => {
  const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(db);
  return rows[0]?.pid ?? 0;
};

const endBackend = async (pid: number) => {
  const ended = await query(superuserUrl, 'SELECT pg_terminate_backend($1, 10000) AS ok', [pid]);
  expect(ended).toEqual([{ ok: true }]);
};

test('keeps the role of the URL', async () => {
  const { rows } = await sql<{ same: boolean }>`SELECT current_user = session_user AS same`.execute(owner());
  expect(rows).toEqual([{ same: true }]);
});

test('a connection that ends between two statements is replaced', async () => {
  const db = owner();
  const before = await backendOf(db);
  await endBackend(before);
  await expect.poll(() => backendOf(db).catch(() => before)).not.toBe(before);
});

test('a connection that ends during a statement rejects it; the next one gets another', async () => {
  const db = owner();
  const before = await backendOf(db);
  const asleep = sql`SELECT pg_sleep(60)`.execute(db);
  asleep.catch(() => undefined);
  await endBackend(before);
  await expect(asleep).rejects.toMatchObject({ code: '57P01' });
  expect(await backendOf(db)).not.toBe(before);
});

test('a connection may end while the pool ends', async () => {
  for (let round = 0; round < 20; round += 1) {
    const db = connectOwner(url);
    const pid = await backendOf(db);
    await Promise.all([db.destroy(), query(superuserUrl, 'SELECT pg_terminate_backend($1)', [pid])]);
  }
});
