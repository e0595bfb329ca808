// What `npm run generate` writes between markers of README.md and docs/.
import { z } from 'zod';
import { patientStatusOf, places, standingAt } from '../../../src/domain/cases/record/case-status.ts';
import { allowedActions } from '../../../src/domain/cases/record/transitions.ts';
import { endpoints } from '../../../src/endpoints.ts';
import { Environment } from '../../../src/lib/configuration/environment.ts';
import type { Access } from '../../../src/lib/http/endpoint.ts';
import { problems } from '../../../src/contract/problem-list.ts';
import { contradictionTable } from './contradiction-table.ts';

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
  'ELIGIBILITY_SERVICE_KEY',
  'MAIL_URL',
  'FCM_SERVICE_ACCOUNT',
  'VAPID_PRIVATE_KEY',
  'WEBPUBSUB_CONNECTION_STRING',
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
export function docsTables(): Record<string, string> {
  const contradictions = contradictionTable();
  return {
    contradictions: markdownTable(contradictions.head, contradictions.rows),
    configuration: markdownTable(
      ['Key', 'Meaning', 'Default', 'Values', 'Required', 'Secret'],
      Object.entries(Environment.shape).map(([key, schema]) => {
        const unset = schema.safeParse(undefined);
        return [
          `\`${key}\``,
          schema.description ?? '',
          shownDefault(unset.data),
          shownValues(schema),
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
    'case-statuses': markdownTable(
      ['Status', '`patient_status`', 'The patient may'],
      places.map((place) => {
        const { status, pendingStatus } = standingAt(place);
        const record = {
          status,
          pending_status: pendingStatus,
          analysis_state: 'done',
          eligibility_outcome: 'needs_patient',
          queued_at: null,
        };
        const actions = allowedActions(place, 'account').map((action) => `\`${action}\``);
        return [`\`${place}\``, `\`${patientStatusOf(record)}\``, actions.join(', ')];
      }),
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

/** Bounds of a number, or the words of a choice; nothing where the meaning has to say it. */
function shownValues(schema: z.ZodType): string {
  const options = { unrepresentable: 'any' } as const;
  const { minimum, maximum } = z.toJSONSchema(schema, { ...options, io: 'output' });
  if (minimum !== undefined && maximum !== undefined) return `${minimum} to ${maximum}`;
  const { enum: words = [] } = z.toJSONSchema(schema, { ...options, io: 'input' });
  return words.map((word) => `\`${String(word)}\``).join(', ');
}

export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
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
