-- Deletes checks of whether a person may do something, two years after they were made; `p_limit` rows at most. The app may
-- neither change nor delete such rows: this runs with the rights of the tables' owner, and deletes nothing early even if
-- the app names a later time.
--
-- Planned anew for each tenant: a plan made for one with a few rows reads all rows of a large one.
CREATE OR REPLACE FUNCTION sweep_user_check_logs(p_tenant integer, p_now timestamptz, p_limit integer)
RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
  SET timezone = 'UTC' SET datestyle = 'ISO, YMD' SET plan_cache_mode = force_custom_plan
AS $$
DECLARE
  v_before text := coalesce(current_setting('app.tenant', true), '');
  v_deleted integer;
BEGIN
  PERFORM set_config('app.tenant', p_tenant::text, true);
  DELETE FROM user_check_logs WHERE id = ANY (ARRAY(
    SELECT id FROM user_check_logs
    WHERE tenant_id = p_tenant AND created_at <= least(p_now, now()) - interval '2 years'
    ORDER BY created_at LIMIT p_limit FOR UPDATE SKIP LOCKED));
  GET DIAGNOSTICS v_deleted = ROW_COUNT;
  PERFORM set_config('app.tenant', v_before, true);
  RETURN v_deleted;
END $$;

GRANT EXECUTE ON FUNCTION sweep_user_check_logs TO dermagate_app;
