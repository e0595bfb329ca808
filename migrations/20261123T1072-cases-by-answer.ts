import { type Kysely, sql } from 'kysely';

/** Alone and outside of a transaction. */
export const transaction = false;

/** How many cases were answered lately, and how fast. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // An interrupted run leaves an invalid index.
  await sql`DROP INDEX CONCURRENTLY IF EXISTS request_records_by_answer`.execute(db);
  await sql`
    CREATE INDEX CONCURRENTLY request_records_by_answer ON request_records (tenant_id, answered_at)
    WHERE answered_at IS NOT NULL`.execute(db);
}
