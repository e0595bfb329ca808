// npm run readme [-- --check]: fills the README's generated tables, or says whether they are up to date.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { endpoints } from '../endpoints.ts';
import { Environment } from '../lib/config.ts';
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
 * Puts each table between its markers, `<!-- generated:name -->` and `<!-- /generated -->`.
 * @throws when a marker names no table, or a table has not exactly one place.
 */
export function fillTables(readme: string, tables: Readonly<Record<string, string>>): string {
  const places = [...readme.matchAll(MARKED)].map(([, name = '']) => name);
  for (const name of Object.keys(tables)) {
    const count = places.filter((place) => place === name).length;
    if (count !== 1)
      throw new Error(`The marker <!-- generated:${name} --> is there ${count} times, not once.`);
  }
  return readme.replaceAll(MARKED, (_, name: string) => {
    if (!Object.hasOwn(tables, name)) throw new Error(`No table is called ${name}.`);
    return `<!-- generated:${name} -->\n\n${tables[name]}\n\n<!-- /generated -->`;
  });
}

if (import.meta.main) {
  const file = join(import.meta.dirname, '..', '..', 'README.md');
  const current = await readFile(file, 'utf8');
  const fresh = fillTables(current, readmeTables());
  if (!process.argv.includes('--check')) {
    await writeFile(file, fresh);
    console.log(current === fresh ? 'README.md was up to date.' : 'README.md: tables written.');
  } else if (current === fresh) console.log('The tables of README.md are up to date.');
  else {
    console.error('The tables of README.md are not what the sources say: run `npm run readme`.');
    process.exit(1);
  }
}
