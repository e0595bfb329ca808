import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { type Kysely, sql } from 'kysely';
import { type Migration, type MigrationResultSet, Migrator } from 'kysely/migration';
import { checksumOf, compareMigrations, readApplied, recording } from './applied-migrations.ts';
import { applyFunctions, type FunctionFile, readFunctionFiles } from './apply-functions.ts';
import { connectOwner } from './connect-owner.ts';
import { migrationFailure } from './migration-failure.ts';

/** A file of migrations/; migrations/README.md has the rules. */
interface MigrationFile extends Migration {
  /** False: applied alone and outside of any transaction, as CREATE INDEX CONCURRENTLY requires. */
  readonly transaction?: false;
  /** Of what it does. */
  readonly sha256: string;
}

export interface Migrated {
  /** Names of the migrations that were applied now. */
  applied: string[];
  /** Names of functions that were created or replaced now. */
  functions: string[];
  /** Names of applied migrations that this version does not have: a newer version has migrated the database. */
  ahead: string[];
  /** Names of functions whose file this version does not have: of a newer version, or to be dropped by a migration. */
  withoutFile: string[];
}

/**
 * Requests queue behind a migration that waits for a lock, so it waits less long than they do (connect.ts). Outside of a
 * transaction it waits for the end of running transactions, and no request waits for a statement that is CONCURRENTLY; around
 * any other the migration itself shortens the timeout (migrations/README.md). A migration of an empty database
 * delays no request either: it waits for that of another database, which shares its roles.
 */
const lockTimeout = { inTransaction: '1500ms', outside: '5min', empty: '5min' };
const turn = { everyMs: 250, forMs: 10 * 60_000 };

/**
 * Brings the database to the newest migration, then its functions to their current text. Two deployments at once wait for
 * each other. Pending migrations run in one transaction, up to one that must be outside of any; functions in one of their
 * own. A database that is ahead of this version keeps its functions, which the older code works with.
 *
 * @param databaseUrl of the role that owns the tables, not of the application role; without a password it signs in by
 *   Entra token, of `az login` or the pipeline's identity.
 * @param folder absolute path of the migrations, with the functions in its folder `functions`.
 * @throws an error that names the migration or function file that failed, with PostgreSQL's as its cause. Nothing of its
 *   transaction is applied then, and the next run begins with it. OtherMigrations for a database that was made by others.
 */
export async function migrateToLatest(databaseUrl: string, folder: string): Promise<Migrated> {
  const db = connectOwner<unknown>(databaseUrl);
  try {
    const files = await readMigrations(folder);
    const functions = await readFunctionFiles(join(folder, 'functions'));
    return await db.connection().execute(async (connection) => {
      await takeTurn(connection);
      return await migrate(connection, files, functions);
    });
  } finally {
    await db.destroy();
  }
}

/**
 * Polls instead of queueing for Kysely's own lock: a concurrent index build waits for every statement that waits there,
 * and would never end. The turn ends with the connection.
 */
async function takeTurn(db: Kysely<unknown>): Promise<void> {
  for (const until = performance.now() + turn.forMs; performance.now() < until; await sleep(turn.everyMs)) {
    const { rows } = await sql<{ ours: boolean }>`
      SELECT pg_try_advisory_lock(hashtextextended('dermagate migrations', 0)) AS ours`.execute(db);
    if (rows[0]?.ours === true) return;
  }
  throw new Error(`Another deployment has been migrating this database for ${turn.forMs / 60_000} minutes.`);
}

async function migrate(
  db: Kysely<unknown>,
  files: Record<string, MigrationFile>,
  functionFiles: readonly FunctionFile[],
): Promise<Migrated> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => files } });
  const empty = await isEmpty(db);
  const known = new Map(Object.entries(files).map(([name, { sha256 }]) => [name, sha256]));
  const { pending, ahead } = compareMigrations(await readApplied(db), known);
  if (ahead.length > 0) return { applied: [], functions: [], ahead, withoutFile: [] };
  const inTransaction = empty ? lockTimeout.empty : lockTimeout.inTransaction;
  for (const { last, outside } of steps(pending, files)) {
    await setLockTimeout(db, outside ? lockTimeout.outside : inTransaction);
    orThrow(await migrator.migrateTo(last, { disableTransactions: outside }));
  }
  await setLockTimeout(db, inTransaction);
  const { applied: functions, withoutFile } = await applyFunctions(db, functionFiles);
  return { applied: pending, functions, ahead, withoutFile };
}

async function setLockTimeout(db: Kysely<unknown>, timeout: string): Promise<void> {
  await sql`SELECT set_config('lock_timeout', ${timeout}, false)`.execute(db);
}

async function isEmpty(db: Kysely<unknown>): Promise<boolean> {
  const { rows } =
    await sql`SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace LIMIT 1`.execute(db);
  return rows.length === 0;
}

/** The migrations that share a transaction, each group by its last; one outside of any transaction stands alone. */
function steps(pending: readonly string[], files: Record<string, MigrationFile>) {
  const ends = pending.filter((name, at) => {
    const next = pending[at + 1];
    return isOutside(name) || next === undefined || isOutside(next);
  });
  function isOutside(name: string): boolean {
    return files[name]?.transaction === false;
  }
  return ends.map((last) => ({ last, outside: isOutside(last) }));
}

function orThrow({ error, results = [] }: MigrationResultSet): void {
  if (error === undefined) return;
  const name = results.find(({ status }) => status === 'Error')?.migrationName;
  if (name === undefined) throw error;
  throw migrationFailure(`Migration ${name}`, error);
}

async function readMigrations(folder: string): Promise<Record<string, MigrationFile>> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.ts')).toSorted();
  const migrations = files.map(async (file): Promise<[string, MigrationFile]> => {
    const path = join(folder, file);
    // `npm run dev` migrates again when a file changes; Node imports an address once.
    const address = `${pathToFileURL(path).href}?${Math.trunc((await stat(path)).mtimeMs)}`;
    const { transaction, ...migration } = (await import(address)) as Omit<MigrationFile, 'sha256'>;
    const name = file.replace(/\.ts$/, '');
    const sha256 = await checksumOf(migration).catch((error: unknown) => {
      throw migrationFailure(`Migration ${name}`, error);
    });
    return [
      name,
      { ...recording(name, sha256, migration), ...(transaction === false && { transaction }), sha256 },
    ];
  });
  return Object.fromEntries(await Promise.all(migrations));
}
