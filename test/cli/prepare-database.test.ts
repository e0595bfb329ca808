import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { query, startPostgres } from '../../dev/services/postgres.ts';
import { migrateToLatest } from '../../src/cli/migrate.ts';
import { connectDatabase } from '../../src/lib/db/connect.ts';
import { lockedFolder } from '../../dev/services/support.ts';
import { afterwards } from '../support/cleanup.ts';

const root = join(import.meta.dirname, '..', '..');
/** As Entra has them: a group’s name with a space, an identity’s name with hyphens. */
const ADMINISTRATOR = 'Dermagate operators@example.org';
const IDENTITY = 'id-dermagate-prod-abc123';
const OBJECT_ID = '7d9a4c1e-0b5f-4a57-9a3e-2f6f0c1d8e90';

// A server of its own: roles belong to the whole server, and these must be as fresh as on a first deployment.
const folder = await lockedFolder();
const postgres = await startPostgres(folder, {
  superuserPassword: 'superuser-password',
  logFile: join(folder.path, 'postgres.log'),
  throwAway: true,
});
afterwards(() => postgres.child.stop());
const addressAs = (role: string, database: string, password = '') => {
  const url = Object.assign(new URL(postgres.superuserUrl), { pathname: database, password });
  url.username = encodeURIComponent(role);
  return url.href;
};

/** What Azure provides: the administrator is no superuser; the function makes a role that logs in with a token. */
async function becomeAzure(): Promise<void> {
  await query(
    postgres.superuserUrl,
    `CREATE ROLE "${ADMINISTRATOR}" LOGIN CREATEROLE CREATEDB PASSWORD 'token'`,
  );
  await query(
    postgres.superuserUrl,
    `CREATE FUNCTION pgaadauth_create_principal_with_oid(name text, oid text, kind text, is_admin bool, is_mfa bool)
     RETURNS text LANGUAGE plpgsql SECURITY DEFINER AS $$
     BEGIN
       IF kind <> 'service' OR is_admin OR is_mfa THEN RAISE EXCEPTION 'wrong kind of principal'; END IF;
       EXECUTE format('CREATE ROLE %I LOGIN PASSWORD %L', name, oid);
       RETURN 'Created role for ' || name;
     END $$`,
  );
}

const prepare = (args: string[], environment: Record<string, string> = {}) =>
  run('prepare-database', args, environment);

async function run(command: string, args: string[], environment: Record<string, string>) {
  const child = spawn(process.execPath, [`src/cli/${command}.ts`, ...args], {
    cwd: root,
    env: {
      ...process.env,
      DATABASE_URL: addressAs(ADMINISTRATOR, 'postgres', 'token'),
      ...environment,
    },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number];
  return { code, output };
}

test('a first deployment makes, migrates and grants; a second changes nothing; the app can do its work and no more', async () => {
  await becomeAzure();
  const create = ['create', '--database', 'dermagate'];
  const grant = ['grant', '--role', IDENTITY, '--object-id', OBJECT_ID];
  const migrate = () => migrateToLatest(addressAs(ADMINISTRATOR, 'dermagate', 'token'));

  expect(await prepare(create)).toEqual({ code: 0, output: 'database dermagate created\n' });
  expect((await migrate()).applied.length).toBeGreaterThan(5);
  expect(await prepare(grant)).toMatchObject({
    code: 0,
    output: expect.stringContaining(`role ${IDENTITY} created`),
  });

  expect(await prepare(create)).toEqual({ code: 0, output: 'database dermagate is there\n' });
  expect((await migrate()).applied).toEqual([]);
  expect(await prepare(grant)).toMatchObject({
    code: 0,
    output: expect.stringContaining(`role ${IDENTITY} is there`),
  });

  const url = addressAs(IDENTITY, 'dermagate', OBJECT_ID);
  const { db, pool } = connectDatabase({ url, poolMax: 1, onIdleError: () => undefined });
  try {
    const { rows } = await sql<{ role: string }>`SELECT current_user AS role FROM tenants`.execute(db);
    expect(rows).toEqual([]);
    expect((await sql`SELECT FROM users`.execute(db)).rows).toEqual([]);
    await expect(
      sql`INSERT INTO tenants (uuid, name, slug) VALUES (gen_random_uuid(), 'x', 'x')`.execute(db),
    ).rejects.toThrow('permission denied');
  } finally {
    await pool.end();
  }
  // Without becoming dermagate_app the identity reads nothing.
  await expect(query(url, 'SELECT FROM tenants')).rejects.toThrow('permission denied');
});

test('the first admin is made by the administrator, with the same token', async () => {
  const admin = ['--email', 'admin@example.org', '--tenant', 'clinic', '--tenant-name', 'A clinic'];
  const { code, output } = await run('create-admin', admin, {
    DATABASE_URL: addressAs(ADMINISTRATOR, 'dermagate', 'token'),
    PASSWORD_PEPPER: 'a pepper that is used in this test only',
    BCRYPT_COST: '4',
  });
  expect({ code, output }).toMatchObject({ code: 0, output: expect.stringContaining('in tenant clinic') });
});

test('a server that does not let us in is asked again, and its own words are told in the end', async () => {
  const started = performance.now();
  const { code, output } = await prepare(['create', '--database', 'x'], {
    DATABASE_URL: addressAs(ADMINISTRATOR, 'postgres', 'expired'),
    DERMAGATE_WAIT_MS: '1000',
  });
  expect({ code, output }).toMatchObject({
    code: 1,
    output: expect.stringContaining('password authentication failed'),
  });
  expect(output).toContain('waiting for PostgreSQL');
  expect(performance.now() - started).toBeGreaterThan(1000);
});

test.each([
  [[], 'usage'],
  [['create'], 'usage'],
  [['grant', '--role', 'x', '--object-id', 'no uuid'], 'usage'],
  [['grant', '--role', 'x', '--object-id', 'a'.repeat(36)], 'usage'],
  [['create', '--database', 'x', 'y'], 'usage'],
  [['create', '--database', 'x', '--database', 'y'], `'--database' is given twice`],
  [['create', '--databse', 'x'], 'databse'],
])('%j is refused', async (args, word) => {
  expect(await prepare(args)).toMatchObject({ code: 1, output: expect.stringContaining(word) });
});

test('a role that may not create a database learns who may', async () => {
  const settings = { DATABASE_URL: addressAs(IDENTITY, 'postgres', OBJECT_ID) };
  expect(await prepare(['create', '--database', 'another'], settings)).toEqual({
    code: 1,
    output:
      'permission denied to create database. DATABASE_URL must name the Entra administrator of the server.\n',
  });
});

test('what is no address of a database is refused at once', async () => {
  const settings = { DATABASE_URL: 'server.postgres.database.azure.com', DERMAGATE_WAIT_MS: '0' };
  expect(await prepare(['create', '--database', 'x'], settings)).toEqual({
    code: 1,
    output: 'DATABASE_URL is not an address of the form postgresql://user:password@host:port/database.\n',
  });
});
