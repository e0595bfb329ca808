-- Exchanges refresh tokens for their successors and writes the events, in one round trip and one commit: the callers wait
-- for it. Tokens are presented by their SHA-256 (`p_hashes`), each at a time of its own (`p_times`), and what belongs to
-- each stands at its place in `p_renewals`. Returns for each token that exists, `place` counted from 1, its session and
-- the outcome:
--   'exchanged';
--   'unusable': revoked, expired, or session, user or tenant are off;
--   'ended': its session has ended since the token was found;
--   'race': another request was first; of several with one token exactly one finds it unused;
--   'limited', with the seconds to wait: the renewals of its session are used up.
-- Of all but the first nothing has changed, except that a race is a use of its session. A session's row is locked before
-- its tokens are, so that rotation, logout and reuse detection of one session queue up.
--
-- Sessions are locked in the order of tenant, user and id, so that two calls never deadlock. Successors and events are
-- gathered, and inserted by one statement each for a tenant. The app's own rights apply; tenants are set for the
-- transaction of this statement only.
--
-- Tokens are marked as used last, so that `rotated_at` is close to the commit: other requests see the exchange only then,
-- and one that arrived before is a race and no reuse, however long this call has waited for locks. The app's time, read
-- when it sent the statement, is the base; the database's clock only measures what has passed since, because an offset
-- between the two clocks would use up REFRESH_RACE_SKEW_MS.
CREATE OR REPLACE FUNCTION renew_sessions(p_hashes bytea[], p_times timestamptz[], p_renewals jsonb)
RETURNS TABLE (place bigint, outcome text, wait integer, session_uuid uuid, tenant_id integer, user_id integer,
               user_uuid uuid, role text)
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp
AS $$
#variable_conflict use_column
DECLARE
  x record; v_until timestamptz; v_tenant integer; v_tenants integer[] := '{}';
  -- The successors, each with the id of the token that it replaces.
  r refresh_tokens; v_successors refresh_tokens[] := '{}'; v_used bigint[] := '{}';
  e event_logs; v_events event_logs[] := '{}';
BEGIN
  FOR x IN
    SELECT token.*, asked.*, p_times[token.place] AS now
    FROM find_refresh_tokens(p_hashes, p_times) AS token
    JOIN ROWS FROM (jsonb_to_recordset(p_renewals) AS (
      successor bytea, sealed bytea, expires timestamptz, received timestamptz, allowed integer, seconds integer, event jsonb
    )) WITH ORDINALITY AS asked (successor, sealed, expires, received, allowed, seconds, event, at) ON asked.at = token.place
    ORDER BY token.tenant_id, token.user_uuid, token.session_uuid
  LOOP
    place := x.place;
    wait := 0;
    session_uuid := x.session_uuid;
    tenant_id := x.tenant_id;
    user_id := x.user_id;
    user_uuid := x.user_uuid;
    role := x.role;
    IF x.revoked OR NOT x.is_alive OR x.expires_at <= x.now THEN
      outcome := 'unusable';
      RETURN NEXT;
      CONTINUE;
    END IF;
    IF v_tenant IS DISTINCT FROM x.tenant_id THEN
      v_tenant := x.tenant_id;
      v_tenants := v_tenants || v_tenant;
      PERFORM set_config('app.tenant', v_tenant::text, true);
    END IF;
    -- Counts the renewal as well; a window begins with its first one.
    UPDATE sessions AS s SET
      last_used_at = x.now,
      idle_expires_at = x.expires,
      renewals = CASE WHEN s.renewals_until > x.received THEN s.renewals ELSE 0 END + 1,
      renewals_until = CASE WHEN s.renewals_until > x.received THEN s.renewals_until
        ELSE x.received + make_interval(secs => x.seconds) END
    WHERE s.uuid = x.session_uuid AND s.revoked_at IS NULL AND s.absolute_expires_at > x.now
      AND CASE WHEN s.renewals_until > x.received THEN s.renewals ELSE 0 END < x.allowed;
    IF FOUND THEN
      IF x.id <> ALL (v_used) AND EXISTS (SELECT FROM refresh_tokens t WHERE t.id = x.id AND NOT t.revoked) THEN
        outcome := 'exchanged';
        v_used := v_used || x.id;
        r.id := x.id;
        r.sealed_successor := x.sealed;
        r.tenant_id := x.tenant_id;
        r.user_id := x.user_id;
        r.session_uuid := x.session_uuid;
        r.token_hash := x.successor;
        r.expires_at := x.expires;
        r.created_at := x.now;
        v_successors := v_successors || r;
        e := jsonb_populate_record(NULL::event_logs, x.event);
        e.tenant_id := x.tenant_id;
        e.actor_user_id := x.user_id;
        e.session_id := x.session_uuid;
        v_events := v_events || e;
      ELSE
        outcome := 'race';
        UPDATE sessions AS s SET renewals = s.renewals - 1 WHERE s.uuid = x.session_uuid;
      END IF;
    ELSE
      SELECT CASE WHEN s.renewals_until > x.received THEN s.renewals_until
        ELSE x.received + make_interval(secs => x.seconds) END
      INTO v_until
      FROM sessions s
      WHERE s.uuid = x.session_uuid AND s.revoked_at IS NULL AND s.absolute_expires_at > x.now
      FOR NO KEY UPDATE;
      IF NOT FOUND THEN
        outcome := 'ended';
      ELSIF x.id = ANY (v_used) OR EXISTS (SELECT FROM refresh_tokens t WHERE t.id = x.id AND t.revoked) THEN
        outcome := 'race';
      ELSE
        outcome := 'limited';
        wait := greatest(ceil(extract(epoch FROM v_until - x.received))::integer, 1);
      END IF;
    END IF;
    RETURN NEXT;
  END LOOP;
  FOREACH v_tenant IN ARRAY v_tenants LOOP
    PERFORM set_config('app.tenant', v_tenant::text, true);
    INSERT INTO refresh_tokens (tenant_id, user_id, session_uuid, token_hash, expires_at, created_at)
    SELECT tenant_id, user_id, session_uuid, token_hash, expires_at, created_at
    FROM unnest(v_successors)
    WHERE tenant_id = v_tenant;
    INSERT INTO event_logs (uuid, tenant_id, category, action, outcome, actor_user_id, actor_kind, session_id,
      request_id, ip_prefix, detail)
    SELECT uuid, tenant_id, category, action, outcome, actor_user_id, 'user', session_id, request_id, ip_prefix, detail
    FROM unnest(v_events)
    WHERE tenant_id = v_tenant;
  END LOOP;
  FOREACH r IN ARRAY v_successors LOOP
    PERFORM set_config('app.tenant', r.tenant_id::text, true);
    UPDATE refresh_tokens AS t
    SET revoked = true, revoked_reason = 'rotated', sealed_successor = r.sealed_successor,
        rotated_at = r.created_at + (clock_timestamp() - statement_timestamp())
    WHERE t.id = r.id;
  END LOOP;
END $$;

GRANT EXECUTE ON FUNCTION renew_sessions TO dermagate_app;
