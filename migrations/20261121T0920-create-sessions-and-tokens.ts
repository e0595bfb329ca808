import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // One session is one family of refresh tokens.
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
         'account_inactive', 'revoked_by_user', 'revoked_by_admin')),
      replaced_by uuid,
      created_at timestamptz NOT NULL DEFAULT now(),
      UNIQUE (tenant_id, uuid),
      FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id),
      CHECK ((revoked_at IS NULL) = (revoked_reason IS NULL))
    )`.execute(db);
  await sql`CREATE INDEX sessions_of_user ON sessions (tenant_id, user_id, created_at)`.execute(db);
  await sql`CREATE INDEX sessions_to_clean ON sessions (idle_expires_at)`.execute(db);

  // Tokens are 256 random bits, so a plain SHA-256 is enough at rest (ASVS 5.0 6.5.2).
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
      FOREIGN KEY (tenant_id, session_uuid) REFERENCES sessions (tenant_id, uuid) ON DELETE CASCADE,
      FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id),
      CHECK (revoked = (revoked_reason IS NOT NULL))
    )`.execute(db);
  await sql`CREATE INDEX refresh_tokens_of_session ON refresh_tokens (tenant_id, session_uuid)`.execute(db);
  await sql`CREATE INDEX refresh_tokens_to_clean ON refresh_tokens (expires_at)`.execute(db);

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
  await sql`CREATE INDEX reset_tokens_to_clean ON password_reset_tokens (expires_at)`.execute(db);

  for (const table of ['sessions', 'refresh_tokens', 'password_reset_tokens']) {
    await sql`ALTER TABLE ${sql.table(table)} ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY`.execute(
      db,
    );
    await sql`
      CREATE POLICY tenant ON ${sql.table(table)}
      USING (tenant_id = nullif(current_setting('app.tenant', true), '')::integer)`.execute(db);
    await sql`GRANT SELECT, INSERT, UPDATE, DELETE ON ${sql.table(table)} TO dermagate_app`.execute(db);
  }

  // Every request with a bearer token asks this once: session, user and tenant live, by primary keys.
  await sql`GRANT SELECT ON sessions TO dermagate_lookup`.execute(db);
  await sql`CREATE POLICY lookup ON sessions FOR SELECT TO dermagate_lookup USING (true)`.execute(db);
  await sql`
    CREATE FUNCTION find_session(p_session uuid)
    RETURNS TABLE (session_uuid uuid, user_uuid uuid, user_id integer, tenant_id integer, role text)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$
      SELECT s.uuid, u.uuid, u.id, u.tenant_id, u.role
      FROM sessions s
      JOIN users u ON u.tenant_id = s.tenant_id AND u.id = s.user_id
      JOIN tenants t ON t.id = s.tenant_id
      WHERE s.uuid = p_session AND s.revoked_at IS NULL AND s.absolute_expires_at > now()
        AND u.is_active AND t.is_active
    $$`.execute(db);
  await sql`ALTER FUNCTION find_session(uuid) OWNER TO dermagate_lookup`.execute(db);
  await sql`SET LOCAL ROLE dermagate_lookup`.execute(db);
  await sql`REVOKE ALL ON FUNCTION find_session(uuid) FROM PUBLIC`.execute(db);
  await sql`GRANT EXECUTE ON FUNCTION find_session(uuid) TO dermagate_app`.execute(db);
  await sql`RESET ROLE`.execute(db);
}
