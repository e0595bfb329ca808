-- A session that is neither ended nor expired, of an active account in an active tenant. Every request with an access
-- token asks this once, by primary keys, before its tenant is known. At most one row.
SET LOCAL ROLE dermagate_lookup;

CREATE OR REPLACE FUNCTION find_session(p_session uuid, p_now timestamptz)
RETURNS TABLE (session_uuid uuid, user_uuid uuid, user_id integer, tenant_id integer, role text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
  SELECT s.uuid, u.uuid, u.id, u.tenant_id, u.role
  FROM sessions s
  JOIN users u ON u.tenant_id = s.tenant_id AND u.id = s.user_id
  JOIN tenants t ON t.id = s.tenant_id
  WHERE s.uuid = p_session AND s.revoked_at IS NULL AND s.absolute_expires_at > p_now
    AND u.is_active AND t.is_active
$$;

GRANT EXECUTE ON FUNCTION find_session TO dermagate_app;
