// npm run db:migrate: brings the database named by DATABASE_URL to the newest migration and its functions to their
// current text.
import { join } from 'node:path';
import { type Migrated, migrateToLatest as migrate } from '../lib/db/migrate.ts';
import { explainError } from './explain-error.ts';
import { readArguments } from './read-arguments.ts';

export { OtherMigrations } from '../lib/db/applied-migrations.ts';

/** As migrateToLatest of lib/db/migrate.ts, with the migrations of this project; `databaseUrl` is the owner's. */
export async function migrateToLatest(databaseUrl: string): Promise<Migrated> {
  return await migrate(databaseUrl, join(import.meta.dirname, '..', '..', 'migrations'));
}

function outcome({ applied, functions, ahead }: Migrated): string {
  if (ahead.length > 0) {
    return `Nothing to do: a newer version has migrated this database already (${ahead.join(', ')}).`;
  }
  if (applied.length + functions.length === 0) return 'The database is up to date.';
  return `${applied.length} migrations and ${functions.length} functions applied.`;
}

function readDatabaseUrl(): string {
  readArguments('usage: npm run db:migrate', {});
  const databaseUrl = process.env['DATABASE_URL'];
  if (databaseUrl === undefined || databaseUrl === '') {
    throw new Error(
      'DATABASE_URL is not set: it names the database to migrate, as the role that owns its tables.',
    );
  }
  return databaseUrl;
}

if (import.meta.main) {
  try {
    const migrated = await migrateToLatest(readDatabaseUrl());
    for (const name of migrated.applied) console.log(`applied ${name}`);
    for (const name of migrated.functions) console.log(`applied function ${name}`);
    for (const name of migrated.withoutFile) {
      console.warn(`function ${name} has no file here: a newer version's, or a migration has to drop it`);
    }
    console.log(outcome(migrated));
  } catch (error) {
    console.error(explainError(error));
    process.exit(1);
  }
}
