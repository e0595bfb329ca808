import { type Kysely, sql } from 'kysely';

export const transaction = false;

const parent = 'event_logs';
const columns = sql`(tenant_id, patient_id, at) WHERE patient_id IS NOT NULL`;
const indexOf = (table: string) => sql.table(`${table}_of_patient`);

/** The audit trail of a patient. Partitions are indexed one after the other; each index of a parent is valid with the last. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // An interrupted run leaves some of them.
  await sql`DROP INDEX IF EXISTS ${indexOf(parent)}`.execute(db);
  await sql`CREATE INDEX ${indexOf(parent)} ON ONLY ${sql.table(parent)} ${columns}`.execute(db);
  for (const category of await partitionsOf(db, parent)) {
    await sql`DROP INDEX IF EXISTS ${indexOf(category)}`.execute(db);
    await sql`CREATE INDEX ${indexOf(category)} ON ONLY ${sql.table(category)} ${columns}`.execute(db);
    for (const leaf of await partitionsOf(db, category)) {
      await sql`DROP INDEX CONCURRENTLY IF EXISTS ${indexOf(leaf)}`.execute(db);
      await sql`CREATE INDEX CONCURRENTLY ${indexOf(leaf)} ON ${sql.table(leaf)} ${columns}`.execute(db);
      await sql`ALTER INDEX ${indexOf(category)} ATTACH PARTITION ${indexOf(leaf)}`.execute(db);
    }
    await sql`ALTER INDEX ${indexOf(parent)} ATTACH PARTITION ${indexOf(category)}`.execute(db);
  }
}

async function partitionsOf(db: Kysely<unknown>, table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT relname AS name FROM pg_inherits JOIN pg_class c ON c.oid = inhrelid
    WHERE inhparent = ${`public.${table}`}::regclass ORDER BY relname`.execute(db);
  return rows.map(({ name }) => name);
}
