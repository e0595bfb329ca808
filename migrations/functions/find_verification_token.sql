-- An email-verification token by its SHA-256. It is bound to the address it was sent to: after a change of address it
-- finds nothing. At most one row.
SET LOCAL ROLE dermagate_lookup;

CREATE OR REPLACE FUNCTION find_verification_token(p_hash bytea, p_now timestamptz)
RETURNS TABLE (id bigint, tenant_id integer, user_id integer, email text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
  SELECT v.id, v.tenant_id, v.user_id, v.email
  FROM email_verification_tokens v
  JOIN users u ON u.tenant_id = v.tenant_id AND u.id = v.user_id
  JOIN tenants t ON t.id = v.tenant_id
  WHERE v.token_hash = p_hash AND NOT v.used AND v.expires_at > p_now AND v.email = u.email
    AND u.is_active AND t.is_active
$$;

GRANT EXECUTE ON FUNCTION find_verification_token TO dermagate_app;
