-- Drops an expired partition of the event log, with the rights of the tables' owner. Refuses any other name, and never
-- drops early even if the app names a later time. Bounds are read as text, so date style and time zone are pinned.
CREATE OR REPLACE FUNCTION drop_event_log_partition(p_name text, p_now timestamptz) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
  SET timezone = 'UTC' SET datestyle = 'ISO, YMD'
AS $$
DECLARE
  v_category text := substring(p_name from '^event_logs_(auth|ai|system|access|case|admin)_[0-9]{4}(?:m[0-9]{2})?$');
  v_last timestamptz;
BEGIN
  IF v_category IS NULL THEN RAISE EXCEPTION 'not a partition of event_logs: %', p_name; END IF;
  SELECT (regexp_match(pg_get_expr(c.relpartbound, c.oid), 'TO [(]''([^'']+)''[)]'))[1]::timestamptz
    INTO v_last FROM pg_class c WHERE c.oid = to_regclass('public.' || quote_ident(p_name));
  IF v_last IS NULL THEN RAISE EXCEPTION 'no such partition: %', p_name; END IF;
  IF v_last > least(p_now, now()) - event_log_retention(v_category) THEN
    RAISE EXCEPTION '% must still be kept', p_name;
  END IF;
  EXECUTE format('DROP TABLE public.%I', p_name);
END $$;

GRANT EXECUTE ON FUNCTION drop_event_log_partition TO dermagate_app;
