-- Counts the distinct members of a set, such as the addresses that a network tries: a member has a row of its own until
-- the window ends. The counter's row is locked first, so that concurrent members never pass the limit together.
CREATE OR REPLACE FUNCTION reserve_distinct(p_counter bytea, p_member bytea, p_limit integer, p_seconds integer,
                                            p_now timestamptz, OUT wait integer, OUT is_new boolean)
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp
AS $$
DECLARE v_attempts integer; v_ends timestamptz;
BEGIN
  INSERT INTO throttle_counters AS c (key, attempts, window_ends_at)
  VALUES (p_counter, 0, p_now + make_interval(secs => p_seconds))
  ON CONFLICT (key) DO UPDATE SET
    attempts = CASE WHEN c.window_ends_at <= p_now THEN 0 ELSE c.attempts END,
    in_flight = 0,
    window_ends_at = CASE WHEN c.window_ends_at <= p_now THEN excluded.window_ends_at ELSE c.window_ends_at END
  RETURNING c.attempts, c.window_ends_at INTO v_attempts, v_ends;
  wait := 0;
  is_new := NOT EXISTS (SELECT FROM throttle_counters WHERE key = p_member AND window_ends_at > p_now);
  IF NOT is_new THEN RETURN; END IF;
  IF v_attempts >= p_limit THEN
    wait := greatest(ceil(extract(epoch FROM v_ends - p_now))::integer, 1);
    is_new := false;
    RETURN;
  END IF;
  INSERT INTO throttle_counters AS c (key, attempts, window_ends_at) VALUES (p_member, 1, v_ends)
  ON CONFLICT (key) DO UPDATE SET attempts = 1, window_ends_at = excluded.window_ends_at;
  UPDATE throttle_counters SET attempts = attempts + 1 WHERE key = p_counter;
END $$;

GRANT EXECUTE ON FUNCTION reserve_distinct TO dermagate_app;
