import { type Kysely, sql } from 'kysely';

export const transaction = false;

/** For `sweep_request_records`: submitted cases that ended likewise stay, and become ever more. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // An interrupted run leaves an invalid index.
  await sql`DROP INDEX CONCURRENTLY IF EXISTS request_records_never_submitted`.execute(db);
  await sql`
    CREATE INDEX CONCURRENTLY request_records_never_submitted ON request_records (tenant_id, updated_at)
    WHERE submitted_at IS NULL AND status IN ('expired', 'cancelled')`.execute(db);
}
