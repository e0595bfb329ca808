import { type Kysely, sql } from 'kysely';

/** Reads the tables without keeping writers out. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE ml_diagnosis_results VALIDATE CONSTRAINT ml_diagnosis_results_case_fkey`.execute(db);
  await sql`ALTER TABLE user_check_logs VALIDATE CONSTRAINT user_check_logs_case_fkey`.execute(db);
}
