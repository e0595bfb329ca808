import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Kysely, sql, type Transaction } from 'kysely';
import { migrationFailure } from './migration-failure.ts';

/** A file of migrations/functions/, named after the one function that it defines. */
export interface FunctionFile {
  name: string;
  text: string;
  /** Of `text`, hexadecimal. */
  sha256: string;
}

export interface AppliedFunctions {
  /** Names of the files that were applied now: new ones and those whose text has changed. */
  applied: string[];
  /** Names of functions that were applied from a file that is gone, and are still there. */
  withoutFile: string[];
}

/** The `.sql` files of a folder in the order of their names; none where there is no such folder. */
export async function readFunctionFiles(folder: string): Promise<FunctionFile[]> {
  const files = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const sorted = files.filter((file) => file.endsWith('.sql')).toSorted();
  return await Promise.all(
    sorted.map(async (file) => {
      // A checkout on Windows may have other line ends.
      const text = (await readFile(join(folder, file), 'utf8')).replaceAll('\r\n', '\n');
      return { name: file.slice(0, -'.sql'.length), text, sha256: sha256(text) };
    }),
  );
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/**
 * Applies those files whose text is not what the database has, all of them in one transaction.
 * @throws an error that names the file that failed, with PostgreSQL's as its cause; every function is as it was then.
 */
export async function applyFunctions(
  db: Kysely<unknown>,
  files: readonly FunctionFile[],
): Promise<AppliedFunctions> {
  if (files.length === 0) return { applied: [], withoutFile: [] };
  return await db.transaction().execute(async (tx) => {
    const known = await readApplied(tx);
    const changed = files.filter(({ name, sha256: current }) => known.get(name) !== current);
    if (changed.length > 0) await applyAll(tx, changed);
    const gone = [...known.keys()].filter((name) => !files.some((file) => file.name === name));
    return { applied: changed.map(({ name }) => name), withoutFile: await stillThere(tx, gone) };
  });
}

async function readApplied(tx: Transaction<unknown>): Promise<Map<string, string>> {
  await sql`CREATE TABLE IF NOT EXISTS applied_functions (name text PRIMARY KEY, sha256 text NOT NULL)`.execute(
    tx,
  );
  const { rows } = await sql<{
    name: string;
    sha256: string;
  }>`SELECT name, sha256 FROM applied_functions`.execute(tx);
  return new Map(rows.map(({ name, sha256: applied }) => [name, applied]));
}

async function applyAll(tx: Transaction<unknown>, files: readonly FunctionFile[]): Promise<void> {
  await closeToPublic(tx);
  await sql`GRANT CREATE ON SCHEMA public TO dermagate_lookup`.execute(tx);
  // A function may call one that comes later: bodies are checked in the second round, when all of them exist.
  for (const check of ['off', 'on']) {
    await sql`SELECT set_config('check_function_bodies', ${check}, true)`.execute(tx);
    for (const file of files) await apply(tx, file);
  }
  await sql`REVOKE CREATE ON SCHEMA public FROM dermagate_lookup`.execute(tx);
  for (const { name, sha256: applied } of files) {
    await sql`
      INSERT INTO applied_functions VALUES (${name}, ${applied})
      ON CONFLICT (name) DO UPDATE SET sha256 = excluded.sha256`.execute(tx);
  }
}

/** New functions are executable by everyone unless their owner, who may be another role than last time, revokes it. */
async function closeToPublic(tx: Transaction<unknown>): Promise<void> {
  const close = sql`ALTER DEFAULT PRIVILEGES REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC`;
  await close.execute(tx);
  await sql`SET LOCAL ROLE dermagate_lookup`.execute(tx);
  await close.execute(tx);
  await sql`RESET ROLE`.execute(tx);
}

async function apply(tx: Transaction<unknown>, { name, text }: FunctionFile): Promise<void> {
  try {
    await sql.raw(text).execute(tx);
  } catch (error) {
    throw migrationFailure(`Function ${name}.sql`, error);
  }
  // A file that sets the role of its owner leaves it set.
  await sql`RESET ROLE`.execute(tx);
}

/** Those of `names` that are functions; the others were dropped by a migration, and are forgotten. */
async function stillThere(tx: Transaction<unknown>, names: readonly string[]): Promise<string[]> {
  if (names.length === 0) return [];
  const { rows } = await sql<{ name: string }>`
    SELECT DISTINCT proname AS name FROM pg_proc
    WHERE pronamespace = 'public'::regnamespace AND proname = ANY (${names}) ORDER BY 1`.execute(tx);
  const left = rows.map(({ name }) => name);
  const dropped = names.filter((name) => !left.includes(name));
  await sql`DELETE FROM applied_functions WHERE name = ANY (${dropped})`.execute(tx);
  return left;
}
