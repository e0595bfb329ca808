-- Refresh tokens by their SHA-256, used ones included: reuse detection needs them. Requests that come together ask together.
-- `place` counts the hashes asked for from 1.
SET LOCAL ROLE dermagate_lookup;

CREATE OR REPLACE FUNCTION find_refresh_tokens(p_hashes bytea[], p_times timestamptz[])
RETURNS TABLE (place bigint, id bigint, session_uuid uuid, tenant_id integer, user_id integer, user_uuid uuid, role text,
               revoked boolean, revoked_reason text, rotated_at timestamptz, expires_at timestamptz,
               sealed_successor bytea, is_alive boolean)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan
AS $$
  SELECT asked.place, found.*
  FROM unnest(p_hashes, p_times) WITH ORDINALITY AS asked (hash, now, place)
  CROSS JOIN LATERAL (
    SELECT r.id, r.session_uuid, r.tenant_id, r.user_id, u.uuid, u.role,
           r.revoked, r.revoked_reason, r.rotated_at, r.expires_at, r.sealed_successor,
           s.revoked_at IS NULL AND s.absolute_expires_at > asked.now AND u.is_active AND t.is_active
    FROM refresh_tokens r
    JOIN sessions s ON s.tenant_id = r.tenant_id AND s.uuid = r.session_uuid
    JOIN users u ON u.tenant_id = r.tenant_id AND u.id = r.user_id
    JOIN tenants t ON t.id = r.tenant_id
    WHERE r.token_hash = asked.hash
    -- By unique keys, whatever the statistics say: the planner does not merge a subquery with an offset.
    OFFSET 0
  ) AS found
$$;

GRANT EXECUTE ON FUNCTION find_refresh_tokens TO dermagate_app;
