import { type Kysely, sql } from 'kysely';

/** What the queue and the office need to know of a physician besides the profile. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE physicians
      ADD version integer NOT NULL DEFAULT 1,
      ADD vacation_until timestamptz,
      ADD last_active_at timestamptz,
      ADD CHECK (vacation_until IS NULL OR vacation_mode)`.execute(db);
}
