-- Ends open sessions of one user, which the caller has locked, with their refresh tokens and push devices, and writes the
-- notices from which their streams learn it.
--
-- Several statements, because the later ones must see the token that a rotation has just inserted, for whose lock on the
-- session the caller has waited.
CREATE OR REPLACE FUNCTION end_sessions(
  p_user integer, p_sessions uuid[], p_reason text, p_replaced_by uuid, p_now timestamptz
) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
  UPDATE sessions SET revoked_at = p_now, revoked_reason = p_reason, replaced_by = p_replaced_by
  WHERE uuid = ANY (p_sessions);
  DELETE FROM push_devices WHERE session_uuid = ANY (p_sessions);
  UPDATE refresh_tokens SET revoked = true, revoked_reason = 'session_ended'
  WHERE NOT revoked AND session_uuid = ANY (p_sessions);
  PERFORM add_notices(
    p_user,
    (SELECT jsonb_agg(
       CASE WHEN p_replaced_by IS NULL
         THEN jsonb_build_object('kind', 'session.revoked',
           'payload', jsonb_build_object('session_uuid', ended, 'reason', p_reason))
         ELSE jsonb_build_object('kind', 'session.replaced',
           'payload', jsonb_build_object('session_uuid', ended, 'replaced_by', p_replaced_by))
       END)
     FROM unnest(p_sessions) AS ended),
    p_now);
END $$;

GRANT EXECUTE ON FUNCTION end_sessions TO dermagate_app;
