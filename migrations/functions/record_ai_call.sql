-- Writes a call of the AI service, its result row and its event, in one round trip: the patient's answer waits for it.
-- The app's own rights apply; the tenant is set for the transaction of this statement only.
CREATE OR REPLACE FUNCTION record_ai_call(p_result jsonb, p_event jsonb) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp
AS $$
DECLARE
  r ml_diagnosis_results := jsonb_populate_record(NULL::ml_diagnosis_results, p_result);
  e event_logs := jsonb_populate_record(NULL::event_logs, p_event);
BEGIN
  PERFORM set_config('app.tenant', r.tenant_id::text, true);
  INSERT INTO ml_diagnosis_results (uuid, tenant_id, case_uuid, user_id, kind, input_sha256, anamnesis_revision,
    anamnesis, answer, outcome, safety_net, model_version, latency_ms, language, request_id)
  VALUES (r.uuid, r.tenant_id, r.case_uuid, r.user_id, r.kind, r.input_sha256, r.anamnesis_revision, r.anamnesis,
    r.answer, r.outcome, r.safety_net, r.model_version, r.latency_ms, r.language, r.request_id);
  INSERT INTO event_logs (uuid, tenant_id, category, action, outcome, actor_user_id, actor_kind, session_id,
    subject_kind, subject_uuid, case_uuid, request_id, ip_prefix, detail)
  VALUES (e.uuid, r.tenant_id, e.category, e.action, e.outcome, e.actor_user_id, e.actor_kind, e.session_id,
    'ml_diagnosis_result', r.uuid, r.case_uuid, r.request_id, e.ip_prefix, e.detail);
END $$;

GRANT EXECUTE ON FUNCTION record_ai_call TO dermagate_app;
