-- Notices for the event streams of one user (`p_notices`: kind, payload, and `once`, by which a second one is dropped), in
-- the transaction that causes them; none for a patient, who has no stream. They last for a day: a client that has been away
-- for longer reads its lists anew.
--
-- The user is locked until the transaction ends, so that the ids of a user commit in their order: a stream that has
-- delivered an id has delivered every smaller one. The lock has two keys, of which the first is the same for all users.
CREATE OR REPLACE FUNCTION add_notices(p_user integer, p_notices jsonb, p_now timestamptz) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp
AS $$
DECLARE
  v_tenant integer;
BEGIN
  SELECT tenant_id INTO v_tenant FROM users WHERE id = p_user AND role <> 'patient';
  IF NOT FOUND THEN RETURN; END IF;
  -- Before an id is taken.
  PERFORM pg_advisory_xact_lock(1070, p_user);
  INSERT INTO user_notices (tenant_id, user_id, kind, payload, once_key, expires_at, created_at)
  SELECT v_tenant, p_user, kind, payload, once, p_now + interval '24 hours', p_now
  FROM jsonb_to_recordset(p_notices) AS n(kind text, payload jsonb, once text)
  ON CONFLICT DO NOTHING;
END $$;

GRANT EXECUTE ON FUNCTION add_notices TO dermagate_app;
