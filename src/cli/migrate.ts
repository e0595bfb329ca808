// npm run db:migrate: brings the database named by DATABASE_URL to the newest migration.
import { join } from 'node:path';
import { migrateToLatest as migrate } from '../lib/db/migrate.ts';

/** @returns the names of the migrations applied now; `databaseUrl` is the owner's. */
export async function migrateToLatest(databaseUrl: string): Promise<{ applied: string[] }> {
  const folder = join(import.meta.dirname, '..', '..', 'migrations');
  return { applied: await migrate(databaseUrl, folder) };
}

if (import.meta.main) {
  const databaseUrl = process.env['DATABASE_URL'];
  if (databaseUrl === undefined || databaseUrl === '') {
    console.error(
      'DATABASE_URL is not set: it names the database to migrate, as the role that owns its tables.',
    );
    process.exit(2);
  }
  const { applied } = await migrateToLatest(databaseUrl);
  for (const name of applied) console.log(`applied ${name}`);
  console.log(applied.length === 0 ? 'The database is up to date.' : `${applied.length} migrations applied.`);
}
