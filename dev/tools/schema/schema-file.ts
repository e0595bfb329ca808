import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readCatalogue } from './read-catalogue.ts';
import { renderSchema } from './render-schema.ts';

const migrations = join(import.meta.dirname, '..', '..', '..', 'migrations');

export const schemaFile = join(migrations, 'schema.sql');

const INTRODUCTION = `-- The whole schema, written from the catalogue of a database with every migration: \`npm run db:schema\`. Do not edit.
-- Not shown: the partitions of the event log for single months and years.
`;

/** What migrations/schema.sql must say below its first line, which names what it was made of. */
export async function readSchema(databaseUrl: string): Promise<string> {
  const files = globSync('functions/*.sql', { cwd: migrations });
  const purposes = new Map(
    files.map((file) => [
      basename(file, '.sql'),
      firstParagraph(readFileSync(join(migrations, file), 'utf8')),
    ]),
  );
  return `${INTRODUCTION}\n${renderSchema(await readCatalogue(databaseUrl), purposes)}`;
}

/** Of the comment that a file begins with, on one line. */
function firstParagraph(text: string): string {
  const lines = text.split(/\r?\n/);
  const end = lines.findIndex((line) => !/^-- \S/.test(line));
  return lines
    .slice(0, end)
    .map((line) => line.slice('-- '.length))
    .join(' ');
}
