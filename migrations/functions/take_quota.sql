-- Takes from all of a caller's quotas, or, when any is used up, from none. Returns what remains of each, in the order
-- given: the RateLimit headers report it. A quota counts what it is a quota of: requests, or bytes.
CREATE OR REPLACE FUNCTION take_quota(p_keys bytea[], p_limits integer[], p_seconds integer[], p_costs integer[],
                                      p_now timestamptz)
RETURNS TABLE (key bytea, remaining integer, resets_in integer, is_short boolean)
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp
AS $$
#variable_conflict use_column
DECLARE v_rule record; v_used integer; v_ends timestamptz; v_short boolean := false;
BEGIN
  FOR v_rule IN
    SELECT * FROM unnest(p_keys, p_limits, p_seconds, p_costs) AS rule(key, allowed, seconds, cost) ORDER BY key
  LOOP
    INSERT INTO throttle_counters AS c (key, attempts, window_ends_at)
    VALUES (v_rule.key, 0, p_now + make_interval(secs => v_rule.seconds))
    ON CONFLICT (key) DO UPDATE SET
      attempts = CASE WHEN c.window_ends_at <= p_now THEN 0 ELSE c.attempts END,
      window_ends_at = CASE WHEN c.window_ends_at <= p_now THEN excluded.window_ends_at ELSE c.window_ends_at END
    RETURNING c.attempts INTO v_used;
    v_short := v_short OR v_used::bigint + v_rule.cost > v_rule.allowed;
  END LOOP;
  IF NOT v_short THEN
    UPDATE throttle_counters AS c SET attempts = c.attempts + rule.cost
    FROM unnest(p_keys, p_costs) AS rule(key, cost) WHERE c.key = rule.key;
  END IF;
  RETURN QUERY
    SELECT c.key, greatest(rule.allowed - c.attempts, 0),
           greatest(ceil(extract(epoch FROM c.window_ends_at - p_now))::integer, 1),
           v_short AND c.attempts::bigint + rule.cost > rule.allowed
    FROM unnest(p_keys, p_limits, p_costs) WITH ORDINALITY AS rule(key, allowed, cost, position)
    JOIN throttle_counters c ON c.key = rule.key
    ORDER BY rule.position;
END $$;

GRANT EXECUTE ON FUNCTION take_quota TO dermagate_app;
