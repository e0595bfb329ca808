import { createHash } from 'node:crypto';
import {
  type CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
} from 'kysely';
import type { Migration } from 'kysely/migration';

// Kysely remembers the names of applied migrations. A baseline that is edited keeps its names, so the table
// `applied_migrations` has beside each name a checksum of what was done.

/** What a database was migrated with, compared with the migrations of this version. */
export interface Comparison {
  /** Names of this version's migrations that the database lacks. */
  pending: string[];
  /** Names of the database's migrations that this version lacks: a newer version has migrated it. */
  ahead: string[];
}

/** The database was made by migrations that are neither a beginning of this version's nor go on where these end. */
export class OtherMigrations extends Error {
  /** What differs, as a clause: `02-create-accounts has changed`. */
  readonly differences: string;

  constructor(differences: string) {
    super(
      `it was made by other migrations: ${differences}. Nothing was changed. Name an empty database in DATABASE_URL, ` +
        'or run the version that made this one (migrations/README.md has the reason).',
    );
    this.name = 'OtherMigrations';
    this.differences = differences;
  }
}

/**
 * SHA-256, hexadecimal, of the statements of a migration, rather than of its text: comments and the formatter change nothing.
 * Every statement is answered with no rows here.
 */
export async function checksumOf({ up }: Migration): Promise<string> {
  const hash = createHash('sha256');
  const db = new Kysely<unknown>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (each) => new PostgresIntrospector(each),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    log: ({ query }: { query: CompiledQuery }) =>
      void hash.update(`${query.sql}\0${JSON.stringify(query.parameters)}\0`),
  });
  await up(db);
  return hash.digest('hex');
}

/** The checksums of applied migrations by name; empty for one that was applied before there were checksums. */
export async function readApplied(db: Kysely<unknown>): Promise<Map<string, string>> {
  if (!(await exists(db, 'kysely_migration'))) return new Map();
  const { rows: names } = await sql<{ name: string }>`SELECT name FROM kysely_migration`.execute(db);
  const checksums = new Map<string, string>();
  if (await exists(db, 'applied_migrations')) {
    const { rows } = await sql<{
      name: string;
      sha256: string;
    }>`SELECT name, sha256 FROM applied_migrations`.execute(db);
    for (const { name, sha256 } of rows) checksums.set(name, sha256);
  }
  return new Map(names.map(({ name }) => [name, checksums.get(name) ?? '']));
}

async function exists(db: Kysely<unknown>, table: string): Promise<boolean> {
  const { rows } = await sql`SELECT WHERE to_regclass(${table}) IS NOT NULL`.execute(db);
  return rows.length > 0;
}

/** The same migration, which records its checksum in its own transaction. */
export function recording(name: string, sha256: string, { up }: Migration): Migration {
  return {
    async up(db) {
      await up(db);
      await sql`
        CREATE TABLE IF NOT EXISTS applied_migrations (name text PRIMARY KEY, sha256 text NOT NULL)`.execute(
        db,
      );
      await sql`
        INSERT INTO applied_migrations VALUES (${name}, ${sha256})
        ON CONFLICT (name) DO UPDATE SET sha256 = excluded.sha256`.execute(db);
    },
  };
}

/**
 * @param applied checksums of the database's migrations by name, as of `readApplied`
 * @param known checksums of this version's
 * @throws OtherMigrations
 */
export function compareMigrations(
  applied: ReadonlyMap<string, string>,
  known: ReadonlyMap<string, string>,
): Comparison {
  const changed = [...known.keys()].filter(
    (name) => (applied.get(name) ?? known.get(name)) !== known.get(name),
  );
  const pending = [...known.keys()].filter((name) => !applied.has(name)).toSorted();
  const ahead = [...applied.keys()].filter((name) => !known.has(name)).toSorted();
  const after = (names: readonly string[], of: ReadonlyMap<string, string>) =>
    names.every((name) => name > ([...of.keys()].toSorted().at(-1) ?? ''));
  // After a rollback this version is older than the database, which has everything that it needs.
  const goesOn =
    (ahead.length === 0 && after(pending, applied)) || (pending.length === 0 && after(ahead, known));
  if (changed.length === 0 && goesOn) return { pending, ahead };
  throw new OtherMigrations(
    [
      clause(changed, 'has changed', 'have changed'),
      clause(pending, 'was never applied', 'were never applied'),
      clause(ahead, 'is unknown to this version', 'are unknown to this version'),
    ]
      .filter((part) => part !== '')
      .join('; '),
  );
}

/** `a has changed`, `a and 3 more have changed`; empty for no names. */
function clause(names: readonly string[], singular: string, plural: string): string {
  const [first, ...others] = names;
  if (first === undefined) return '';
  return others.length === 0 ? `${first} ${singular}` : `${first} and ${others.length} more ${plural}`;
}
