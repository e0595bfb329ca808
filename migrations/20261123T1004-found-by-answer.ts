import { type Kysely, sql } from 'kysely';

export const transaction = false;

const indexes = {
  request_records_of_annotation:
    'request_records (tenant_id, final_annotation_uuid) WHERE final_annotation_uuid IS NOT NULL',
  physicians_back_from_vacation: 'physicians (tenant_id, vacation_until) WHERE vacation_until IS NOT NULL',
};

/** Cases by their signed answer, and physicians whose vacation ends by itself. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [name, definition] of Object.entries(indexes)) {
    // An interrupted run leaves an invalid index.
    await sql`DROP INDEX CONCURRENTLY IF EXISTS ${sql.id(name)}`.execute(db);
    await sql`CREATE INDEX CONCURRENTLY ${sql.id(name)} ON ${sql.raw(definition)}`.execute(db);
  }
}
