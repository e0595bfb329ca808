import { type Kysely, sql } from 'kysely';
import { grantLookup, protectTenantTable } from './rights/table-rights.ts';

// Tokens are 256 random bits, so a plain SHA-256 is enough at rest (ASVS 5.0 6.5.2).

export async function up(db: Kysely<unknown>): Promise<void> {
  await createSessions(db);
  await createRefreshTokens(db);
  await createPasswordResetTokens(db);
  await createEmailVerificationTokens(db);
  for (const table of ['sessions', 'refresh_tokens', 'password_reset_tokens', 'email_verification_tokens']) {
    await protectTenantTable(db, table, 'SELECT, INSERT, UPDATE, DELETE');
    await grantLookup(db, table);
  }
}

/** One session is one family of refresh tokens. */
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
    )`.execute(db);
  await sql`CREATE INDEX sessions_of_user ON sessions (tenant_id, user_id, created_at)`.execute(db);
  // The least recently used one ends where a user has too many.
  await sql`
    CREATE INDEX sessions_open ON sessions (tenant_id, user_id, last_used_at)
    WHERE revoked_at IS NULL`.execute(db);
  // A session ends by the earliest of the three; least() ignores NULL. The clean-up works through one tenant at a time.
  await sql`
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
      created_at timestamptz NOT NULL DEFAULT now(),
      sealed_successor bytea,
      FOREIGN KEY (tenant_id, session_uuid) REFERENCES sessions (tenant_id, uuid) ON DELETE CASCADE,
      FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id),
      CHECK (revoked = (revoked_reason IS NOT NULL))
    )`.execute(db);
  await sql`CREATE INDEX refresh_tokens_of_session ON refresh_tokens (tenant_id, session_uuid)`.execute(db);
  await sql`CREATE INDEX refresh_tokens_to_clean ON refresh_tokens (tenant_id, expires_at)`.execute(db);
}

async function createPasswordResetTokens(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE password_reset_tokens (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      tenant_id integer NOT NULL,
      user_id integer NOT NULL,
      token_hash bytea NOT NULL UNIQUE CHECK (length(token_hash) = 32),
      expires_at timestamptz NOT NULL,
      used boolean NOT NULL DEFAULT false,
      used_at timestamptz,
      created_at timestamptz NOT NULL DEFAULT now(),
      FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id)
    )`.execute(db);
  await sql`CREATE INDEX reset_tokens_of_user ON password_reset_tokens (tenant_id, user_id)`.execute(db);
  await sql`CREATE INDEX reset_tokens_to_clean ON password_reset_tokens (tenant_id, expires_at)`.execute(db);
}

/** Bound to the address that they were sent to: a changed address needs a token of its own. */
async function createEmailVerificationTokens(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE email_verification_tokens (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      tenant_id integer NOT NULL,
      user_id integer NOT NULL,
      email text NOT NULL CHECK (email = lower(email) AND length(email) <= 254),
      token_hash bytea NOT NULL UNIQUE CHECK (length(token_hash) = 32),
      expires_at timestamptz NOT NULL,
      used boolean NOT NULL DEFAULT false,
      used_at timestamptz,
      created_at timestamptz NOT NULL DEFAULT now(),
      FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id)
    )`.execute(db);
  await sql`CREATE INDEX verification_tokens_of_user ON email_verification_tokens (tenant_id, user_id)`.execute(
    db,
  );
  await sql`CREATE INDEX verification_tokens_to_clean ON email_verification_tokens (tenant_id, expires_at)`.execute(
    db,
  );
}
