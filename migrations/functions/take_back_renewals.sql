-- Takes back exchanges of refresh tokens of which the app cannot know whether they were made, and whose successors no one has
-- therefore received: the tokens (`p_hashes`, by their SHA-256) are as before, and their successors (`p_successors`, each at the
-- place of its token) are used. One that has not been made yet cannot be made any more: it would insert a successor that is
-- there already. A token whose successor is used, or whose session has ended, stays as it is. May be called again and again.
--
-- Sessions are locked in the same order as by `renew_sessions`, whose exchanges this waits for.
CREATE OR REPLACE FUNCTION take_back_renewals(p_hashes bytea[], p_successors bytea[], p_now timestamptz)
RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp
AS $$
#variable_conflict use_column
DECLARE
  x record; v_tenant integer;
BEGIN
  FOR x IN
    SELECT token.*, p_successors[token.place] AS successor
    FROM find_refresh_tokens(p_hashes, array_fill(p_now, ARRAY[cardinality(p_hashes)])) AS token
    ORDER BY token.tenant_id, token.user_uuid, token.session_uuid, token.place
  LOOP
    IF v_tenant IS DISTINCT FROM x.tenant_id THEN
      v_tenant := x.tenant_id;
      PERFORM set_config('app.tenant', v_tenant::text, true);
    END IF;
    PERFORM FROM sessions s WHERE s.uuid = x.session_uuid FOR NO KEY UPDATE;
    INSERT INTO refresh_tokens (tenant_id, user_id, session_uuid, token_hash, expires_at, created_at, revoked, revoked_reason)
    VALUES (x.tenant_id, x.user_id, x.session_uuid, x.successor, x.expires_at, p_now, true, 'rotated')
    ON CONFLICT (token_hash) DO NOTHING;
    CONTINUE WHEN FOUND;
    UPDATE refresh_tokens AS t SET revoked = true, revoked_reason = 'rotated'
    WHERE t.token_hash = x.successor AND NOT t.revoked;
    CONTINUE WHEN NOT FOUND;
    UPDATE refresh_tokens AS t SET revoked = false, revoked_reason = NULL, rotated_at = NULL
    WHERE t.id = x.id AND t.revoked_reason = 'rotated';
  END LOOP;
END $$;

GRANT EXECUTE ON FUNCTION take_back_renewals TO dermagate_app;
