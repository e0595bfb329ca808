-- Of the sessions asked for those that are neither ended nor expired at their time, of an active account in an active
-- tenant, with what the account's owner may read of account, profile and tenant. Every request with an access token asks
-- this once, by primary keys, before its tenant is known; requests that come together ask it together. `place` counts the
-- sessions asked for from 1.
SET LOCAL ROLE dermagate_lookup;

CREATE OR REPLACE FUNCTION find_live_sessions(p_sessions uuid[], p_times timestamptz[])
RETURNS TABLE (place bigint, user_id integer, uuid uuid, email text, role text, is_verified boolean, tenant_id integer,
               created_at timestamptz, last_login timestamptz,
               physician_uuid uuid, employee_id bigint, language_preference text, vacation_mode boolean,
               physician_created_at timestamptz,
               tenant_uuid uuid, tenant_name text, tenant_slug text, tenant_created_at timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan
AS $$
  SELECT asked.place, found.*
  FROM unnest(p_sessions, p_times) WITH ORDINALITY AS asked (session, now, place)
  CROSS JOIN LATERAL (
    SELECT u.id, u.uuid, u.email, u.role, u.is_verified, u.tenant_id, u.created_at, u.last_login,
           p.uuid, p.employee_id, p.language_preference, p.vacation_mode, p.created_at,
           t.uuid, t.name, t.slug, t.created_at
    FROM sessions s
    JOIN users u ON u.tenant_id = s.tenant_id AND u.id = s.user_id
    JOIN tenants t ON t.id = s.tenant_id
    LEFT JOIN physicians p ON p.tenant_id = u.tenant_id AND p.user_id = u.id
    WHERE s.uuid = asked.session AND s.revoked_at IS NULL AND s.absolute_expires_at > asked.now
      AND u.is_active AND t.is_active
    -- By primary keys, whatever the statistics say: the planner does not merge a subquery with an offset.
    OFFSET 0
  ) AS found
$$;

GRANT EXECUTE ON FUNCTION find_live_sessions TO dermagate_app;
