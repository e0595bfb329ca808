-- Creates the partitions of the event log for the current period and the next two of each category, and for rows in a
-- default partition, which are moved into theirs; nothing in a default partition ever expires. Returns how many are
-- new. Runs with the rights of the tables' owner, by the database's clock, which stamps the rows (default of
-- event_logs.at). Date style and time zone are pinned: bounds are written as text.
CREATE OR REPLACE FUNCTION create_event_log_partitions() RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
  SET timezone = 'UTC' SET datestyle = 'ISO, YMD'
AS $$
DECLARE
  v_category text; v_unit text; v_default text; v_unplaced timestamptz[]; v_from timestamptz; v_to timestamptz;
  v_name text; v_made integer := 0;
BEGIN
  FOREACH v_category IN ARRAY ARRAY['auth', 'ai', 'system', 'access', 'case', 'admin'] LOOP
    v_unit := CASE WHEN v_category IN ('auth', 'ai', 'system') THEN 'month' ELSE 'year' END;
    v_default := 'event_logs_' || v_category || '_default';
    EXECUTE format('SELECT array_agg(DISTINCT date_trunc(%L, at, ''UTC'')) FROM public.%I', v_unit, v_default)
      INTO v_unplaced;
    FOR v_from IN
      SELECT (date_trunc(v_unit, now() AT TIME ZONE 'UTC') + n * ('1 ' || v_unit)::interval) AT TIME ZONE 'UTC'
      FROM generate_series(0, 2) AS n
      UNION SELECT unnest(v_unplaced) ORDER BY 1
    LOOP
      v_to := (v_from AT TIME ZONE 'UTC' + ('1 ' || v_unit)::interval) AT TIME ZONE 'UTC';
      v_name := format('event_logs_%s_%s', v_category, to_char(v_from AT TIME ZONE 'UTC',
        CASE v_unit WHEN 'month' THEN 'YYYY"m"MM' ELSE 'YYYY' END));
      CONTINUE WHEN to_regclass('public.' || v_name) IS NOT NULL;
      EXECUTE format('CREATE TABLE public.%I (LIKE public.event_logs INCLUDING ALL)', v_name);
      EXECUTE format('INSERT INTO public.%I SELECT * FROM public.%I WHERE at >= %L AND at < %L',
        v_name, v_default, v_from, v_to);
      EXECUTE format('DELETE FROM public.%I WHERE at >= %L AND at < %L', v_default, v_from, v_to);
      EXECUTE format('ALTER TABLE public.%I ATTACH PARTITION public.%I FOR VALUES FROM (%L) TO (%L)',
        'event_logs_' || v_category, v_name, v_from, v_to);
      v_made := v_made + 1;
    END LOOP;
  END LOOP;
  RETURN v_made;
END $$;

GRANT EXECUTE ON FUNCTION create_event_log_partitions TO dermagate_app;

-- A new database has its partitions at once; later the timer creates them.
SELECT create_event_log_partitions();
