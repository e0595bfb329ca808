-- Removes a member that reserve_distinct counted.
CREATE OR REPLACE FUNCTION release_distinct(p_counter bytea, p_member bytea) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
  PERFORM FROM throttle_counters WHERE key = p_counter FOR UPDATE;
  DELETE FROM throttle_counters WHERE key = p_member;
  UPDATE throttle_counters SET attempts = greatest(attempts - 1, 0) WHERE key = p_counter AND FOUND;
END $$;

GRANT EXECUTE ON FUNCTION release_distinct TO dermagate_app;
