import { type Kysely, sql } from 'kysely';

/** Alone and outside of a transaction. */
export const transaction = false;

/** Answers of patients that the clean-up has not blanked yet: the older rows have none. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`DROP INDEX CONCURRENTLY IF EXISTS ml_results_with_anamnesis`.execute(db);
  await sql`
    CREATE INDEX CONCURRENTLY ml_results_with_anamnesis ON ml_diagnosis_results (tenant_id, created_at)
    WHERE case_uuid IS NULL AND anamnesis IS NOT NULL`.execute(db);
}
