-- As create_event_partitions_of, of all categories at once. A version before it calls this one; a later version drops it.
CREATE OR REPLACE FUNCTION create_event_log_partitions() RETURNS integer
LANGUAGE sql SET search_path = pg_catalog, public, pg_temp
AS $$
  SELECT sum(create_event_partitions_of(category))::integer
  FROM unnest(ARRAY['auth', 'ai', 'system', 'access', 'case', 'admin']) AS category
$$;

GRANT EXECUTE ON FUNCTION create_event_log_partitions TO dermagate_app;
