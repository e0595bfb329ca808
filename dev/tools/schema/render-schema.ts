import type { Catalogue, Column, Grant, Policy, Table } from './read-catalogue.ts';

const WIDTH = 110;

/**
 * The schema as SQL that a person reads: run on an empty database, it makes the same tables.
 * @param purposes first comment of the file of each function.
 */
export function renderSchema(catalogue: Catalogue, purposes: ReadonlyMap<string, string>): string {
  const { tables, sequences, functions, notes } = catalogue;
  const roots = tables.filter(({ parent }) => parent === null);
  const sections = [
    ['-- Roles belong to the server:', ...notes.map((note) => `--   ${note}`)].join('\n'),
    ...roots.map((table) => renderTable(table, catalogue)),
    [
      heading('functions'),
      "-- Definitions: functions/<name>.sql. Without a note a function has its caller's rights.",
      ...functions.map((each) => renderFunction(each, purposes.get(each.name) ?? '')),
    ].join('\n\n'),
  ];
  for (const { name } of sequences) {
    if (!sections.some((text) => text.includes(`CREATE SEQUENCE ${name} `)))
      throw new Error(`The sequence ${name} belongs to no table.`);
  }
  return `${sections.join('\n\n')}\n`;
}

const heading = (title: string) => `-- ${title} `.padEnd(WIDTH, '-');

function renderTable(table: Table, { tables, sequences }: Catalogue): string {
  const { name, columns, constraints } = table;
  const own = sequences.filter(({ owned_by }) => owned_by.startsWith(`${name}.`));
  const width = (read: (column: Column) => string) =>
    Math.max(...columns.map((column) => read(column).length));
  const widths = { name: width((column) => column.name), type: width((column) => readable(column.type)) };
  const lines = [
    ...columns.map((column) => renderColumn(column, widths)),
    ...constraints
      .filter(({ awaits }) => awaits === null)
      .map(({ name: key, definition }) => wrapClauses(`  CONSTRAINT ${key} ${readable(definition)}`)),
  ];
  const partitionBy = table.partition_by === null ? '' : ` PARTITION BY ${table.partition_by}`;
  return [
    heading(name),
    ...own.map((sequence) => `CREATE SEQUENCE ${sequence.name} AS ${sequence.type};`),
    `CREATE TABLE ${name} (\n${lines.join(',\n')}\n)${partitionBy};`,
    ...own.map((sequence) => `ALTER SEQUENCE ${sequence.name} OWNED BY ${sequence.owned_by};`),
    ...table.indexes.map((index) => `${wrapClauses(readable(shortIndex(index)))};`),
    ...renderPartitions(name, tables),
    ...renderAwaiting(name, tables),
    ...renderRights(table),
    ...own.flatMap((sequence) => renderGrants(`SEQUENCE ${sequence.name}`, sequence.grants)),
  ].join('\n');
}

function renderColumn(column: Column, widths: { name: number; type: number }): string {
  const parts = [
    column.name.padEnd(widths.name),
    readable(column.type).padEnd(widths.type),
    column.collation === null ? '' : `COLLATE ${column.collation}`,
    column.required ? 'NOT NULL' : '',
    column.default === null ? '' : `DEFAULT ${readable(column.default)}`,
    column.identity === null ? '' : `GENERATED ${column.identity} AS IDENTITY`,
  ];
  return `  ${parts.filter((part) => part !== '').join(' ')}`.trimEnd();
}

/** Foreign keys of older tables to this one. */
function renderAwaiting(name: string, tables: readonly Table[]): string[] {
  return tables.flatMap(({ name: older, constraints }) =>
    constraints
      .filter(({ awaits }) => awaits === name)
      .map(({ name: key, definition }) =>
        wrapClauses(`ALTER TABLE ${older} ADD CONSTRAINT ${key} ${readable(definition)};`),
      ),
  );
}

