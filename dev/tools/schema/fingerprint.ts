import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';

const root = join(import.meta.dirname, '..', '..', '..');

/** What the schema is made of, and the generated files themselves: none of them is edited without notice. */
const INPUTS = [
  'migrations/*.ts',
  'migrations/rights/*.ts',
  'migrations/functions/*.sql',
  'dev/tools/schema/!(*.test).ts',
  'src/lib/db/tables.ts',
];

/**
 * SHA-256, hexadecimal, over names and texts of the inputs and of `schema`, the text below the first line of
 * migrations/schema.sql: equal while none of them has changed since they were generated.
 */
export function fingerprint(schema: string, folder = root): string {
  const hash = createHash('sha256');
  const files = INPUTS.flatMap((pattern) => globSync(pattern, { cwd: folder })).map((file) =>
    file.replaceAll(sep, '/'),
  );
  for (const file of files.toSorted()) hash.update(`${file}\0${read(join(folder, file))}\0`);
  return hash.update(schema.replaceAll('\r\n', '\n')).digest('hex');
}

/** A checkout on Windows may have other line ends. */
const read = (file: string) => readFileSync(file, 'utf8').replaceAll('\r\n', '\n');
