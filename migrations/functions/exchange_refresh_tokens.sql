-- Exchanges refresh tokens for their successors and writes the events, in one round trip and one commit: the callers wait
-- for it. Returns for each exchange in the order given: 'exchanged', 'ended' for a session that is not open any more,
-- 'race' when another request was first (of several with one token exactly one finds it unused), or 'limited' with the
-- seconds to wait when the session's counter is used up: nothing of it has changed then. A session's row is locked first,
-- so that rotation, logout and reuse detection of one session queue up.
--
-- The caller orders the exchanges by user and session, so that two calls lock rows in the same order and never deadlock.
-- The app's own rights apply; tenants are set for the transaction of this statement only.
CREATE OR REPLACE FUNCTION exchange_refresh_tokens(p_exchanges jsonb)
RETURNS TABLE (outcome text, wait integer)
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp
AS $$
DECLARE
  x record; e event_logs;
BEGIN
  FOR x IN
    SELECT * FROM jsonb_to_recordset(p_exchanges) AS exchange (
      tenant integer, user_id integer, session uuid, token bigint, hash bytea, sealed bytea, expires timestamptz, now timestamptz,
      key bytea, allowed integer, seconds integer, received timestamptz, event jsonb)
  LOOP
    PERFORM set_config('app.tenant', x.tenant::text, true);
    wait := 0;
    BEGIN
      UPDATE sessions SET last_used_at = x.now, idle_expires_at = x.expires
      WHERE uuid = x.session AND revoked_at IS NULL AND absolute_expires_at > x.now;
      IF NOT FOUND THEN
        outcome := 'ended';
      ELSE
        UPDATE refresh_tokens
        SET revoked = true, revoked_reason = 'rotated', rotated_at = x.now, sealed_successor = x.sealed
        WHERE id = x.token AND NOT revoked AND expires_at > x.now;
        IF NOT FOUND THEN
          outcome := 'race';
        ELSE
          outcome := 'exchanged';
          wait := reserve_attempt(ARRAY[x.key], ARRAY[x.allowed], ARRAY[x.seconds], x.received);
          -- Undoes the two updates.
          IF wait > 0 THEN RAISE EXCEPTION 'too many refreshes' USING ERRCODE = 'RL429'; END IF;
          INSERT INTO refresh_tokens (tenant_id, user_id, session_uuid, token_hash, expires_at, created_at)
          VALUES (x.tenant, x.user_id, x.session, x.hash, x.expires, x.now);
          e := jsonb_populate_record(NULL::event_logs, x.event);
          INSERT INTO event_logs (uuid, tenant_id, category, action, outcome, actor_user_id, actor_kind, session_id,
            subject_kind, subject_uuid, request_id, ip_prefix, detail)
          VALUES (e.uuid, x.tenant, e.category, e.action, e.outcome, e.actor_user_id, e.actor_kind, e.session_id,
            e.subject_kind, e.subject_uuid, e.request_id, e.ip_prefix, e.detail);
        END IF;
      END IF;
    EXCEPTION WHEN SQLSTATE 'RL429' THEN
      outcome := 'limited';
    END;
    RETURN NEXT;
  END LOOP;
END $$;

GRANT EXECUTE ON FUNCTION exchange_refresh_tokens TO dermagate_app;
