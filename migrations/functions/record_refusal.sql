-- Writes an event for a refusal; refusals of one kind (`p_key`) within `p_seconds` become one event with a count, so
-- that a flood leaves one row per window and not per request.
CREATE OR REPLACE FUNCTION record_refusal(p_key bytea, p_seconds integer, p_now timestamptz, p_event jsonb)
RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp
AS $$
DECLARE
  e event_logs := jsonb_populate_record(NULL::event_logs, p_event);
  w refusal_windows;
BEGIN
  -- The lock of this row serialises refusals of one kind.
  INSERT INTO refusal_windows AS r (key, category, window_ends_at)
  VALUES (p_key, e.category, p_now + make_interval(secs => p_seconds))
  ON CONFLICT (key) DO UPDATE SET key = r.key
  RETURNING * INTO w;
  IF w.event_id IS NOT NULL AND w.window_ends_at > p_now THEN
    IF count_refusal(w.category, w.event_id, w.event_at, p_now) THEN RETURN; END IF;
  END IF;
  -- An account that was erased while its request was under way: its event names neither session nor network, as those before.
  -- Until then the erasure waits for this transaction.
  PERFORM FROM users u WHERE u.tenant_id = e.tenant_id AND u.id = e.actor_user_id FOR KEY SHARE;
  IF e.actor_user_id IS NOT NULL AND NOT FOUND THEN
    e.session_id := NULL;
    e.ip_prefix := NULL;
  END IF;
  -- The defaults of the columns, but not by RETURNING: the app may not read an event without a tenant.
  w.event_id := nextval('event_logs_id_seq');
  w.event_at := now();
  INSERT INTO event_logs (id, at, uuid, tenant_id, category, action, outcome, actor_user_id, actor_kind, session_id,
    subject_kind, subject_uuid, request_id, ip_prefix, detail)
  VALUES (w.event_id, w.event_at, e.uuid, e.tenant_id, e.category, e.action, e.outcome, e.actor_user_id, e.actor_kind,
    e.session_id, e.subject_kind, e.subject_uuid, e.request_id, e.ip_prefix, e.detail);
  UPDATE refusal_windows
  SET event_id = w.event_id, event_at = w.event_at, window_ends_at = p_now + make_interval(secs => p_seconds)
  WHERE key = p_key;
END $$;

GRANT EXECUTE ON FUNCTION record_refusal TO dermagate_app;
