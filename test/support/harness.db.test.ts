import { expect, test } from 'vitest';
import { testDatabase } from './database.ts';

const { db } = await testDatabase();
let gone: string | undefined;

test('a test file owns a migrated database that no other file writes to', async () => {
  const other = await testDatabase();
  gone = new URL(other.url).pathname.slice(1);
  await db.query('CREATE TABLE only_here (id int)');
  await expect(other.db.query('SELECT FROM only_here')).rejects.toMatchObject({ code: '42P01' });
  const { rows } = await db.query(
    'SELECT current_user AS role, rolsuper FROM pg_roles WHERE rolname = current_user',
  );
  expect(rows).toEqual([{ role: 'dermagate', rolsuper: false }]);
});

test('a database goes with the test that made it', async () => {
  const { rows } = await db.query('SELECT FROM pg_database WHERE datname = $1', [gone]);
  expect(gone).toMatch(/^test_/);
  expect(rows).toEqual([]);
});
