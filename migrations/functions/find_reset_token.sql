-- A password-reset token by its SHA-256, while it is unused and not expired and account and tenant are active. At most
-- one row.
SET LOCAL ROLE dermagate_lookup;

CREATE OR REPLACE FUNCTION find_reset_token(p_hash bytea, p_now timestamptz)
RETURNS TABLE (id bigint, tenant_id integer, user_id integer, user_uuid uuid, email text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
  SELECT p.id, p.tenant_id, p.user_id, u.uuid, u.email
  FROM password_reset_tokens p
  JOIN users u ON u.tenant_id = p.tenant_id AND u.id = p.user_id
  JOIN tenants t ON t.id = p.tenant_id
  WHERE p.token_hash = p_hash AND NOT p.used AND p.expires_at > p_now AND u.is_active AND t.is_active
$$;

GRANT EXECUTE ON FUNCTION find_reset_token TO dermagate_app;
