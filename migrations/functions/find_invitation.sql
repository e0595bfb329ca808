-- An invitation by the SHA-256 of its token. It counts while its inviter is an active admin. At most one row.
SET LOCAL ROLE dermagate_lookup;

CREATE OR REPLACE FUNCTION find_invitation(p_hash bytea, p_now timestamptz)
RETURNS TABLE (uuid uuid, tenant_id integer, email text, role text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
  SELECT i.uuid, i.tenant_id, i.email, i.role
  FROM invitations i
  JOIN tenants t ON t.id = i.tenant_id
  JOIN users inviter ON inviter.tenant_id = i.tenant_id AND inviter.id = i.invited_by
  WHERE i.token_hash = p_hash AND i.used_at IS NULL AND i.superseded_at IS NULL
    AND i.expires_at > p_now AND t.is_active AND inviter.is_active AND inviter.role = 'admin'
$$;

GRANT EXECUTE ON FUNCTION find_invitation TO dermagate_app;
