import { describe, expect, test } from 'vitest';
import { createTenant, me, openTransaction, register, tenantRows } from './accounts.ts';
import { testApp } from './app.ts';
import { testDatabase } from './database.ts';
import { skinPhoto } from './images.ts';
import { emptying } from './shared-apps.ts';
import { blobNames, storePhoto } from './stored-images.ts';
import { waitingCase } from './waiting-case.ts';

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

describe('an app that one file gives back and the next one borrows', async () => {
  const app = await testApp({ alone: true });
  const empty = await emptying(app);
  const parameters = async () =>
    (await app.db.query<{ row: string }>('SELECT p::text AS row FROM application_parameters p ORDER BY 1'))
      .rows;
  const usersOf = async (tenantId: number) => await tenantRows(app, 'SELECT id FROM users', [], tenantId);

  test('is empty in all tenants, and as it was', async () => {
    const before = await parameters();
    expect(before.length).toBeGreaterThan(10);
    const other = await createTenant(app, 'other');
    const user = await register(app);
    await register(app, { tenant: 'other' });
    await storePhoto(app, user.access_token, await skinPhoto({ width: 640, height: 480, format: 'jpeg' }));
    await waitingCase(app, user.access_token);
    await app.db.query('DELETE FROM application_parameters');
    expect([(await usersOf(1)).length, (await usersOf(other)).length]).toEqual([1, 1]);

    expect(await empty()).toBe(true);
    expect([await usersOf(1), await usersOf(other)]).toEqual([[], []]);
    expect((await app.db.query('SELECT id FROM tenants')).rows).toEqual([{ id: 1 }]);
    expect(await tenantRows(app, 'SELECT uuid FROM event_logs')).toEqual([]);
    expect(await parameters()).toEqual(before);
    expect(await blobNames(app)).toEqual([]);
    expect(app.output).toEqual([]);
    expect((await me(app, user.access_token)).status).toBe(401);
    expect((await me(app, (await register(app)).access_token)).status).toBe(200);
    expect(await empty()).toBe(true);
  });

  test('is not borrowed when a request is still at work in it', async () => {
    const { run, rollback } = await openTransaction(app);
    await register(app);
    await run('SELECT FROM users FOR UPDATE');
    expect(await empty()).toBe(false);
    await rollback();
    expect(await empty()).toBe(true);
  });

  test('is not borrowed after a change of the first tenant, of what the migrations wrote, or of the schema', async () => {
    const change = async (text: string) => void (await app.db.query(text));
    await change(`UPDATE tenants SET name = 'Another' WHERE id = 1`);
    expect(await empty()).toBe(false);
    await change(`UPDATE tenants SET name = 'Default' WHERE id = 1`);
    expect(await empty()).toBe(true);
    await change(`UPDATE disease_catalog SET active = NOT active WHERE slug = 'psoriasis'`);
    expect(await empty()).toBe(false);
    await change(`UPDATE disease_catalog SET active = NOT active WHERE slug = 'psoriasis'`);
    expect(await empty()).toBe(true);
    await change('CREATE TABLE only_here (id int)');
    expect(await empty()).toBe(false);
    await change('DROP TABLE only_here');
    expect(await empty()).toBe(true);
    await app.stop();
    expect(await empty()).toBe(false);
  });
});
