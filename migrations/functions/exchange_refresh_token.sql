-- Exchanges a refresh token for its successor and writes the event, in one round trip. Returns 'exchanged', 'ended' for a
-- session that is not open any more, or 'race' when another request was first: of several with one token exactly one
-- finds it unused. The session's row is locked first, so that rotation, logout and reuse detection of one session queue up.
--
-- Refuses with SQLSTATE RL429, the seconds to wait as its detail, when the counter of `p_rule` is used up: nothing has
-- changed then. The app's own rights apply; the tenant is set for the transaction of this statement only.
CREATE OR REPLACE FUNCTION exchange_refresh_token(p_tenant integer, p_session uuid, p_token bigint,
                                                  p_hash bytea, p_sealed bytea, p_expires timestamptz,
                                                  p_key bytea, p_limit integer, p_seconds integer,
                                                  p_received timestamptz, p_event jsonb, p_now timestamptz)
RETURNS text
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp
AS $$
DECLARE
  v_user integer; v_wait integer;
  e event_logs := jsonb_populate_record(NULL::event_logs, p_event);
BEGIN
  PERFORM set_config('app.tenant', p_tenant::text, true);
  UPDATE sessions SET last_used_at = p_now, idle_expires_at = p_expires
  WHERE uuid = p_session AND revoked_at IS NULL AND absolute_expires_at > p_now;
  IF NOT FOUND THEN RETURN 'ended'; END IF;
  UPDATE refresh_tokens
  SET revoked = true, revoked_reason = 'rotated', rotated_at = p_now, sealed_successor = p_sealed
  WHERE id = p_token AND NOT revoked AND expires_at > p_now
  RETURNING user_id INTO v_user;
  IF NOT FOUND THEN RETURN 'race'; END IF;
  INSERT INTO refresh_tokens (tenant_id, user_id, session_uuid, token_hash, expires_at, created_at)
  VALUES (p_tenant, v_user, p_session, p_hash, p_expires, p_now);
  v_wait := reserve_attempt(ARRAY[p_key], ARRAY[p_limit], ARRAY[p_seconds], p_received);
  IF v_wait > 0 THEN
    RAISE EXCEPTION 'too many refreshes' USING ERRCODE = 'RL429', DETAIL = v_wait::text;
  END IF;
  INSERT INTO event_logs (uuid, tenant_id, category, action, outcome, actor_user_id, actor_kind, session_id,
    subject_kind, subject_uuid, request_id, ip_prefix, detail)
  VALUES (e.uuid, p_tenant, e.category, e.action, e.outcome, e.actor_user_id, e.actor_kind, e.session_id,
    e.subject_kind, e.subject_uuid, e.request_id, e.ip_prefix, e.detail);
  RETURN 'exchanged';
END $$;

GRANT EXECUTE ON FUNCTION exchange_refresh_token TO dermagate_app;
