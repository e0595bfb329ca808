import { type Kysely, sql } from 'kysely';
import { grantLookup, protectTenantTable } from './rights/table-rights.ts';

export async function up(db: Kysely<unknown>): Promise<void> {
  await createSessions(db);
  await createRefreshTokens(db);
  await createPushDevices(db);
  for (const table of ['sessions', 'refresh_tokens', 'push_devices']) {
    await protectTenantTable(db, table, 'SELECT, INSERT, UPDATE, DELETE');
    await grantLookup(db, table);
  }
}

/**
 * One session is one family of refresh tokens. `renewals`: the exchanges of refresh tokens that count against the session's limit
 * until `renewals_until`, in the row that each of them writes anyway.
 */
async function createSessions(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE sessions (
      uuid uuid PRIMARY KEY,
      tenant_id integer NOT NULL,
      user_id integer NOT NULL,
      kind text NOT NULL DEFAULT 'api' CHECK (kind IN ('api', 'backoffice')),
      auth_time timestamptz NOT NULL,
      amr text[] NOT NULL DEFAULT '{pwd}',
      ip_prefix text,
      user_agent text CHECK (length(user_agent) <= 400),
      last_used_at timestamptz NOT NULL,
      renewals integer NOT NULL DEFAULT 0,
      renewals_until timestamptz,
      idle_expires_at timestamptz NOT NULL,
      absolute_expires_at timestamptz NOT NULL,
      revoked_at timestamptz,
      revoked_reason text CHECK (revoked_reason IN
        ('logout', 'logout_all', 'reuse_detected', 'password_changed', 'password_reset', 'replaced',
         'account_inactive', 'revoked_by_user', 'revoked_by_admin', 'session_limit', 'address_released')),
      replaced_by uuid,
      created_at timestamptz NOT NULL DEFAULT now(),
      UNIQUE (tenant_id, uuid),
      FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id),
      CHECK ((revoked_at IS NULL) = (revoked_reason IS NULL))
    );
    CREATE INDEX sessions_of_user ON sessions (tenant_id, user_id, created_at);
    -- The least recently used one ends where a user has too many.
    CREATE INDEX sessions_open ON sessions (tenant_id, user_id, last_used_at)
      WHERE revoked_at IS NULL;
    -- A session ends by the earliest of the three; least() ignores NULL. The clean-up works through one tenant at a time.
    CREATE INDEX sessions_to_clean
      ON sessions (tenant_id, least(idle_expires_at, absolute_expires_at, revoked_at))`.execute(db);
}

/**
 * `sealed_successor`: the successor of a rotated token, sealed with a key that only the bearer of the rotated token can
 * derive; stored while a replay may be answered with it (REFRESH_REPLAY_GRACE_SECONDS).
 */
async function createRefreshTokens(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE refresh_tokens (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      tenant_id integer NOT NULL,
      user_id integer NOT NULL,
      session_uuid uuid NOT NULL,
      token_hash bytea NOT NULL UNIQUE CHECK (length(token_hash) = 32),
      expires_at timestamptz NOT NULL,
      revoked boolean NOT NULL DEFAULT false,
      revoked_reason text CHECK (revoked_reason IN ('rotated', 'session_ended')),
      rotated_at timestamptz,
      sealed_successor bytea,
      created_at timestamptz NOT NULL DEFAULT now(),
      FOREIGN KEY (tenant_id, session_uuid) REFERENCES sessions (tenant_id, uuid) ON DELETE CASCADE,
      FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id),
      CHECK (revoked = (revoked_reason IS NOT NULL))
    );
    CREATE INDEX refresh_tokens_of_session ON refresh_tokens (tenant_id, session_uuid);
    CREATE INDEX refresh_tokens_to_clean ON refresh_tokens (tenant_id, expires_at);
    CREATE INDEX refresh_tokens_of_user ON refresh_tokens (tenant_id, user_id)`.execute(db);
}

/** A device belongs to the session that registered it, and goes when that ends. `token`: sealed (lib/crypto/field-crypto.ts). */
async function createPushDevices(db: Kysely<unknown>): Promise<void> {
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
    );
    CREATE INDEX push_devices_of_user ON push_devices (tenant_id, user_id);
    CREATE INDEX push_devices_of_session ON push_devices (tenant_id, session_uuid);
    CREATE INDEX push_devices_to_clean ON push_devices (tenant_id, last_seen_at);
    -- In any tenant, for find_push_token_tenants.
    CREATE INDEX push_devices_by_token ON push_devices (token_hash)`.execute(db);
}
