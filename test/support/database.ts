import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { query } from '../../dev/services/postgres.ts';
import { afterwards } from './cleanup.ts';

export type TestDatabase = {
  /** Of the role that owns the tables; the app drops to its own role by itself. */
  url: string;
  /** Connections as the owner, to look at what the app wrote. */
  db: pg.Pool;
};

/**
 * A database of its own with every migration applied and the default tenant, gone when the calling file (or test) ends. Call it at the
 * top level of a test file: `const { url, db } = await testDatabase()`.
 */
export async function testDatabase(): Promise<TestDatabase> {
  const { created, ...database } = startTestDatabase();
  await created;
  return database;
}

/** The same, for callers that have work to do until it is `created`. */
export function startTestDatabase(): TestDatabase & { created: Promise<void> } {
  const { superuserUrl, template, owner } = inject('services');
  const name = `test_${randomBytes(6).toString('hex')}`;
  const created = create();
  const url = Object.assign(new URL(superuserUrl), {
    username: owner.role,
    password: owner.password,
    pathname: name,
  }).href;
  const db = new pg.Pool({ connectionString: url, max: 3, allowExitOnIdle: true });
  // Dropping the database ends connections that are still open; that is meant.
  db.on('error', () => undefined);
  afterwards(async () => {
    await created.catch(() => undefined);
    await db.end();
    await query(superuserUrl, `DROP DATABASE ${name} WITH (FORCE)`);
  });
  return { url, db, created };

  async function create(): Promise<void> {
    await query(
      superuserUrl,
      `CREATE DATABASE ${name} TEMPLATE ${template} OWNER ${owner.role} STRATEGY FILE_COPY`,
    );
    // PostgreSQL copies what the migrations granted within the template, not what they revoked of the database itself.
    await query(superuserUrl, `REVOKE TEMPORARY ON DATABASE ${name} FROM PUBLIC`);
  }
}
