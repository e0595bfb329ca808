import { type Kysely, sql } from 'kysely';

// Keys are HMACs: the tables name neither accounts nor networks, known or unknown.

export async function up(db: Kysely<unknown>): Promise<void> {
  // Fixed windows. `in_flight` of the `attempts` are not judged yet and may be returned.
  await sql`
    CREATE TABLE throttle_counters (
      key bytea PRIMARY KEY CHECK (length(key) = 32),
      attempts integer NOT NULL DEFAULT 0,
      window_ends_at timestamptz NOT NULL,
      in_flight integer NOT NULL DEFAULT 0
    )`.execute(db);
  await sql`CREATE INDEX throttle_counters_to_clean ON throttle_counters (window_ends_at)`.execute(db);
  await sql`GRANT SELECT, INSERT, UPDATE, DELETE ON throttle_counters TO dermagate_app`.execute(db);

  // The event that counts the refusals of one kind until the window ends.
  await sql`
    CREATE TABLE refusal_windows (
      key bytea PRIMARY KEY CHECK (length(key) = 32),
      category text NOT NULL,
      event_id bigint,
      event_at timestamptz,
      window_ends_at timestamptz NOT NULL
    )`.execute(db);
  await sql`CREATE INDEX refusal_windows_to_clean ON refusal_windows (window_ends_at)`.execute(db);
  await sql`GRANT SELECT, INSERT, UPDATE, DELETE ON refusal_windows TO dermagate_app`.execute(db);
}
