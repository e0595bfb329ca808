import { type Kysely, sql } from 'kysely';
import { grantLookup, protectTenantTable } from './rights/table-rights.ts';

// Tenants, their accounts, and the tokens that open an account. Tokens are 256 random bits, so a plain SHA-256 is enough at rest
// (ASVS 5.0 6.5.2).

export async function up(db: Kysely<unknown>): Promise<void> {
  await createTenants(db);
  await createUsers(db);
  await createPasswordResetTokens(db);
  await createEmailVerificationTokens(db);
  await createInvitations(db);
}

async function createTenants(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE tenants (
      id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      uuid uuid NOT NULL UNIQUE,
      name text NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
      slug text NOT NULL UNIQUE CHECK (slug ~ '^[a-z0-9](-?[a-z0-9]){0,62}$'),
      is_active boolean NOT NULL DEFAULT true,
      self_registration boolean NOT NULL DEFAULT true,
      created_at timestamptz NOT NULL DEFAULT now()
    )`.execute(db);
  await sql`GRANT SELECT ON tenants TO dermagate_app, dermagate_lookup`.execute(db);
}

/**
 * An address is one account across all tenants, because login names no tenant. `language`: of mails, and of replies where a
 * request names none. `version`: two admins may change an account at once.
 */
async function createUsers(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE users (
      uuid uuid PRIMARY KEY,
      id integer GENERATED ALWAYS AS IDENTITY UNIQUE,
      tenant_id integer NOT NULL REFERENCES tenants (id),
      email text NOT NULL UNIQUE CHECK (email = lower(email) AND length(email) <= 254),
      password_hash text NOT NULL,
      role text NOT NULL CHECK (role IN ('patient', 'physician', 'admin')),
      language text CHECK (language IN ('en', 'he', 'ar', 'es')),
      notify_channels text[] NOT NULL DEFAULT '{mail,push}'
        CHECK (notify_channels <@ ARRAY['mail', 'push'] AND cardinality(notify_channels) <= 2),
      is_active boolean NOT NULL DEFAULT true,
      is_verified boolean NOT NULL DEFAULT false,
      email_verified_at timestamptz,
      last_login timestamptz,
      version integer NOT NULL DEFAULT 1,
      created_at timestamptz NOT NULL DEFAULT now(),
      UNIQUE (tenant_id, uuid),
      UNIQUE (tenant_id, id)
    );
    -- A clinic has a million patients and few admins.
    CREATE INDEX users_by_address ON users (tenant_id, role, is_active, email COLLATE "C")`.execute(db);
  await protectTenantTable(db, 'users', 'SELECT, INSERT, UPDATE');
  await grantLookup(db, 'users');
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
    );
    CREATE INDEX reset_tokens_of_user ON password_reset_tokens (tenant_id, user_id);
    CREATE INDEX reset_tokens_to_clean ON password_reset_tokens (tenant_id, expires_at)`.execute(db);
  await protectTenantTable(db, 'password_reset_tokens', 'SELECT, INSERT, UPDATE, DELETE');
  await grantLookup(db, 'password_reset_tokens');
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
    );
    CREATE INDEX verification_tokens_of_user ON email_verification_tokens (tenant_id, user_id);
    CREATE INDEX verification_tokens_to_clean ON email_verification_tokens (tenant_id, expires_at)`.execute(
    db,
  );
  await protectTenantTable(db, 'email_verification_tokens', 'SELECT, INSERT, UPDATE, DELETE');
  await grantLookup(db, 'email_verification_tokens');
}

/** `sent_by_mail`: an invitation proves the mailbox only when its token went there. */
async function createInvitations(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE invitations (
      uuid uuid PRIMARY KEY,
      tenant_id integer NOT NULL REFERENCES tenants (id),
      email text NOT NULL CHECK (email = lower(email) AND length(email) <= 254),
      role text NOT NULL CHECK (role IN ('patient', 'physician', 'admin')),
      token_hash bytea NOT NULL UNIQUE CHECK (length(token_hash) = 32),
      invited_by integer NOT NULL,
      sent_by_mail boolean NOT NULL DEFAULT false,
      expires_at timestamptz NOT NULL,
      used_at timestamptz,
      superseded_at timestamptz,
      created_at timestamptz NOT NULL DEFAULT now(),
      UNIQUE (tenant_id, uuid),
      FOREIGN KEY (tenant_id, invited_by) REFERENCES users (tenant_id, id)
    );
    -- One invitation of an address is open at a time; a newer one supersedes it.
    CREATE UNIQUE INDEX invitations_open ON invitations (tenant_id, email)
      WHERE used_at IS NULL AND superseded_at IS NULL;
    CREATE INDEX invitations_to_clean ON invitations (tenant_id, expires_at);
    CREATE INDEX invitations_by_inviter ON invitations (tenant_id, invited_by)`.execute(db);
  await protectTenantTable(db, 'invitations', 'SELECT, INSERT, UPDATE, DELETE');
  await grantLookup(db, 'invitations');
}
