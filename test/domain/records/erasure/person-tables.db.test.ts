import { Kysely, PostgresDialect } from 'kysely';
import { describe, expect, test } from 'vitest';
import { findUnknownTables, personTables } from '../../../../src/domain/records/erasure/person-tables.ts';
import type { DB } from '../../../../src/lib/db/tables.ts';
import { testDatabase } from '../../../support/database.ts';

// For each table that a migration adds, its author declares what the erasure of a person does to it. What the erasure really does is
// in test/cli/erase-user.

const { db: owner } = await testDatabase();
const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool: owner }) });

async function columnsOf(table: string): Promise<string[]> {
  const { rows } = await owner.query<{ name: string }>(
    `SELECT attname AS name FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped`,
    [table],
  );
  return rows.map(({ name }) => name);
}

test('every table of the catalogue is known, and nothing is known that is not there', async () => {
  expect(await findUnknownTables(db)).toEqual([]);
  for (const [table, plan] of Object.entries(personTables)) {
    const columns = await columnsOf(table);
    if (plan.rows === 'deleted') expect(columns).toContain(plan.column);
    if (plan.rows === 'of_cases')
      expect(columns).toEqual(expect.arrayContaining([plan.case, ...plan.blanks]));
    if (plan.rows === 'blanked')
      expect([...plan.blanks, ...plan.keeps].toSorted()).toEqual(columns.toSorted());
  }
});

test('a table that refers to users goes by the column that refers, or loses it, before the users', async () => {
  const { rows } = await owner.query<{ child: string; columns: string[] }>(`
    SELECT conrelid::regclass::text AS child,
      ARRAY(SELECT attname::text FROM pg_attribute WHERE attrelid = conrelid AND attnum = ANY (conkey)) AS columns
    FROM pg_constraint WHERE contype = 'f' AND confrelid = 'users'::regclass AND conparentid = 0
      AND confdeltype <> 'n'`);
  expect(rows.length).toBeGreaterThan(5);
  const order = Object.keys(personTables);
  for (const { child, columns } of rows) {
    const plan = personTables[child];
    expect([child, plan?.rows]).toEqual([child, expect.stringMatching(/^(?:deleted|of_cases)$/)]);
    const named = plan?.rows === 'deleted' ? [plan.column] : plan?.rows === 'of_cases' ? plan.blanks : [];
    expect(columns.some((column) => named.includes(column))).toBe(true);
    expect(order.indexOf(child)).toBeLessThan(order.indexOf('users'));
  }
});

test('no table that stays as it is has a column that could name a person', async () => {
  for (const [table, plan] of Object.entries(personTables)) {
    if (plan.rows !== 'untouched') continue;
    const { rows } = await owner.query<{ name: string }>(
      `SELECT attname::text AS name FROM pg_constraint JOIN pg_attribute ON attrelid = conrelid AND attnum = ANY (confdelsetcols)
       WHERE conrelid = $1::regclass AND confdeltype = 'n'`,
      [table],
    );
    // Set to null with the account by the foreign key itself.
    const emptied = new Set(rows.map(({ name }) => name));
    const columns = (await columnsOf(table)).filter((column) => !emptied.has(column));
    const suspicious = columns.filter((column) =>
      /user|owner|person|patient|physician|actor|email|phone|birth|address|agent|ip_|_by$/.test(column),
    );
    expect([table, suspicious]).toEqual([table, []]);
  }
});

describe('a table or column that is not classified is noticed', () => {
  test.each([
    ['CREATE TABLE visits (id integer, user_id integer)', 'DROP TABLE visits', ['visits']],
    ['CREATE TABLE notes (text text)', 'DROP TABLE notes', ['notes']],
    [
      'CREATE MATERIALIZED VIEW visitors AS SELECT 1 AS user_id',
      'DROP MATERIALIZED VIEW visitors',
      ['visitors'],
    ],
    [
      'CREATE TABLE steps (id integer, at date) PARTITION BY RANGE (at); CREATE TABLE steps_rest PARTITION OF steps DEFAULT',
      'DROP TABLE steps',
      ['steps'],
    ],
    [
      'ALTER TABLE event_logs ADD COLUMN phone text',
      'ALTER TABLE event_logs DROP COLUMN phone',
      ['event_logs.phone'],
    ],
  ])('%s', async (make, drop, unknown) => {
    await owner.query(make);
    try {
      expect(await findUnknownTables(db)).toEqual(unknown);
    } finally {
      await owner.query(drop);
    }
    expect(await findUnknownTables(db)).toEqual([]);
  });
});
