import { type Kysely, sql } from 'kysely';

/**
 * Ages in days are computed in the time zone of the session, and a caller may set one whose clocks went forward by a
 * fortnight: what has the rights of the tables' owner would then count two weeks too many.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const signature of [
    'sweep_ml_diagnosis_results(integer, timestamptz, integer)',
    'count_refusal(text, bigint, timestamptz, timestamptz)',
  ]) {
    await sql`ALTER FUNCTION ${sql.raw(signature)} SET timezone = 'UTC'`.execute(db);
    await sql`ALTER FUNCTION ${sql.raw(signature)} SET datestyle = 'ISO, YMD'`.execute(db);
  }
}
