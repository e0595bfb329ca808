import { type Kysely, sql } from 'kysely';

export const transaction = false;

/**
 * The queue of each lane with all that decides whether a physician is offered a case: counting what waits reads no table.
 * It replaces `request_records_queue`.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // An interrupted run leaves an invalid index.
  await sql`DROP INDEX CONCURRENTLY IF EXISTS request_records_offered`.execute(db);
  await sql`
    CREATE INDEX CONCURRENTLY request_records_offered
    ON request_records (tenant_id, lane_pool, lane_language, triage_rank, due_at, id)
    INCLUDE (uuid, account_user_id, language) WHERE status = 'queued'`.execute(db);
}
