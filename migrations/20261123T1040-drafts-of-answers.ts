import { type Kysely, sql } from 'kysely';

export const transaction = false;

/** Drafts by their last change: those that their authors have left are deleted. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // An interrupted run leaves an invalid index.
  await sql`DROP INDEX CONCURRENTLY IF EXISTS dermatologist_annotations_drafts`.execute(db);
  await sql`
    CREATE INDEX CONCURRENTLY dermatologist_annotations_drafts ON dermatologist_annotations (tenant_id, updated_at)
    WHERE status = 'draft'`.execute(db);
}
