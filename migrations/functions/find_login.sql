-- The account of an email address, for login: login names no tenant. At most one row.
SET LOCAL ROLE dermagate_lookup;

CREATE OR REPLACE FUNCTION find_login(p_email text)
RETURNS TABLE (user_uuid uuid, user_id integer, tenant_id integer, password_hash text, role text,
               is_active boolean, tenant_is_active boolean)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
  SELECT u.uuid, u.id, u.tenant_id, u.password_hash, u.role, u.is_active, t.is_active
  FROM users u JOIN tenants t ON t.id = u.tenant_id
  WHERE u.email = p_email
$$;

GRANT EXECUTE ON FUNCTION find_login TO dermagate_app;
