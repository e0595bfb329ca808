// npm run readme [-- --check]: fills the generated tables of README.md and docs/, or reports the stale ones.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { endpoints } from '../endpoints.ts';
import { Environment } from '../lib/environment.ts';
import type { Access } from '../lib/http/endpoint.ts';
import { problems } from '../contract/problem.ts';

type Key = keyof typeof Environment.shape;

/** Keys whose value opens something: they belong into a key vault, and into no log and no repository. */
const secrets: readonly Key[] = [
  'DATABASE_URL',
  'STORAGE_CONNECTION_STRING',
  'SECRET_KEY',
  'SECRET_KEY_PREVIOUS',
  'PASSWORD_PEPPER',
  'FIELD_ENCRYPTION_KEY',
  'FIELD_ENCRYPTION_KEY_PREVIOUS',
  'AI_SERVICE_KEY',
  'MAIL_URL',
  'APPLICATIONINSIGHTS_CONNECTION_STRING',
];

const callers: Record<Access, string> = {
  public: 'anyone',
  optional: 'anyone; a token that is sent must be valid',
  any: 'any user',
  'any-unless-public-ai': 'any user; anyone with `PUBLIC_AI_ROUTES`',
  'physician-level': 'physicians, admins',
  'admin-level': 'admins',
};

/** The tables by the name in their marker, as Markdown. */
export function readmeTables(): Record<string, string> {
  return {
    configuration: markdownTable(
      ['Key', 'Meaning', 'Default', 'Required', 'Secret'],
      Object.entries(Environment.shape).map(([key, schema]) => {
        const unset = schema.safeParse(undefined);
        return [
          `\`${key}\``,
          schema.description ?? '',
          shownDefault(unset.data),
          unset.success ? '' : 'yes',
          secrets.includes(key as Key) ? 'yes' : '',
        ];
      }),
    ),
    problems: markdownTable(
      ['Code', 'Status', 'Meaning'],
      Object.entries(problems)
        .toSorted(([, a], [, b]) => a.status - b.status)
        .map(([code, { status, title }]) => [`\`${code}\``, String(status), title]),
    ),
    routes: markdownTable(
      ['Route', 'Who may call', 'What it does', 'Function'],
      endpoints.map(({ method, route, auth, summary, name }) => [
        `\`${method} /${route}\``,
        callers[auth],
        summary,
        `\`${name}\``,
      ]),
    ),
  };
}

/** As it would be written into the environment. */
function shownDefault(value: string | number | boolean | readonly string[] | undefined): string {
  const text = String(value ?? '');
  return text === '' ? '' : `\`${text}\``;
}

function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ').trim();
}

const MARKED = /<!-- generated:([\w-]+) -->\n[\s\S]*?<!-- \/generated -->/g;

/**
 * Puts each table between its markers, `<!-- generated:name -->` and `<!-- /generated -->`, in one of the documents.
 *
 * @param documents texts by path
 * @throws when a marker names no table, or a table does not have exactly one place
 */
export function fillTables(
  documents: Readonly<Record<string, string>>,
  tables: Readonly<Record<string, string>>,
): Record<string, string> {
  const places = Object.values(documents).flatMap((text) =>
    [...text.matchAll(MARKED)].map(([, name = '']) => name),
  );
  for (const name of Object.keys(tables)) {
    const count = places.filter((place) => place === name).length;
    if (count !== 1)
      throw new Error(`The marker <!-- generated:${name} --> occurs ${count} times instead of once.`);
  }
  const fill = (text: string) =>
    text.replaceAll(MARKED, (_, name: string) => {
      if (!Object.hasOwn(tables, name)) throw new Error(`No table is called ${name}.`);
      return `<!-- generated:${name} -->\n\n${tables[name]}\n\n<!-- /generated -->`;
    });
  return Object.fromEntries(Object.entries(documents).map(([path, text]) => [path, fill(text)]));
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..', '..');
  const paths = ['README.md', ...globSync('docs/*.md', { cwd: root }).toSorted()];
  const current = Object.fromEntries(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
  const fresh = fillTables(current, readmeTables());
  const stale = paths.filter((path) => current[path] !== fresh[path]);
  if (stale.length === 0) console.log('The generated tables are up to date.');
  else if (process.argv.includes('--check')) {
    console.error(`The generated tables of ${stale.join(', ')} are stale: run \`npm run readme\`.`);
    process.exit(1);
  } else {
    for (const path of stale) writeFileSync(join(root, path), fresh[path] ?? '');
    console.log(`Tables written: ${stale.join(', ')}`);
  }
}
