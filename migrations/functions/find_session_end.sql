-- Why a session ended, before its tenant is known; no row while it is open. Asked only where a request is refused.
SET LOCAL ROLE dermagate_lookup;

CREATE OR REPLACE FUNCTION find_session_end(p_session uuid)
RETURNS TABLE (reason text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
  SELECT s.revoked_reason FROM sessions s WHERE s.uuid = p_session AND s.revoked_at IS NOT NULL
$$;

GRANT EXECUTE ON FUNCTION find_session_end TO dermagate_app;
