import { type Kysely, sql } from 'kysely';

export const transaction = false;

/** For `sweepDrafts`, which deletes cancelled drafts as well. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // An interrupted run leaves an invalid index.
  await sql`DROP INDEX CONCURRENTLY IF EXISTS dermatologist_annotations_unsigned`.execute(db);
  await sql`
    CREATE INDEX CONCURRENTLY dermatologist_annotations_unsigned ON dermatologist_annotations (tenant_id, updated_at)
    WHERE signed_at IS NULL`.execute(db);
  await sql`DROP INDEX CONCURRENTLY IF EXISTS dermatologist_annotations_drafts`.execute(db);
}
