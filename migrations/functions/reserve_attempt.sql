-- Takes one attempt from every counter, or, when any is used up, from none. Rows are locked in the order of their keys,
-- so that concurrent attempts queue up and never deadlock. A refused attempt leaves no row: otherwise a flood of
-- made-up addresses would leave two for each of them.
--
-- Returns the seconds to wait; 0: reserved; -1: attempts in flight occupy the last slots (only with `p_hold`, by which
-- the caller promises to report the outcome).
CREATE OR REPLACE FUNCTION reserve_attempt(p_keys bytea[], p_limits integer[], p_seconds integer[],
                                           p_now timestamptz, p_hold boolean DEFAULT false)
RETURNS integer
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp
AS $$
DECLARE
  v_rule record; v_attempts integer; v_in_flight integer; v_ends timestamptz; v_wait integer := 0;
  v_occupied boolean := false;
BEGIN
  IF cardinality(p_keys) = 1 THEN
    -- Nearly always the counter is there and not used up: it is written once.
    UPDATE throttle_counters AS c SET attempts = c.attempts + 1, in_flight = c.in_flight + p_hold::integer
    WHERE c.key = p_keys[1] AND c.window_ends_at > p_now AND c.attempts < p_limits[1];
    IF FOUND THEN RETURN 0; END IF;
  END IF;
  FOR v_rule IN
    SELECT * FROM unnest(p_keys, p_limits, p_seconds) AS rule(key, allowed, seconds) ORDER BY key
  LOOP
    INSERT INTO throttle_counters AS c (key, attempts, window_ends_at)
    VALUES (v_rule.key, 0, p_now + make_interval(secs => v_rule.seconds))
    ON CONFLICT (key) DO UPDATE SET
      attempts = CASE WHEN c.window_ends_at <= p_now THEN 0 ELSE c.attempts END,
      in_flight = CASE WHEN c.window_ends_at <= p_now THEN 0 ELSE c.in_flight END,
      window_ends_at = CASE WHEN c.window_ends_at <= p_now
        THEN excluded.window_ends_at ELSE c.window_ends_at END
    RETURNING c.attempts, c.in_flight, c.window_ends_at INTO v_attempts, v_in_flight, v_ends;
    CONTINUE WHEN v_attempts < v_rule.allowed;
    IF p_hold AND v_attempts - v_in_flight < v_rule.allowed THEN
      v_occupied := true;
    ELSE
      v_wait := greatest(v_wait, ceil(extract(epoch FROM v_ends - p_now))::integer, 1);
    END IF;
  END LOOP;
  IF v_wait > 0 OR v_occupied THEN
    -- This transaction has locked all of these rows.
    DELETE FROM throttle_counters WHERE key = ANY (p_keys) AND attempts = 0 AND in_flight = 0;
    RETURN CASE WHEN v_wait > 0 THEN v_wait ELSE -1 END;
  END IF;
  UPDATE throttle_counters SET attempts = attempts + 1, in_flight = in_flight + p_hold::integer
  WHERE key = ANY (p_keys);
  RETURN 0;
END $$;

GRANT EXECUTE ON FUNCTION reserve_attempt TO dermagate_app;
