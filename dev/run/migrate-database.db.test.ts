import { PassThrough } from 'node:stream';
import { describe, expect, inject, test } from 'vitest';
import { testDatabase } from '../../test/support/database.ts';
import { query } from '../services/postgres.ts';
import { askOnTerminal, migrateDatabase, type MigrationOptions } from './migrate-database.ts';

/** A migrated database with a row of its own, which another checkout made when it `isOther`. */
async function localDatabase(isOther: boolean) {
  const { url, db } = await testDatabase();
  await db.query(`INSERT INTO tenants (uuid, name, slug) VALUES (uuidv7(), 'Kept', 'kept')`);
  if (isOther) await db.query(`UPDATE applied_migrations SET sha256 = 'x' WHERE name = '05-create-patients'`);
  const asked: string[] = [];
  const lines: string[] = [];
  const { superuserUrl, owner } = inject('services');
  const name = new URL(url).pathname.slice(1);
  const own: MigrationOptions = {
    async replace() {
      await query(superuserUrl, `DROP DATABASE ${name} WITH (FORCE)`);
      await query(superuserUrl, `CREATE DATABASE ${name} OWNER ${owner.role}`);
    },
    fresh: false,
    ask: undefined,
    command: 'npm start',
    report: (line) => void lines.push(line),
  };
  return {
    url,
    own,
    asked,
    lines,
    label: `${new URL(url).host}/${name}`,
    answer: (yes: boolean) => async (question: string) => {
      asked.push(question);
      return yes;
    },
    isKept: async () => (await query(url, `SELECT FROM tenants WHERE slug = 'kept'`)).length === 1,
    hasTables: async () =>
      (await query(url, `SELECT WHERE to_regclass('patients') IS NOT NULL`)).length === 1,
  };
}

describe('the database that a start made itself', () => {
  test('stays, and no one is asked, while the migrations are those that made it', async () => {
    const { url, own, asked, answer, isKept } = await localDatabase(false);
    expect(await migrateDatabase(url, { ...own, ask: answer(true) })).toEqual([]);
    expect([await isKept(), asked]).toEqual([true, []]);
  });

  test('made by others is replaced after a yes to a question that names it and what differs', async () => {
    const { url, own, asked, lines, label, answer, isKept, hasTables } = await localDatabase(true);
    const applied = await migrateDatabase(url, { ...own, ask: answer(true) });
    expect(applied.length).toBeGreaterThan(5);
    expect([await isKept(), await hasTables()]).toEqual([false, true]);
    expect(asked).toEqual([
      `The database ${label} was made by other migrations: 05-create-patients has changed. ` +
        'Replace it? Its data is demo data.',
    ]);
    expect(lines).toEqual([`Migrating the database ${label} …`, `Replacing the database ${label} …`]);
  });

  test('made by others stays after a no, and the start ends', async () => {
    const { url, own, label, answer, isKept } = await localDatabase(true);
    const refused = migrateDatabase(url, { ...own, ask: answer(false) });
    await expect(refused).rejects.toThrow(`The database ${label} stays as it is`);
    expect(await isKept()).toBe(true);
  });

  test('made by others stays without a terminal, and the refusal has the command that replaces it', async () => {
    const { url, own, label, isKept } = await localDatabase(true);
    await expect(migrateDatabase(url, own)).rejects.toThrow(
      `The database ${label} was made by other migrations: 05-create-patients has changed. ` +
        '`npm start -- --fresh` replaces it; its data is demo data.',
    );
    expect(await isKept()).toBe(true);
  });

  test('is replaced at once with --fresh, whatever made it, and named before it is', async () => {
    const { url, own, asked, lines, label, answer, isKept, hasTables } = await localDatabase(false);
    const replace = async () => {
      expect(lines).toEqual([`Replacing the database ${label} and its demo data …`]);
      await own.replace?.();
    };
    await migrateDatabase(url, { ...own, replace, fresh: true, ask: answer(false) });
    expect([await isKept(), await hasTables(), asked]).toEqual([false, true, []]);
  });

  test('of before there was a baseline is asked about as one that differs', async () => {
    const { url, own, asked, answer, isKept } = await localDatabase(false);
    await query(url, `UPDATE kysely_migration SET name = '20261122T12' || name`);
    await query(url, 'DROP TABLE applied_migrations');
    await expect(migrateDatabase(url, { ...own, ask: answer(false) })).rejects.toThrow('stays as it is');
    expect(asked[0]).toMatch(
      /01-create-roles and \d+ more were never applied; 20261122T1201-create-roles and \d+ more are unknown/,
    );
    expect(await isKept()).toBe(true);
  });
});

describe('a database that DATABASE_URL names', () => {
  const given = { replace: undefined, fresh: false };

  test('made by others is refused with what differs and what to do, without a question', async () => {
    const { url, own, asked, label, answer, isKept } = await localDatabase(true);
    const refused = migrateDatabase(url, { ...own, ...given, ask: answer(true) });
    await expect(refused).rejects.toThrow(
      `The database ${label} cannot be migrated: it was made by other migrations: 05-create-patients has changed. ` +
        'Nothing was changed. Name an empty database in DATABASE_URL',
    );
    expect([await isKept(), asked]).toEqual([true, []]);
  });

  test('is refused beside --fresh, and stays, even if it could be migrated', async () => {
    const { url, own, label, isKept } = await localDatabase(false);
    await expect(migrateDatabase(url, { ...own, ...given, fresh: true })).rejects.toThrow(
      `DATABASE_URL names ${label}, which is never replaced`,
    );
    expect(await isKept()).toBe(true);
  });
});

describe('a question on the terminal', () => {
  const terminal = () => Object.assign(new PassThrough(), { isTTY: true });

  test.each([
    ['y\n', true],
    ['Yes \r\n', true],
    ['n\n', false],
    ['\n', false],
    ['yesterday\n', false],
  ])('answered with %j is %s', async (typed, answer) => {
    const [input, output] = [terminal(), terminal()];
    const answered = askOnTerminal(input, output)?.('Replace it?');
    input.write(typed);
    expect(await answered).toBe(answer);
    expect(String(output.read())).toBe('Replace it? [y/N] ');
  });

  test('is a no when the input ends', async () => {
    const input = terminal();
    const answered = askOnTerminal(input, terminal())?.('Replace it?');
    input.end();
    expect(await answered).toBe(false);
  });

  test('is asked only where both ends are a terminal', () => {
    expect(askOnTerminal(new PassThrough(), terminal())).toBeUndefined();
    expect(askOnTerminal(terminal(), new PassThrough())).toBeUndefined();
  });
});
