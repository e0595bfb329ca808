-- As `find_live_sessions`, and takes the request behind each session from the quotas of its user, in the same round trip.
-- Nothing is taken, and `remaining` is null, where the token names another user, or where role or address do not permit
-- the request: `p_roles` has for each request the roles that do, separated by commas.
--
-- Requests are taken from their quotas in the order of the first one's key, so that two calls lock rows in the same order
-- and never deadlock.
CREATE OR REPLACE FUNCTION admit_sessions(p_sessions uuid[], p_times timestamptz[], p_users uuid[], p_roles text[],
                                          p_verified boolean[], p_ends integer[], p_keys bytea[], p_limits integer[],
                                          p_seconds integer[], p_costs integer[])
RETURNS TABLE (place bigint, user_id integer, uuid uuid, email text, role text, is_verified boolean, tenant_id integer,
               created_at timestamptz, last_login timestamptz,
               physician_uuid uuid, employee_id bigint, language_preference text, vacation_mode boolean,
               physician_created_at timestamptz,
               tenant_uuid uuid, tenant_name text, tenant_slug text, tenant_created_at timestamptz,
               remaining integer[], resets_in integer[], is_short boolean[])
LANGUAGE sql SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan
AS $$
  WITH session AS MATERIALIZED (
    SELECT * FROM find_live_sessions(p_sessions, p_times)
  ), permitted AS (
    SELECT place
    FROM unnest(p_users, p_roles, p_verified) WITH ORDINALITY AS asked (user_uuid, roles, verified_only, place)
    JOIN session USING (place)
    WHERE session.uuid = asked.user_uuid AND session.role = ANY (string_to_array(asked.roles, ','))
      AND (session.is_verified OR NOT asked.verified_only)
  )
  SELECT session.*, taken.remaining, taken.resets_in, taken.is_short
  FROM session
  LEFT JOIN take_quotas(ARRAY(SELECT place FROM permitted ORDER BY p_keys[coalesce(p_ends[place - 1], 0) + 1], place),
                        p_ends, p_keys, p_limits, p_seconds, p_costs, p_times) AS taken ON taken.place = session.place
$$;

GRANT EXECUTE ON FUNCTION admit_sessions TO dermagate_app;
