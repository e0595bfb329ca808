-- Deletes AI calls that belong to no case after two years, and their anamneses after 90 days; `p_limit` rows of each at
-- most. The app may neither change nor delete such rows: this runs with the rights of the tables' owner, and deletes
-- nothing early even if the app names a later time. The time zone is pinned: the length of a day must not depend on the
-- caller's.
--
-- Planned anew for each tenant: a plan made for one with a few rows reads all rows of a large one.
CREATE OR REPLACE FUNCTION sweep_ml_diagnosis_results(p_tenant integer, p_now timestamptz, p_limit integer)
RETURNS TABLE (deleted integer, blanked integer)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
  SET timezone = 'UTC' SET datestyle = 'ISO, YMD' SET plan_cache_mode = force_custom_plan
AS $$
DECLARE
  v_now timestamptz := least(p_now, now());
  v_before text := coalesce(current_setting('app.tenant', true), '');
BEGIN
  PERFORM set_config('app.tenant', p_tenant::text, true);
  DELETE FROM ml_diagnosis_results WHERE uuid = ANY (ARRAY(
    SELECT uuid FROM ml_diagnosis_results
    WHERE tenant_id = p_tenant AND case_uuid IS NULL AND created_at <= v_now - interval '2 years'
    ORDER BY created_at LIMIT p_limit FOR UPDATE SKIP LOCKED));
  GET DIAGNOSTICS deleted = ROW_COUNT;
  UPDATE ml_diagnosis_results SET anamnesis = NULL WHERE uuid = ANY (ARRAY(
    SELECT uuid FROM ml_diagnosis_results
    WHERE tenant_id = p_tenant AND case_uuid IS NULL AND anamnesis IS NOT NULL
      AND created_at <= v_now - interval '90 days'
    ORDER BY created_at LIMIT p_limit FOR UPDATE SKIP LOCKED));
  GET DIAGNOSTICS blanked = ROW_COUNT;
  PERFORM set_config('app.tenant', v_before, true);
  RETURN NEXT;
END $$;

GRANT EXECUTE ON FUNCTION sweep_ml_diagnosis_results TO dermagate_app;
