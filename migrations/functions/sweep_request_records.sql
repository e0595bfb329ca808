-- Deletes cases that expired or were cancelled without ever having been submitted, 30 days after their last change, with
-- all rows that belong to them; `p_limit` cases at most. Photos stay: they are their owner's. The app may delete neither
-- cases nor what patients said: this runs with the rights of the tables' owner, and deletes nothing early even if the app
-- names a later time. The event log, which the app can only append to, is the second witness that a case was never
-- submitted.
CREATE OR REPLACE FUNCTION sweep_request_records(p_tenant integer, p_now timestamptz, p_limit integer)
RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
  SET timezone = 'UTC' SET datestyle = 'ISO, YMD'
AS $$
DECLARE
  v_before text := coalesce(current_setting('app.tenant', true), '');
  v_cases uuid[];
BEGIN
  PERFORM set_config('app.tenant', p_tenant::text, true);
  v_cases := ARRAY(
    SELECT r.uuid FROM request_records r
    WHERE r.tenant_id = p_tenant AND r.submitted_at IS NULL AND r.status IN ('expired', 'cancelled')
      AND r.updated_at <= least(p_now, now()) - interval '30 days'
      AND NOT EXISTS (
        SELECT FROM event_logs e
        WHERE e.tenant_id = p_tenant AND e.case_uuid = r.uuid AND e.category = 'case'
          AND e.action = 'case_submitted')
    ORDER BY r.updated_at LIMIT p_limit FOR UPDATE OF r SKIP LOCKED);
  IF cardinality(v_cases) > 0 THEN
    -- The case and its AI call name each other, and so do the case and its answer.
    UPDATE request_records SET ml_result_uuid = NULL, final_annotation_uuid = NULL
      WHERE uuid = ANY (v_cases) AND (ml_result_uuid IS NOT NULL OR final_annotation_uuid IS NOT NULL);
    DELETE FROM ml_diagnosis_results WHERE tenant_id = p_tenant AND case_uuid = ANY (v_cases);
    DELETE FROM user_check_logs WHERE tenant_id = p_tenant AND case_uuid = ANY (v_cases);
    DELETE FROM audit_annotations WHERE tenant_id = p_tenant AND case_uuid = ANY (v_cases);
    DELETE FROM dermatologist_annotations WHERE tenant_id = p_tenant AND case_uuid = ANY (v_cases);
    DELETE FROM case_skips WHERE tenant_id = p_tenant AND case_uuid = ANY (v_cases);
    DELETE FROM case_messages WHERE tenant_id = p_tenant AND case_uuid = ANY (v_cases);
    DELETE FROM case_images WHERE tenant_id = p_tenant AND case_uuid = ANY (v_cases);
    DELETE FROM request_anamneses WHERE tenant_id = p_tenant AND case_uuid = ANY (v_cases);
    DELETE FROM request_records WHERE uuid = ANY (v_cases);
  END IF;
  PERFORM set_config('app.tenant', v_before, true);
  RETURN cardinality(v_cases);
END $$;

GRANT EXECUTE ON FUNCTION sweep_request_records TO dermagate_app;
