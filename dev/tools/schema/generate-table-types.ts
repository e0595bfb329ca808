// npm run db:types [-- --check]: writes src/lib/db/tables.ts from the database that DATABASE_URL names.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..', '..');

/** The arguments of kysely-codegen for this project's tables. `check` only compares. */
export function codegenArguments(databaseUrl: string, check: boolean): string[] {
  // int8 is read as a number (see lib/db/connect.ts): ids stay far below 2^53.
  const types = JSON.stringify({ int8: 'number', timestamptz: 'Date' });
  const file = join(root, 'src', 'lib', 'db', 'tables.ts');
  const options = {
    dialect: 'postgres',
    url: databaseUrl,
    'exclude-pattern': '{kysely_*,applied_functions}',
    'type-mapping': types,
  };
  const flags = Object.entries({ ...options, 'out-file': file }).flatMap(([name, value]) => [
    `--${name}`,
    value,
  ]);
  return check ? [...flags, '--verify'] : flags;
}

if (import.meta.main) {
  const databaseUrl = process.env['DATABASE_URL'];
  if (databaseUrl === undefined) {
    console.error('DATABASE_URL is not set. `npm run services` writes one into local.settings.json.');
    process.exit(2);
  }
  const run = spawnSync('kysely-codegen', codegenArguments(databaseUrl, process.argv.includes('--check')), {
    stdio: 'inherit',
  });
  process.exit(run.status ?? 1);
}
