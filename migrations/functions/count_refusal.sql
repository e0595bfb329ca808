-- Increments the count of one refusal event; false when there is none to increment. Runs with the rights of the tables'
-- owner, because the app may not update the event log: only the count of a refusal changes, it only grows, and only for
-- a day by the database's clock. The time zone is pinned: the length of a day must not depend on the caller's.
CREATE OR REPLACE FUNCTION count_refusal(p_category text, p_id bigint, p_at timestamptz, p_now timestamptz)
RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
  SET timezone = 'UTC' SET datestyle = 'ISO, YMD'
AS $$
DECLARE v_changed integer;
BEGIN
  IF p_category NOT IN ('auth', 'ai', 'system', 'access', 'case', 'admin') THEN
    RAISE EXCEPTION 'not a category of event_logs: %', p_category;
  END IF;
  EXECUTE format(
    'UPDATE public.%I SET detail = detail || jsonb_build_object(
       ''count'', coalesce((detail ->> ''count'')::integer, 1) + 1, ''last_at'', $3)
     WHERE id = $1 AND at = $2 AND at > now() - interval ''1 day'' AND outcome IN (''failure'', ''denied'')',
    'event_logs_' || p_category) USING p_id, p_at, p_now;
  GET DIAGNOSTICS v_changed = ROW_COUNT;
  RETURN v_changed = 1;
END $$;

GRANT EXECUTE ON FUNCTION count_refusal TO dermagate_app;
