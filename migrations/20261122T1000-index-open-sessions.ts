import { type Kysely, sql } from 'kysely';

/** Alone and outside of a transaction. */
export const transaction = false;

/** The open sessions of a user by their last use: the least recently used one ends where a user has too many. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // What an interrupted run has left is invalid.
  await sql`DROP INDEX CONCURRENTLY IF EXISTS sessions_open`.execute(db);
  await sql`
    CREATE INDEX CONCURRENTLY sessions_open ON sessions (tenant_id, user_id, last_used_at)
    WHERE revoked_at IS NULL`.execute(db);
}
