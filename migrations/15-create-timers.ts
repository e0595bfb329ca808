import { type Kysely, sql } from 'kysely';

/** One row for each timer of the app: its last run, and the lease under which one instance runs it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // A run that has started and neither ended nor renewed its lease was cut short; another instance takes it over.
  await sql`
    CREATE TABLE timers (
      name text PRIMARY KEY,
      done_until timestamptz NOT NULL,
      started_at timestamptz,
      ended_at timestamptz,
      outcome text CHECK (outcome IN ('done', 'failed', 'timed_out')),
      error text,
      leased_until timestamptz
    );
    GRANT SELECT, INSERT, UPDATE ON timers TO dermagate_app`.execute(db);
}
