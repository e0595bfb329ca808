import { type Kysely, sql } from 'kysely';

// What a request leaves for the next one before either knows its tenant, so no table is isolated by tenant: rows are found by
// an HMAC or a hash.

export async function up(db: Kysely<unknown>): Promise<void> {
  await createThrottleTables(db);
  await createIdempotencyKeys(db);
}

/** Keys are HMACs: the tables name neither accounts nor networks, known or unknown. */
async function createThrottleTables(db: Kysely<unknown>): Promise<void> {
  // Fixed windows. `in_flight` of the `attempts` are not judged yet and may be returned.
  await sql`
    CREATE TABLE throttle_counters (
      key bytea PRIMARY KEY CHECK (length(key) = 32),
      attempts integer NOT NULL DEFAULT 0,
      in_flight integer NOT NULL DEFAULT 0,
      window_ends_at timestamptz NOT NULL
    );
    CREATE INDEX throttle_counters_to_clean ON throttle_counters (window_ends_at);
    GRANT SELECT, INSERT, UPDATE, DELETE ON throttle_counters TO dermagate_app`.execute(db);

  // The event that counts the refusals of one kind until the window ends.
  await sql`
    CREATE TABLE refusal_windows (
      key bytea PRIMARY KEY CHECK (length(key) = 32),
      category text NOT NULL,
      event_id bigint,
      event_at timestamptz,
      window_ends_at timestamptz NOT NULL
    );
    CREATE INDEX refusal_windows_to_clean ON refusal_windows (window_ends_at);
    GRANT SELECT, INSERT, UPDATE, DELETE ON refusal_windows TO dermagate_app`.execute(db);
}

/** One mechanism for every route that takes an Idempotency-Key. No health data: replies are ids and sizes. */
async function createIdempotencyKeys(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE idempotency_keys (
      tenant_id integer NOT NULL REFERENCES tenants (id),
      user_key text NOT NULL,
      route text NOT NULL,
      key_hash bytea NOT NULL CHECK (length(key_hash) = 32),
      fingerprint bytea NOT NULL CHECK (length(fingerprint) = 32),
      state text NOT NULL CHECK (state IN ('running', 'done')),
      status smallint,
      resource_uuid uuid,
      reply jsonb,
      started_at timestamptz NOT NULL,
      expires_at timestamptz NOT NULL,
      PRIMARY KEY (tenant_id, user_key, route, key_hash)
    );
    CREATE INDEX idempotency_keys_to_clean ON idempotency_keys (expires_at);
    GRANT SELECT, INSERT, UPDATE, DELETE ON idempotency_keys TO dermagate_app`.execute(db);
}
