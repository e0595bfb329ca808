-- The account that owns an email address, in any tenant: an address is one account across all tenants. At most one row.
SET LOCAL ROLE dermagate_lookup;

CREATE OR REPLACE FUNCTION find_address_owner(p_email text)
RETURNS TABLE (user_id integer, user_uuid uuid, tenant_id integer, is_active boolean, is_verified boolean,
               tenant_is_active boolean)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
  SELECT u.id, u.uuid, u.tenant_id, u.is_active, u.is_verified, t.is_active
  FROM users u JOIN tenants t ON t.id = u.tenant_id
  WHERE u.email = p_email
$$;

GRANT EXECUTE ON FUNCTION find_address_owner TO dermagate_app;
