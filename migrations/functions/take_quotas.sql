-- Takes each of several requests from all of its caller's quotas, or, when any is used up, from none. Returns what remains
-- of each, in the order given: the RateLimit headers report it. A quota counts what it is a quota of: requests, or bytes.
--
-- `p_places` are those of the requests, which count from 1, in the order in which they are taken. The quotas of all requests
-- stand in one list; `p_ends` has for each request the place of its last one. Rows are locked in the order given; it is the
-- same in all calls, so that they queue up and never deadlock.
CREATE OR REPLACE FUNCTION take_quotas(p_places bigint[], p_ends integer[], p_keys bytea[], p_limits integer[],
                                       p_seconds integer[], p_costs integer[], p_times timestamptz[])
RETURNS TABLE (place bigint, remaining integer[], resets_in integer[], is_short boolean[])
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp
AS $$
#variable_conflict use_column
DECLARE
  v_now timestamptz; v_first integer; v_last integer; v_taken integer; v_used integer; v_ends timestamptz;
  v_short boolean;
BEGIN
  -- Requests of one caller wait for each other's commit. A crash of the server may forget the last half second of counts.
  SET LOCAL synchronous_commit = off;
  FOREACH place IN ARRAY p_places LOOP
    v_now := p_times[place];
    v_first := coalesce(p_ends[place - 1], 0) + 1;
    v_last := p_ends[place];
    v_taken := 0;
    remaining := '{}';
    resets_in := '{}';
    is_short := '{}';
    -- Nearly always every counter is there and none is used up: each is read and written once.
    FOR i IN v_first .. v_last LOOP
      UPDATE throttle_counters AS c SET
        attempts = CASE WHEN c.window_ends_at <= v_now THEN 0 ELSE c.attempts END + p_costs[i],
        window_ends_at = CASE WHEN c.window_ends_at <= v_now THEN v_now + make_interval(secs => p_seconds[i])
          ELSE c.window_ends_at END
      WHERE c.key = p_keys[i]
        AND CASE WHEN c.window_ends_at <= v_now THEN 0 ELSE c.attempts END::bigint + p_costs[i] <= p_limits[i]
      RETURNING c.attempts, c.window_ends_at INTO v_used, v_ends;
      EXIT WHEN NOT FOUND;
      v_taken := v_taken + 1;
      remaining[v_taken] := p_limits[i] - v_used;
      resets_in[v_taken] := greatest(ceil(extract(epoch FROM v_ends - v_now))::integer, 1);
      is_short[v_taken] := false;
    END LOOP;
    IF v_taken = v_last - v_first + 1 THEN
      RETURN NEXT;
      CONTINUE;
    END IF;
    -- Those before the one that is missing or used up.
    FOR i IN v_first .. v_first + v_taken - 1 LOOP
      UPDATE throttle_counters AS c SET attempts = c.attempts - p_costs[i] WHERE c.key = p_keys[i];
    END LOOP;
    v_short := false;
    FOR i IN v_first .. v_last LOOP
      INSERT INTO throttle_counters AS c (key, attempts, window_ends_at)
      VALUES (p_keys[i], 0, v_now + make_interval(secs => p_seconds[i]))
      ON CONFLICT (key) DO UPDATE SET attempts = c.attempts
      RETURNING c.attempts, c.window_ends_at INTO v_used, v_ends;
      IF v_ends <= v_now THEN v_used := 0; END IF;
      v_short := v_short OR v_used::bigint + p_costs[i] > p_limits[i];
    END LOOP;
    FOR i IN v_first .. v_last LOOP
      UPDATE throttle_counters AS c SET
        attempts = CASE WHEN c.window_ends_at <= v_now THEN 0 ELSE c.attempts END
          + CASE WHEN v_short THEN 0 ELSE p_costs[i] END,
        window_ends_at = CASE WHEN c.window_ends_at <= v_now THEN v_now + make_interval(secs => p_seconds[i])
          ELSE c.window_ends_at END
      WHERE c.key = p_keys[i]
      RETURNING c.attempts, c.window_ends_at INTO v_used, v_ends;
      v_taken := i - v_first + 1;
      remaining[v_taken] := greatest(p_limits[i] - v_used, 0);
      resets_in[v_taken] := greatest(ceil(extract(epoch FROM v_ends - v_now))::integer, 1);
      is_short[v_taken] := v_short AND v_used::bigint + p_costs[i] > p_limits[i];
    END LOOP;
    RETURN NEXT;
  END LOOP;
END $$;

GRANT EXECUTE ON FUNCTION take_quotas TO dermagate_app;
