import { type Kysely, sql } from 'kysely';
import { protectTenantTable } from './rights/table-rights.ts';

export async function up(db: Kysely<unknown>): Promise<void> {
  // `token`: sealed (lib/crypto/field-crypto.ts). A device belongs to the session that registered it, and goes when that ends.
  await sql`
    CREATE TABLE push_devices (
      uuid uuid PRIMARY KEY,
      tenant_id integer NOT NULL,
      user_id integer NOT NULL,
      session_uuid uuid NOT NULL,
      platform text NOT NULL CHECK (platform IN ('ios', 'android', 'web')),
      token_hash bytea NOT NULL CHECK (length(token_hash) = 32),
      token text NOT NULL CHECK (length(token) <= 12288),
      app_version text NOT NULL CHECK (length(app_version) <= 32),
      last_seen_at timestamptz NOT NULL,
      created_at timestamptz NOT NULL DEFAULT now(),
      UNIQUE (tenant_id, uuid),
      UNIQUE (tenant_id, token_hash),
      FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id),
      FOREIGN KEY (tenant_id, session_uuid) REFERENCES sessions (tenant_id, uuid) ON DELETE CASCADE
    )`.execute(db);
  await sql`CREATE INDEX push_devices_of_user ON push_devices (tenant_id, user_id)`.execute(db);
  await sql`CREATE INDEX push_devices_of_session ON push_devices (tenant_id, session_uuid)`.execute(db);
  await sql`CREATE INDEX push_devices_to_clean ON push_devices (tenant_id, last_seen_at)`.execute(db);
  await protectTenantTable(db, 'push_devices', 'SELECT, INSERT, UPDATE, DELETE');

  // Every check of whether a person may do something. Append-only; codes and ids only.
  await sql`
    CREATE TABLE user_check_logs (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      tenant_id integer NOT NULL REFERENCES tenants (id),
      user_id integer,
      patient_id bigint,
      case_uuid uuid,
      check_kind text NOT NULL CHECK (check_kind IN
        ('eligibility', 'membership', 'registration', 'connectivity', 'token')),
      outcome text NOT NULL CHECK (outcome ~ '^[a-z0-9_]{1,48}$'),
      reasons text[] NOT NULL DEFAULT '{}',
      rule_version text CHECK (length(rule_version) <= 64),
      source text CHECK (length(source) <= 64),
      latency_ms integer CHECK (latency_ms >= 0),
      request_id text CHECK (length(request_id) <= 64),
      created_at timestamptz NOT NULL DEFAULT now(),
      FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE SET NULL (user_id),
      FOREIGN KEY (tenant_id, patient_id) REFERENCES patients (tenant_id, id)
    )`.execute(db);
  await sql`
    CREATE INDEX user_check_logs_of_case ON user_check_logs (tenant_id, case_uuid)
    WHERE case_uuid IS NOT NULL`.execute(db);
  await sql`CREATE INDEX user_check_logs_of_patient ON user_check_logs (tenant_id, patient_id, created_at)`.execute(
    db,
  );
  await sql`CREATE INDEX user_check_logs_to_clean ON user_check_logs (tenant_id, created_at)`.execute(db);
  await protectTenantTable(db, 'user_check_logs', 'SELECT, INSERT');
}
