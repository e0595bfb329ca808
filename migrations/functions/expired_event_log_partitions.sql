-- Partitions of the event log whose last moment is beyond the retention of their category, oldest first. A default
-- partition has no bounds and never expires. Bounds are read as text, so date style and time zone are pinned.
CREATE OR REPLACE FUNCTION expired_event_log_partitions(p_now timestamptz) RETURNS SETOF text
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp
  SET timezone = 'UTC' SET datestyle = 'ISO, YMD'
AS $$
  SELECT relname FROM (
    SELECT c.relname, substring(parent.relname from '^event_logs_(.*)$') AS category,
      (regexp_match(pg_get_expr(c.relpartbound, c.oid), 'TO [(]''([^'']+)''[)]'))[1]::timestamptz AS ends_at
    FROM pg_inherits i
    JOIN pg_class c ON c.oid = i.inhrelid
    JOIN pg_class parent ON parent.oid = i.inhparent
    WHERE parent.oid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent = 'public.event_logs'::regclass)
  ) AS partitions
  WHERE ends_at <= least(p_now, now()) - event_log_retention(category)
  ORDER BY ends_at, relname
$$;

GRANT EXECUTE ON FUNCTION expired_event_log_partitions TO dermagate_app;
