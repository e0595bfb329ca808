import { type Kysely, sql } from 'kysely';

/** `find_live_session` reads what these two have read. No released version calls them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`DROP FUNCTION IF EXISTS find_session(uuid, timestamptz)`.execute(db);
  await sql`DROP FUNCTION IF EXISTS read_account(integer, integer)`.execute(db);
}
