import { type Kysely, sql } from 'kysely';

/**
 * The exchanges of refresh tokens that count against a session's limit until `renewals_until`: in the row that each of
 * them writes anyway. `renew_sessions` has replaced the function; no released version calls it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE sessions ADD COLUMN renewals integer NOT NULL DEFAULT 0, ADD COLUMN renewals_until timestamptz`.execute(
    db,
  );
  await sql`DROP FUNCTION IF EXISTS exchange_refresh_tokens(jsonb)`.execute(db);
}