/** Partitions have the columns, constraints and indexes of their parent. */
function renderPartitions(parent: string, tables: readonly Table[]): string[] {
  return tables
    .filter((table) => table.parent === parent)
    .flatMap(({ name, bound, partition_by: key }) => [
      `CREATE TABLE ${name} PARTITION OF ${parent} ${bound}${key === null ? '' : ` PARTITION BY ${key}`};`,
      ...renderPartitions(name, tables),
    ]);
}

function renderRights({ name, isolated, forced, policies, grants }: Table): string[] {
  const security = [
    ...(isolated ? ['ENABLE ROW LEVEL SECURITY'] : []),
    ...(forced ? ['FORCE ROW LEVEL SECURITY'] : []),
  ];
  return [
    ...(security.length === 0 ? [] : [`ALTER TABLE ${name} ${security.join(', ')};`]),
    ...policies.map((policy) => renderPolicy(name, policy)),
    ...renderGrants(name, grants),
  ];
}

const commands: Readonly<Record<string, string>> = {
  r: ' FOR SELECT',
  a: ' FOR INSERT',
  w: ' FOR UPDATE',
  d: ' FOR DELETE',
  '*': '',
};

function renderPolicy(table: string, { name, command, roles, shown, stored }: Policy): string {
  const to = roles.join() === 'PUBLIC' ? '' : ` TO ${roles.join(', ')}`;
  const using = shown === null ? '' : `\n  USING (${readable(shown)})`;
  const check = stored === null ? '' : `\n  WITH CHECK (${readable(stored)})`;
  return `CREATE POLICY ${name} ON ${table}${commands[command] ?? ''}${to}${using}${check};`;
}

function renderGrants(name: string, grants: readonly Grant[]): string[] {
  return grants.map(
    ({ role, privileges }) => `GRANT ${privileges} ON ${name} TO ${role === '-' ? 'PUBLIC' : role};`,
  );
}

function renderFunction(
  { signature, result, owner, definer }: Catalogue['functions'][number],
  purpose: string,
): string {
  const asOwner = owner === 'dermagate_lookup' ? owner : 'the owner of the tables';
  const rights = definer ? [`--   Runs as ${asOwner}.`] : [];
  return [...comment(readable(`${signature} RETURNS ${result}`)), ...comment(purpose, '  '), ...rights].join(
    '\n',
  );
}

/** Text as comment lines; what does not fit is indented. */
function comment(text: string, indent = ''): string[] {
  return wrap(`${indent}${text}`, ' ')
    .split('\n')
    .map((line, at) => `-- ${at === 0 ? line : `${indent}${line.trimStart()}`}`);
}

/** Without the casts and arrays that PostgreSQL writes into what was simply text and `IN (…)`. */
function readable(expression: string): string {
  return expression
    .replaceAll(/('(?:[^']|'')*')::(?:text|regclass)\b(?!\[)/g, '$1')
    .replaceAll(/= ANY \(ARRAY\[([^\]]*)\]\)/g, 'IN ($1)')
    .replaceAll('timestamp with time zone', 'timestamptz')
    .replaceAll('character varying', 'varchar');
}

/** `USING btree` is the default, and an index of a partitioned table is made for its partitions as well. */
const shortIndex = (statement: string) =>
  statement.replace(' USING btree ', ' ').replace(' ON ONLY ', ' ON ');

/** Breaks a statement that is too long before its last clause first. */
function wrapClauses(line: string): string {
  if (line.length <= WIDTH) return line;
  const lines = line.split(/ (?=REFERENCES |WHERE )/).map((part, at) => (at === 0 ? part : `    ${part}`));
  return lines.map((part) => wrap(part)).join('\n');
}

/** Breaks a line at the last `separator` that fits, again and again. */
function wrap(line: string, separator = ', '): string {
  const indent = '    ';
  const words = line.split(separator);
  const lines = [''];
  for (const [at, word] of words.entries()) {
    const piece = at === words.length - 1 ? word : `${word}${separator}`;
    const last = lines.at(-1) ?? '';
    if (last !== '' && (last + piece).trimEnd().length > WIDTH) lines.push(`${indent}${piece}`);
    else lines[lines.length - 1] = last + piece;
  }
  return lines.map((each) => each.trimEnd()).join('\n');
}
