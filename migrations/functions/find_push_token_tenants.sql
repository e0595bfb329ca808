-- The tenants in which a device is registered with this token: one app may serve several clinics, and a phone that was
-- handed on may be registered in another than before.
SET LOCAL ROLE dermagate_lookup;

CREATE OR REPLACE FUNCTION find_push_token_tenants(p_token_hash bytea)
RETURNS TABLE (tenant_id integer)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
  SELECT d.tenant_id FROM push_devices d WHERE d.token_hash = p_token_hash ORDER BY d.tenant_id
$$;

GRANT EXECUTE ON FUNCTION find_push_token_tenants TO dermagate_app;
