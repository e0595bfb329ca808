import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Kysely, PostgresDialect } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import pg from 'pg';
import { serverAddress } from './server-address.ts';

/**
 * Brings the database to the newest migration, under an advisory lock: two deployments at once wait for each
 * other. All pending migrations run in one transaction.
 *
 * @param databaseUrl of the role that owns the tables, not of the application role; without a password it signs in by
 *   Entra token, of `az login` or the pipeline's identity.
 * @param folder absolute path of the migrations.
 * @returns the names of the migrations that were applied now.
 * @throws the error of the migration that failed; nothing is applied then.
 */
export async function migrateToLatest(databaseUrl: string, folder: string): Promise<string[]> {
  const pool = new pg.Pool({ ...serverAddress(databaseUrl), max: 1, connectionTimeoutMillis: 10_000 });
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  try {
    const migrator = new Migrator({ db, provider: { getMigrations: () => readMigrations(folder) } });
    const { error, results } = await migrator.migrateToLatest();
    if (error !== undefined) throw error;
    return (results ?? []).map((result) => result.migrationName);
  } finally {
    await db.destroy();
  }
}

async function readMigrations(folder: string): Promise<Record<string, Migration>> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.ts')).toSorted();
  const migrations = files.map(async (file): Promise<[string, Migration]> => [
    file.replace(/\.ts$/, ''),
    (await import(pathToFileURL(join(folder, file)).href)) as Migration,
  ]);
  return Object.fromEntries(await Promise.all(migrations));
}
