import { type Kysely, sql } from 'kysely';

/** When its patient has reopened a case, which is possible once. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE request_records ADD COLUMN reopened_by_patient_at timestamptz`.execute(db);
}
