import { type Kysely, sql } from 'kysely';

/**
 * The app says what time it is: whether something has expired is decided by one clock, not by the app's here and the
 * database's there. The lookups of before, which ask the database for the time, stay for older versions of the app.
 * An invitation counts while its inviter is an active admin.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE FUNCTION find_session(p_session uuid, p_now timestamptz)
    RETURNS TABLE (session_uuid uuid, user_uuid uuid, user_id integer, tenant_id integer, role text)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
    AS $$
      SELECT s.uuid, u.uuid, u.id, u.tenant_id, u.role
      FROM sessions s
      JOIN users u ON u.tenant_id = s.tenant_id AND u.id = s.user_id
      JOIN tenants t ON t.id = s.tenant_id
      WHERE s.uuid = p_session AND s.revoked_at IS NULL AND s.absolute_expires_at > p_now
        AND u.is_active AND t.is_active
    $$`.execute(db);
  await sql`
    CREATE FUNCTION find_refresh_token(p_hash bytea, p_now timestamptz)
    RETURNS TABLE (id bigint, session_uuid uuid, tenant_id integer, user_id integer, user_uuid uuid, role text,
                   revoked boolean, revoked_reason text, rotated_at timestamptz, expires_at timestamptz,
                   sealed_successor bytea, is_alive boolean)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
    AS $$
      SELECT r.id, r.session_uuid, r.tenant_id, r.user_id, u.uuid, u.role,
             r.revoked, r.revoked_reason, r.rotated_at, r.expires_at, r.sealed_successor,
             s.revoked_at IS NULL AND s.absolute_expires_at > p_now AND u.is_active AND t.is_active
      FROM refresh_tokens r
      JOIN sessions s ON s.tenant_id = r.tenant_id AND s.uuid = r.session_uuid
      JOIN users u ON u.tenant_id = r.tenant_id AND u.id = r.user_id
      JOIN tenants t ON t.id = r.tenant_id
      WHERE r.token_hash = p_hash
    $$`.execute(db);
  await sql`
    CREATE FUNCTION find_reset_token(p_hash bytea, p_now timestamptz)
    RETURNS TABLE (id bigint, tenant_id integer, user_id integer, user_uuid uuid, email text)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
    AS $$
      SELECT p.id, p.tenant_id, p.user_id, u.uuid, u.email
      FROM password_reset_tokens p
      JOIN users u ON u.tenant_id = p.tenant_id AND u.id = p.user_id
      JOIN tenants t ON t.id = p.tenant_id
      WHERE p.token_hash = p_hash AND NOT p.used AND p.expires_at > p_now AND u.is_active AND t.is_active
    $$`.execute(db);
  await sql`
    CREATE FUNCTION find_invitation(p_hash bytea, p_now timestamptz)
    RETURNS TABLE (uuid uuid, tenant_id integer, email text, role text)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
    AS $$
      SELECT i.uuid, i.tenant_id, i.email, i.role
      FROM invitations i
      JOIN tenants t ON t.id = i.tenant_id
      JOIN users inviter ON inviter.tenant_id = i.tenant_id AND inviter.id = i.invited_by
      WHERE i.token_hash = p_hash AND i.used_at IS NULL AND i.superseded_at IS NULL
        AND i.expires_at > p_now AND t.is_active AND inviter.is_active AND inviter.role = 'admin'
    $$`.execute(db);
  await sql`GRANT CREATE ON SCHEMA public TO dermagate_lookup`.execute(db);
  for (const signature of [
    'find_session(uuid, timestamptz)',
    'find_refresh_token(bytea, timestamptz)',
    'find_reset_token(bytea, timestamptz)',
    'find_invitation(bytea, timestamptz)',
  ]) {
    await sql`ALTER FUNCTION ${sql.raw(signature)} OWNER TO dermagate_lookup`.execute(db);
    await sql`SET LOCAL ROLE dermagate_lookup`.execute(db);
    await sql`REVOKE ALL ON FUNCTION ${sql.raw(signature)} FROM PUBLIC`.execute(db);
    await sql`GRANT EXECUTE ON FUNCTION ${sql.raw(signature)} TO dermagate_app`.execute(db);
    await sql`RESET ROLE`.execute(db);
  }
  await sql`REVOKE CREATE ON SCHEMA public FROM dermagate_lookup`.execute(db);
}
