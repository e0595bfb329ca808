-- Writes calls of the AI service, each with its result row and its event, in one round trip and one commit: the patients'
-- answers wait for it. `p_calls` is a list of pairs, the columns of the one and of the other. The app's own rights apply;
-- the tenant is set for the transaction of this statement only.
CREATE OR REPLACE FUNCTION record_ai_calls(p_calls jsonb) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp
AS $$
DECLARE
  v_call jsonb; r ml_diagnosis_results; e event_logs;
BEGIN
  FOR v_call IN SELECT jsonb_array_elements(p_calls) LOOP
    r := jsonb_populate_record(NULL::ml_diagnosis_results, v_call -> 0);
    e := jsonb_populate_record(NULL::event_logs, v_call -> 1);
    PERFORM set_config('app.tenant', r.tenant_id::text, true);
    INSERT INTO ml_diagnosis_results (uuid, tenant_id, case_uuid, user_id, kind, input_sha256, anamnesis_revision,
      anamnesis, answer, outcome, safety_net, model_version, latency_ms, language, request_id)
    VALUES (r.uuid, r.tenant_id, r.case_uuid, r.user_id, r.kind, r.input_sha256, r.anamnesis_revision, r.anamnesis,
      r.answer, r.outcome, r.safety_net, r.model_version, r.latency_ms, r.language, r.request_id);
    INSERT INTO event_logs (uuid, tenant_id, category, action, outcome, actor_user_id, actor_kind, session_id,
      subject_kind, subject_uuid, case_uuid, request_id, ip_prefix, detail)
    VALUES (e.uuid, r.tenant_id, e.category, e.action, e.outcome, e.actor_user_id, e.actor_kind, e.session_id,
      'ml_diagnosis_result', r.uuid, r.case_uuid, r.request_id, e.ip_prefix, e.detail);
  END LOOP;
END $$;

GRANT EXECUTE ON FUNCTION record_ai_calls TO dermagate_app;
