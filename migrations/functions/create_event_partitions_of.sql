-- Creates the partitions of the event log for the current period and the next two of a category, and for rows in its
-- default partition, which are moved into theirs; nothing in a default partition ever expires. Returns how many are
-- new. Runs with the rights of the tables' owner, by the database's clock, which stamps the rows (default of
-- event_logs.at). Date style and time zone are pinned: bounds are written as text.
--
-- The category is locked before rows are moved, so that none is written between being copied and being deleted. A writer
-- that waits for its parent finds the new partition; one that waits for the default partition would be refused. The lock
-- excludes readers as well: the default partition is locked for attaching, and a reader that writes next would wait for
-- this function while it waits for the reader. It waits less long than requests do (lib/db/connect.ts), which queue behind it.
CREATE OR REPLACE FUNCTION create_event_partitions_of(p_category text) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
  SET timezone = 'UTC' SET datestyle = 'ISO, YMD' SET lock_timeout = '1s'
AS $$
DECLARE
  v_unit text := CASE WHEN p_category IN ('auth', 'ai', 'system') THEN 'month' ELSE 'year' END;
  v_parent text := 'event_logs_' || p_category;
  v_default text := v_parent || '_default';
  v_unplaced timestamptz[]; v_from timestamptz; v_to timestamptz; v_name text; v_made integer := 0;
BEGIN
  IF p_category IS NULL OR p_category NOT IN ('auth', 'ai', 'system', 'access', 'case', 'admin') THEN
    RAISE EXCEPTION 'not a category of event_logs: %', p_category;
  END IF;
  EXECUTE format('SELECT array_agg(DISTINCT date_trunc(%L, at, ''UTC'')) FROM public.%I', v_unit, v_default)
    INTO v_unplaced;
  FOR v_from IN
    SELECT (date_trunc(v_unit, now() AT TIME ZONE 'UTC') + n * ('1 ' || v_unit)::interval) AT TIME ZONE 'UTC'
    FROM generate_series(0, 2) AS n
    UNION SELECT unnest(v_unplaced) ORDER BY 1
  LOOP
    v_to := (v_from AT TIME ZONE 'UTC' + ('1 ' || v_unit)::interval) AT TIME ZONE 'UTC';
    v_name := format('%s_%s', v_parent, to_char(v_from AT TIME ZONE 'UTC',
      CASE v_unit WHEN 'month' THEN 'YYYY"m"MM' ELSE 'YYYY' END));
    CONTINUE WHEN to_regclass('public.' || v_name) IS NOT NULL;
    EXECUTE format('CREATE TABLE public.%I (LIKE public.event_logs INCLUDING ALL)', v_name);
    EXECUTE format('LOCK TABLE ONLY public.%I IN ACCESS EXCLUSIVE MODE', v_parent);
    EXECUTE format(
      'WITH moved AS (DELETE FROM public.%I WHERE at >= %L AND at < %L RETURNING *)
       INSERT INTO public.%I SELECT * FROM moved', v_default, v_from, v_to, v_name);
    EXECUTE format('ALTER TABLE public.%I ATTACH PARTITION public.%I FOR VALUES FROM (%L) TO (%L)',
      v_parent, v_name, v_from, v_to);
    v_made := v_made + 1;
  END LOOP;
  RETURN v_made;
END $$;

GRANT EXECUTE ON FUNCTION create_event_partitions_of TO dermagate_app;

-- A new database has its partitions at once; later the timer creates them.
SELECT create_event_partitions_of(category)
FROM unnest(ARRAY['auth', 'ai', 'system', 'access', 'case', 'admin']) AS category;
