import { type Kysely, sql } from 'kysely';

/**
 * AI calls and checks belong to cases; `POST /api/diagnosis` leaves the column null. Photos of a submitted case are part of the medical
 * record, which outlives the account that took them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE ml_diagnosis_results ADD CONSTRAINT ml_diagnosis_results_case_fkey
    FOREIGN KEY (tenant_id, case_uuid) REFERENCES request_records (tenant_id, uuid) NOT VALID`.execute(db);
  await sql`
    ALTER TABLE user_check_logs ADD CONSTRAINT user_check_logs_case_fkey
    FOREIGN KEY (tenant_id, case_uuid) REFERENCES request_records (tenant_id, uuid) NOT VALID`.execute(db);
  await sql`ALTER TABLE images ALTER COLUMN owner_user_id DROP NOT NULL`.execute(db);
}
