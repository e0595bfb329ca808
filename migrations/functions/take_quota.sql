-- Takes from all of a caller's quotas, or, when any is used up, from none. Returns what remains of each, in the order
-- given: the RateLimit headers report it. A quota counts what it is a quota of: requests, or bytes. Without keys it does
-- nothing.
--
-- Rows are locked in the order given, which is the same for all requests of one caller, so that they queue up and never
-- deadlock.
CREATE OR REPLACE FUNCTION take_quota(p_keys bytea[], p_limits integer[], p_seconds integer[], p_costs integer[],
                                      p_now timestamptz)
RETURNS TABLE (key bytea, remaining integer, resets_in integer, is_short boolean)
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp
AS $$
#variable_conflict use_column
DECLARE
  v_used integer; v_all_used integer[]; v_ends timestamptz; v_all_end timestamptz[]; v_short boolean := false;
BEGIN
  -- Requests of one caller wait for each other's commit. A crash of the server may forget the last half second of counts.
  SET LOCAL synchronous_commit = off;
  -- Nearly always every counter is there and none is used up: each is read and written once.
  FOR i IN 1 .. cardinality(p_keys) LOOP
    UPDATE throttle_counters AS c SET
      attempts = CASE WHEN c.window_ends_at <= p_now THEN 0 ELSE c.attempts END + p_costs[i],
      window_ends_at = CASE WHEN c.window_ends_at <= p_now THEN p_now + make_interval(secs => p_seconds[i])
        ELSE c.window_ends_at END
    WHERE c.key = p_keys[i]
      AND CASE WHEN c.window_ends_at <= p_now THEN 0 ELSE c.attempts END::bigint + p_costs[i] <= p_limits[i]
    RETURNING c.attempts, c.window_ends_at INTO v_used, v_ends;
    EXIT WHEN NOT FOUND;
    v_all_used[i] := v_used;
    v_all_end[i] := v_ends;
  END LOOP;
  IF coalesce(cardinality(v_all_used), 0) = cardinality(p_keys) THEN
    FOR i IN 1 .. cardinality(p_keys) LOOP
      key := p_keys[i];
      remaining := p_limits[i] - v_all_used[i];
      resets_in := greatest(ceil(extract(epoch FROM v_all_end[i] - p_now))::integer, 1);
      is_short := false;
      RETURN NEXT;
    END LOOP;
    RETURN;
  END IF;
  -- Those before the one that is missing or used up.
  FOR i IN 1 .. coalesce(cardinality(v_all_used), 0) LOOP
    UPDATE throttle_counters AS c SET attempts = c.attempts - p_costs[i] WHERE c.key = p_keys[i];
  END LOOP;
  FOR i IN 1 .. cardinality(p_keys) LOOP
    INSERT INTO throttle_counters AS c (key, attempts, window_ends_at)
    VALUES (p_keys[i], 0, p_now + make_interval(secs => p_seconds[i]))
    ON CONFLICT (key) DO UPDATE SET attempts = c.attempts
    RETURNING c.attempts, c.window_ends_at INTO v_used, v_ends;
    IF v_ends <= p_now THEN v_used := 0; END IF;
    v_short := v_short OR v_used::bigint + p_costs[i] > p_limits[i];
  END LOOP;
  UPDATE throttle_counters AS c SET
    attempts = CASE WHEN c.window_ends_at <= p_now THEN 0 ELSE c.attempts END
      + CASE WHEN v_short THEN 0 ELSE rule.cost END,
    window_ends_at = CASE WHEN c.window_ends_at <= p_now THEN p_now + make_interval(secs => rule.seconds)
      ELSE c.window_ends_at END
  FROM unnest(p_keys, p_seconds, p_costs) AS rule(key, seconds, cost)
  WHERE c.key = rule.key AND (NOT v_short OR c.window_ends_at <= p_now);
  RETURN QUERY
    SELECT c.key, greatest(rule.allowed - c.attempts, 0),
           greatest(ceil(extract(epoch FROM c.window_ends_at - p_now))::integer, 1),
           v_short AND c.attempts::bigint + rule.cost > rule.allowed
    FROM unnest(p_keys, p_limits, p_costs) WITH ORDINALITY AS rule(key, allowed, cost, position)
    JOIN throttle_counters c ON c.key = rule.key
    ORDER BY rule.position;
END $$;

GRANT EXECUTE ON FUNCTION take_quota TO dermagate_app;
