-- Whether a session of that account was opened in the network and used since. Login names no tenant.
SET LOCAL ROLE dermagate_lookup;

CREATE OR REPLACE FUNCTION find_known_network(p_email text, p_network text, p_since timestamptz) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
  SELECT EXISTS (
    SELECT FROM users u JOIN sessions s ON s.tenant_id = u.tenant_id AND s.user_id = u.id
    WHERE u.email = p_email AND s.ip_prefix = p_network AND s.last_used_at >= p_since)
$$;

GRANT EXECUTE ON FUNCTION find_known_network TO dermagate_app;
