import { spawnSync } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { type Column, readCatalogue, type Table } from './read-catalogue.ts';

const root = join(import.meta.dirname, '..', '..', '..');

/**
 * The values that `CHECK (column IN (…))` allows a text column; undefined for a column without one.
 * @throws an error where a constraint of this kind has values that it cannot read.
 */
export function allowedValues({ constraints }: Table, { name, type }: Column): string[] | undefined {
  if (type !== 'text') return undefined;
  const found = constraints.flatMap(({ definition }) => {
    const [, column, list] = /^CHECK \((\w+) = ANY \(ARRAY\[(.*)\]\)\)$/.exec(definition) ?? [];
    return column === name && list !== undefined ? [list] : [];
  });
  if (found.length > 1) throw new Error(`The column ${name} has ${found.length} lists of values.`);
  return found[0]?.split(', ').map((value) => {
    const [, text] = /^'([a-z0-9_/]+)'::text$/i.exec(value) ?? [];
    if (text === undefined) throw new Error(`The column ${name} allows ${value}, which is no plain text.`);
    return text;
  });
}

/** Types of columns as kysely-codegen takes them, by `table.column`. */
async function unions(databaseUrl: string): Promise<Record<string, string>> {
  const { tables } = await readCatalogue(databaseUrl);
  const entries = tables.flatMap((table) =>
    table.columns.flatMap((column) => {
      const values = allowedValues(table, column);
      if (values === undefined) return [];
      const union = [...values.map((value) => `'${value}'`), ...(column.required ? [] : ['null'])].join(
        ' | ',
      );
      return [[`${table.name}.${column.name}`, column.default === null ? union : `Generated<${union}>`]];
    }),
  );
  return Object.fromEntries(entries) as Record<string, string>;
}

/**
 * Writes src/lib/db/tables.ts, the types of the tables of that database; with `check` it only compares. A column whose `CHECK` lists
 * its values is a union of them.
 * @throws what kysely-codegen printed, when it failed or found a difference.
 */
export async function generateTableTypes(databaseUrl: string, check = false): Promise<void> {
  const options = {
    dialect: 'postgres',
    url: databaseUrl,
    // The app sees neither the migrations' bookkeeping nor the partitions of single periods.
    'exclude-pattern': '{kysely_*,applied_*}',
    // As lib/db/connect.ts reads them: int8 as a number, a date as text.
    'type-mapping': JSON.stringify({ int8: 'number', timestamptz: 'Date', date: 'string' }),
    overrides: JSON.stringify({ columns: await unions(databaseUrl) }),
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
