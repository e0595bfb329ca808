import { type Kysely, sql } from 'kysely';

export const transaction = false;

const indexes = {
  request_records_by_due_time_alone: '(tenant_id, due_at, id)',
  request_records_by_submission: '(tenant_id, submitted_at, id)',
};

/** All cases of a tenant by when they are due and by when they were submitted, as by when they were made and changed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [name, definition] of Object.entries(indexes)) {
    // An interrupted run leaves an invalid index.
    await sql`DROP INDEX CONCURRENTLY IF EXISTS ${sql.id(name)}`.execute(db);
    await sql`CREATE INDEX CONCURRENTLY ${sql.id(name)} ON request_records ${sql.raw(definition)}`.execute(
      db,
    );
  }
}
