import { type Kysely, sql } from 'kysely';

export const transaction = false;

/** Cases on hold whose patient has replied: the timers that take them further find them among all on hold. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // An interrupted run leaves an invalid index.
  await sql`DROP INDEX CONCURRENTLY IF EXISTS request_records_replied`.execute(db);
  await sql`
    CREATE INDEX CONCURRENTLY request_records_replied ON request_records (tenant_id, updated_at)
    WHERE status = 'on_hold' AND coalesce(eligibility_outcome, 'undetermined') = 'undetermined'`.execute(db);
}
