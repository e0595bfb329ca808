import { type Kysely, sql } from 'kysely';

/** The language of mails, and of replies where a request names none; null for accounts that are older than the column. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE users ADD COLUMN language text CHECK (language IN ('en', 'he', 'ar', 'es'))`.execute(
    db,
  );
}
