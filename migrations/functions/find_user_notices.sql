-- Notices of users in any tenants, for the event streams of one instance: of the n-th user those after the n-th id, the
-- oldest first, a hundred at most. `agent`: of the session that has replaced another, where the notice names it.
SET LOCAL ROLE dermagate_lookup;

CREATE OR REPLACE FUNCTION find_user_notices(p_tenants integer[], p_users integer[], p_after bigint[],
                                             p_now timestamptz)
RETURNS TABLE (id bigint, user_id integer, kind text, payload jsonb, agent text, created_at timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
  SELECT n.id, n.user_id, n.kind, n.payload,
         (SELECT s.user_agent FROM sessions s
          WHERE s.tenant_id = n.tenant_id AND s.uuid = (n.payload ->> 'replaced_by')::uuid),
         n.created_at
  FROM unnest(p_tenants, p_users, p_after) AS asked(tenant_id, user_id, after)
  CROSS JOIN LATERAL (
    SELECT * FROM user_notices u
    WHERE u.tenant_id = asked.tenant_id AND u.user_id = asked.user_id AND u.id > asked.after AND u.expires_at > p_now
    ORDER BY u.id LIMIT 100) AS n
  ORDER BY n.id
$$;

GRANT EXECUTE ON FUNCTION find_user_notices TO dermagate_app;
