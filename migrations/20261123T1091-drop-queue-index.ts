import { type Kysely, sql } from 'kysely';

export const transaction = false;

/** `request_records_offered` has the same columns and more: what ran by the old index runs by that one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`DROP INDEX CONCURRENTLY IF EXISTS request_records_queue`.execute(db);
}
