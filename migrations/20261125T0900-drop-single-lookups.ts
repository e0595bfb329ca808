import { type Kysely, sql } from 'kysely';

/** `find_live_sessions`, `record_ai_calls` and `take_quotas` have replaced them. No released version calls them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`DROP FUNCTION IF EXISTS find_live_session(uuid, timestamptz)`.execute(db);
  await sql`DROP FUNCTION IF EXISTS record_ai_call(jsonb, jsonb)`.execute(db);
  await sql`DROP FUNCTION IF EXISTS take_quota(bytea[], integer[], integer[], integer[], timestamptz)`.execute(
    db,
  );
}
