// npm run db:migrate: brings the database named by DATABASE_URL to the newest migration and its functions to their
// current text.
import { join } from 'node:path';
import { type Migrated, migrateToLatest as migrate } from '../lib/db/migrate.ts';
import { errorCode } from '../lib/log.ts';

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

if (import.meta.main) {
  const databaseUrl = process.env['DATABASE_URL'];
  if (databaseUrl === undefined || databaseUrl === '') {
    console.error(
      'DATABASE_URL is not set: it names the database to migrate, as the role that owns its tables.',
    );
    process.exit(2);
  }
  try {
    const migrated = await migrateToLatest(databaseUrl);
    for (const name of migrated.applied) console.log(`applied ${name}`);
    for (const name of migrated.functions) console.log(`applied function ${name}`);
    for (const name of migrated.withoutFile) {
      console.warn(`function ${name} has no file here: a newer version's, or a migration has to drop it`);
    }
    console.log(outcome(migrated));
  } catch (error) {
    // Several addresses that all refused come as an error without words.
    console.error((error instanceof Error && error.message) || errorCode(error) || error);
    process.exit(1);
  }
}
