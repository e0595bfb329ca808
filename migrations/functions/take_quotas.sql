-- Takes several requests from the quotas of their callers, one after the other as `take_quota` does. `p_places` are those
-- of the requests, which count from 1, in the order in which rows are locked. The quotas of all requests stand in one list;
-- `p_ends` has for each request the place of its last one.
CREATE OR REPLACE FUNCTION take_quotas(p_places bigint[], p_ends integer[], p_keys bytea[], p_limits integer[],
                                       p_seconds integer[], p_costs integer[], p_times timestamptz[])
RETURNS TABLE (place bigint, remaining integer[], resets_in integer[], is_short boolean[])
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp
AS $$
DECLARE
  v_from integer; v_to integer;
BEGIN
  FOREACH place IN ARRAY p_places LOOP
    v_from := coalesce(p_ends[place - 1], 0) + 1;
    v_to := p_ends[place];
    SELECT array_agg(taken.remaining), array_agg(taken.resets_in), array_agg(taken.is_short)
    INTO remaining, resets_in, is_short
    FROM take_quota(p_keys[v_from:v_to], p_limits[v_from:v_to], p_seconds[v_from:v_to], p_costs[v_from:v_to],
                    p_times[place]) AS taken;
    RETURN NEXT;
  END LOOP;
END $$;

GRANT EXECUTE ON FUNCTION take_quotas TO dermagate_app;
