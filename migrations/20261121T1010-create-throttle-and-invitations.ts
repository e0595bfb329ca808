import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await createThrottle(db);
  await createInvitations(db);
  await extendRefreshTokens(db);
  await createTokenLookups(db);
}

/** Fixed windows; the keys are HMACs, so the table names neither addresses nor accounts, known or unknown. */
async function createThrottle(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE throttle_counters (
      key bytea PRIMARY KEY CHECK (length(key) = 32),
      attempts integer NOT NULL DEFAULT 0,
      window_ends_at timestamptz NOT NULL
    )`.execute(db);
  await sql`CREATE INDEX throttle_counters_to_clean ON throttle_counters (window_ends_at)`.execute(db);
  await sql`GRANT SELECT, INSERT, UPDATE, DELETE ON throttle_counters TO dermagate_app`.execute(db);

  // Takes one attempt from every counter, or, when any is used up, from none. The rows are locked in the order
  // of their keys, so that attempts side by side queue up and never deadlock.
  await sql`
    CREATE FUNCTION reserve_attempt(p_keys bytea[], p_limits integer[], p_seconds integer[], p_now timestamptz)
    RETURNS integer -- seconds to wait; 0: reserved
    LANGUAGE plpgsql SET search_path = pg_catalog, public
    AS $$
    DECLARE
      v_rule record; v_attempts integer; v_ends timestamptz; v_wait integer := 0;
    BEGIN
      FOR v_rule IN
        SELECT * FROM unnest(p_keys, p_limits, p_seconds) AS rule(key, allowed, seconds) ORDER BY key
      LOOP
        INSERT INTO throttle_counters AS c (key, attempts, window_ends_at)
        VALUES (v_rule.key, 0, p_now + make_interval(secs => v_rule.seconds))
        ON CONFLICT (key) DO UPDATE SET
          attempts = CASE WHEN c.window_ends_at <= p_now THEN 0 ELSE c.attempts END,
          window_ends_at = CASE WHEN c.window_ends_at <= p_now
            THEN excluded.window_ends_at ELSE c.window_ends_at END
        RETURNING c.attempts, c.window_ends_at INTO v_attempts, v_ends;
        IF v_attempts >= v_rule.allowed THEN
          v_wait := greatest(v_wait, ceil(extract(epoch FROM v_ends - p_now))::integer, 1);
        END IF;
      END LOOP;
      IF v_wait = 0 THEN
        UPDATE throttle_counters SET attempts = attempts + 1 WHERE key = ANY (p_keys);
      END IF;
      RETURN v_wait;
    END $$`.execute(db);
}

async function createInvitations(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE invitations (
      uuid uuid PRIMARY KEY,
      tenant_id integer NOT NULL REFERENCES tenants (id),
      email text NOT NULL CHECK (email = lower(email) AND length(email) <= 254),
      role text NOT NULL CHECK (role IN ('patient', 'physician', 'admin')),
      token_hash bytea NOT NULL UNIQUE CHECK (length(token_hash) = 32),
      invited_by integer NOT NULL,
      expires_at timestamptz NOT NULL,
      used_at timestamptz,
      superseded_at timestamptz,
      created_at timestamptz NOT NULL DEFAULT now(),
      UNIQUE (tenant_id, uuid),
      FOREIGN KEY (tenant_id, invited_by) REFERENCES users (tenant_id, id)
    )`.execute(db);
  // One invitation of an address is open at a time; a newer one supersedes it.
  await sql`
    CREATE UNIQUE INDEX invitations_open ON invitations (tenant_id, email)
    WHERE used_at IS NULL AND superseded_at IS NULL`.execute(db);
  await sql`CREATE INDEX invitations_to_clean ON invitations (expires_at)`.execute(db);
  await sql`ALTER TABLE invitations ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY`.execute(db);
  await sql`
    CREATE POLICY tenant ON invitations
    USING (tenant_id = nullif(current_setting('app.tenant', true), '')::integer)`.execute(db);
  await sql`GRANT SELECT, INSERT, UPDATE, DELETE ON invitations TO dermagate_app`.execute(db);
}

/**
 * The successor of a rotated token, sealed with a key that only the bearer of the rotated token can derive; kept
 * while a replay may be answered with it (REFRESH_REPLAY_GRACE_SECONDS).
 */
async function extendRefreshTokens(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE refresh_tokens ADD COLUMN sealed_successor bytea`.execute(db);
}

/** What must be found by a secret's hash before the tenant is known: one row, one round trip each. */
async function createTokenLookups(db: Kysely<unknown>): Promise<void> {
  for (const table of ['refresh_tokens', 'password_reset_tokens', 'invitations']) {
    await sql`GRANT SELECT ON ${sql.table(table)} TO dermagate_lookup`.execute(db);
    await sql`
      CREATE POLICY lookup ON ${sql.table(table)} FOR SELECT TO dermagate_lookup USING (true)`.execute(db);
  }
  await sql`
    CREATE FUNCTION find_refresh_token(p_hash bytea)
    RETURNS TABLE (id bigint, session_uuid uuid, tenant_id integer, user_id integer, user_uuid uuid, role text,
                   revoked boolean, revoked_reason text, rotated_at timestamptz, expires_at timestamptz,
                   sealed_successor bytea, is_alive boolean)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$
      SELECT r.id, r.session_uuid, r.tenant_id, r.user_id, u.uuid, u.role,
             r.revoked, r.revoked_reason, r.rotated_at, r.expires_at, r.sealed_successor,
             s.revoked_at IS NULL AND s.absolute_expires_at > now() AND u.is_active AND t.is_active
      FROM refresh_tokens r
      JOIN sessions s ON s.tenant_id = r.tenant_id AND s.uuid = r.session_uuid
      JOIN users u ON u.tenant_id = r.tenant_id AND u.id = r.user_id
      JOIN tenants t ON t.id = r.tenant_id
      WHERE r.token_hash = p_hash
    $$`.execute(db);
  await sql`
    CREATE FUNCTION find_reset_token(p_hash bytea)
    RETURNS TABLE (id bigint, tenant_id integer, user_id integer, user_uuid uuid, email text)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$
      SELECT p.id, p.tenant_id, p.user_id, u.uuid, u.email
      FROM password_reset_tokens p
      JOIN users u ON u.tenant_id = p.tenant_id AND u.id = p.user_id
      JOIN tenants t ON t.id = p.tenant_id
      WHERE p.token_hash = p_hash AND NOT p.used AND p.expires_at > now() AND u.is_active AND t.is_active
    $$`.execute(db);
  await sql`
    CREATE FUNCTION find_invitation(p_hash bytea)
    RETURNS TABLE (uuid uuid, tenant_id integer, email text, role text)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$
      SELECT i.uuid, i.tenant_id, i.email, i.role
      FROM invitations i JOIN tenants t ON t.id = i.tenant_id
      WHERE i.token_hash = p_hash AND i.used_at IS NULL AND i.superseded_at IS NULL
        AND i.expires_at > now() AND t.is_active
    $$`.execute(db);
  for (const name of ['find_refresh_token', 'find_reset_token', 'find_invitation']) {
    const signature = sql`${sql.id(name)}(bytea)`;
    await sql`ALTER FUNCTION ${signature} OWNER TO dermagate_lookup`.execute(db);
    await sql`SET LOCAL ROLE dermagate_lookup`.execute(db);
    await sql`REVOKE ALL ON FUNCTION ${signature} FROM PUBLIC`.execute(db);
    await sql`GRANT EXECUTE ON FUNCTION ${signature} TO dermagate_app`.execute(db);
    await sql`RESET ROLE`.execute(db);
  }
}
