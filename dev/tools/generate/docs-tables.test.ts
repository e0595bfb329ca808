import { describe, expect, test } from 'vitest';
import { fillTables, docsTables } from './docs-tables.ts';
import { endpoints } from '../../../src/endpoints.ts';
import { Environment } from '../../../src/lib/configuration/environment.ts';
import { problems } from '../../../src/contract/problem-list.ts';

const tables = docsTables();
/** Cells of the row that begins with `first`. */
const row = (table: string, first: string) =>
  (tables[table] ?? '')
    .split('\n')
    .find((line) => line.startsWith(`| ${first} |`))
    ?.split('|')
    .slice(1, -1)
    .map((text) => text.trim());

describe('the tables', () => {
  test('have a row for every key, problem and route', () => {
    const rows = (table: string) => (tables[table] ?? '').split('\n').length - 2;
    expect(rows('configuration')).toBe(Object.keys(Environment.shape).length);
    expect(rows('problems')).toBe(Object.keys(problems).length);
    expect(rows('routes')).toBe(endpoints.length);
  });

  test('say what each key means, and no key is left unexplained', () => {
    for (const key of Object.keys(Environment.shape)) {
      expect(row('configuration', `\`${key}\``)?.[1], key).toMatch(/\w{3}/);
    }
  });

  test('give defaults as they would be written into the environment', () => {
    expect(row('configuration', '`PG_POOL_MAX`')?.slice(2)).toEqual(['`10`', '1 to 50', '', '']);
    expect(row('configuration', '`SELF_REGISTRATION_ROLES`')?.slice(2)).toEqual(['`patient`', '', '', '']);
    expect(row('configuration', '`PUBLIC_AI_ROUTES`')?.slice(2)).toEqual([
      '`false`',
      '`true`, `false`',
      '',
      '',
    ]);
    expect(row('configuration', '`CORS_ORIGINS`')?.slice(2)).toEqual(['', '', '', '']);
    expect(row('configuration', '`SECRET_KEY`')?.slice(2)).toEqual(['', '', 'yes', 'yes']);
  });

  test('give the bounds of every number, which are those that are accepted', () => {
    const numbers = Object.entries(Environment.shape).filter(
      ([, schema]) =>
        schema.safeParse('1e3').error !== undefined && typeof schema.safeParse(undefined).data === 'number',
    );
    expect(numbers.length).toBeGreaterThan(30);
    for (const [key, schema] of numbers) {
      const [, least = '', most = ''] =
        /^(\d+) to (\d+)$/.exec(row('configuration', `\`${key}\``)?.[3] ?? '') ?? [];
      expect(
        [least, most].map((value) => schema.safeParse(value).success),
        key,
      ).toEqual([true, true]);
      expect(schema.safeParse(String(Number(most) + 1)).success, key).toBe(false);
    }
  });

  test('mark as secret every key that sounds like one', () => {
    const sounding = Object.keys(Environment.shape).filter((key) =>
      /KEY|SECRET|PEPPER|PASSWORD|TOKEN|CONNECTION_STRING|DATABASE_URL|MAIL_URL/.test(key),
    );
    expect(sounding.length).toBeGreaterThan(5);
    for (const key of sounding) expect(row('configuration', `\`${key}\``)?.at(-1), key).toBe('yes');
  });

  test('keep their columns whatever a text contains', () => {
    for (const table of Object.values(tables)) {
      const columns = table.split('\n').map((line) => line.split(/(?<!\\)\|/).length);
      expect(new Set(columns).size).toBe(1);
    }
  });
});

describe('filling', () => {
  const first = 'before\n<!-- generated:a -->\nold\n<!-- /generated -->\nafter';
  const second = '<!-- generated:b -->\n<!-- /generated -->';
  const documents = { 'first.md': first, 'second.md': second };

  test('replaces the text between the markers, and nothing else', () => {
    const once = fillTables(documents, { a: '| $& |', b: '| y |' });
    expect(once).toEqual({
      'first.md': 'before\n<!-- generated:a -->\n\n| $& |\n\n<!-- /generated -->\nafter',
      'second.md': '<!-- generated:b -->\n\n| y |\n\n<!-- /generated -->',
    });
    expect(fillTables(once, { a: '| $& |', b: '| y |' })).toEqual(once);
  });

  test('refuses a table without a place, a place without a table, and two places in one or two documents', () => {
    expect(() => fillTables(documents, { a: '', b: '', c: '' })).toThrow('generated:c --> occurs 0 times');
    expect(() => fillTables(documents, { a: '' })).toThrow('No table is called b');
    for (const twice of [
      { ...documents, 'third.md': first },
      { ...documents, 'first.md': first + first },
    ])
      expect(() => fillTables(twice, { a: '', b: '' })).toThrow('generated:a --> occurs 2 times');
  });
});
