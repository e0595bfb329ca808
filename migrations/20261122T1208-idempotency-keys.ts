import { type Kysely, sql } from 'kysely';

// One mechanism for every route that takes an Idempotency-Key. Not isolated by tenant: rows are found by a hash before
// the tenant is set. No health data: replies are ids and sizes.
export async function up(db: Kysely<unknown>): Promise<void> {
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
    )`.execute(db);
  await sql`CREATE INDEX idempotency_keys_to_clean ON idempotency_keys (expires_at)`.execute(db);
  await sql`GRANT SELECT, INSERT, UPDATE, DELETE ON idempotency_keys TO dermagate_app`.execute(db);
}
