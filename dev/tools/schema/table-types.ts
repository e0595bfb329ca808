import { spawnSync } from 'node:child_process';
import { delimiter, join } from 'node:path';

const root = join(import.meta.dirname, '..', '..', '..');

/**
 * Writes src/lib/db/tables.ts, the types of the tables of that database; with `check` it only compares.
 * @throws what kysely-codegen printed, when it failed or found a difference.
 */
export function generateTableTypes(databaseUrl: string, check = false): void {
  const options = {
    dialect: 'postgres',
    url: databaseUrl,
    // The app sees neither the migrations' bookkeeping nor the partitions of single periods.
    'exclude-pattern': '{kysely_*,applied_functions}',
    // As lib/db/connect.ts reads them: int8 as a number, a date as text.
    'type-mapping': JSON.stringify({ int8: 'number', timestamptz: 'Date', date: 'string' }),
    'out-file': join(root, 'src', 'lib', 'db', 'tables.ts'),
  };
  const flags = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  const path = [join(root, 'node_modules', '.bin'), process.env['PATH']].join(delimiter);
  const run = spawnSync('kysely-codegen', check ? [...flags, '--verify'] : flags, {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, PATH: path },
    shell: process.platform === 'win32',
  });
  const output = `${run.stdout}${run.stderr}`;
  if (run.status !== 0 || /not up-to-date/i.test(output)) throw new Error(output);
}
