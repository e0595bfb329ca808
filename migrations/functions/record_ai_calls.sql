-- Writes calls of the AI service, each with its result row and its event, in one round trip and one commit: the patients'
-- answers wait for it. `p_calls` has an object for each tenant: `results` and `events` are lists of their rows, written by
-- one statement each. The app's own rights apply; tenants are set for the transaction of this statement only.
CREATE OR REPLACE FUNCTION record_ai_calls(p_calls jsonb) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp
AS $$
DECLARE
  v_results jsonb; v_events jsonb;
BEGIN
  FOR v_results, v_events IN SELECT * FROM jsonb_to_recordset(p_calls) AS of_tenant (results jsonb, events jsonb) LOOP
    PERFORM set_config('app.tenant', v_results #>> '{0,tenant_id}', true);
    INSERT INTO ml_diagnosis_results (uuid, tenant_id, case_uuid, user_id, kind, input_sha256, anamnesis_revision,
      anamnesis, answer, outcome, safety_net, model_version, latency_ms, language, request_id)
    SELECT uuid, tenant_id, case_uuid, user_id, kind, input_sha256, anamnesis_revision,
      anamnesis, answer, outcome, safety_net, model_version, latency_ms, language, request_id
    FROM jsonb_populate_recordset(NULL::ml_diagnosis_results, v_results);
    INSERT INTO event_logs (uuid, tenant_id, category, action, outcome, actor_user_id, actor_kind, session_id,
      subject_kind, subject_uuid, case_uuid, request_id, ip_prefix, detail)
    SELECT uuid, tenant_id, category, action, outcome, actor_user_id, actor_kind, session_id,
      subject_kind, subject_uuid, case_uuid, request_id, ip_prefix, detail
    FROM jsonb_populate_recordset(NULL::event_logs, v_events);
  END LOOP;
END $$;

GRANT EXECUTE ON FUNCTION record_ai_calls TO dermagate_app;
