import { type Kysely, sql } from 'kysely';

export const transaction = false;

const indexes = {
  request_records_pools_to_open: `request_records (tenant_id, triage_rank, queued_at)
    WHERE status = 'queued' AND lane_until IS NULL AND lane_pool <> 'general'`,
  request_records_languages_to_open: `request_records (tenant_id, triage_rank, queued_at)
    WHERE status = 'queued' AND lane_language <> 'any'`,
  physicians_of_pool: 'physicians (tenant_id, private_pool) WHERE private_pool IS NOT NULL',
};

/** Cases that wait for some physicians only, by how long they have waited; and who serves a private pool. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [name, definition] of Object.entries(indexes)) {
    // An interrupted run leaves an invalid index.
    await sql`DROP INDEX CONCURRENTLY IF EXISTS ${sql.id(name)}`.execute(db);
    await sql`CREATE INDEX CONCURRENTLY ${sql.id(name)} ON ${sql.raw(definition)}`.execute(db);
  }
}
