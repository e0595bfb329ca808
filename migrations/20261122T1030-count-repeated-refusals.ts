import { type Kysely, sql } from 'kysely';

/**
 * Refusals of one kind from one network become one event with a count: a flood leaves a row for each window of time, not
 * for each request. The event log stays append-only for the app: the one thing that may change in it is the count of a
 * refusal of the last day, and it only grows.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Keys are HMACs, as in throttle_counters: the table names neither accounts nor networks.
  await sql`
    CREATE TABLE refusal_windows (
      key bytea PRIMARY KEY CHECK (length(key) = 32),
      category text NOT NULL,
      event_id bigint,
      event_at timestamptz,
      window_ends_at timestamptz NOT NULL
    )`.execute(db);
  await sql`CREATE INDEX refusal_windows_to_clean ON refusal_windows (window_ends_at)`.execute(db);
  await sql`GRANT SELECT, INSERT, UPDATE, DELETE ON refusal_windows TO dermagate_app`.execute(db);

  // With the rights of the tables' owner: the app may not update the event log.
  await sql`
    CREATE FUNCTION count_refusal(p_category text, p_id bigint, p_at timestamptz, p_now timestamptz) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
    AS $$
    DECLARE v_changed integer;
    BEGIN
      IF p_category NOT IN ('auth', 'ai', 'system', 'access', 'case', 'admin') THEN
        RAISE EXCEPTION 'not a category of event_logs: %', p_category;
      END IF;
      EXECUTE format(
        'UPDATE public.%I SET detail = detail || jsonb_build_object(
           ''count'', coalesce((detail ->> ''count'')::integer, 1) + 1, ''last_at'', $3)
         WHERE id = $1 AND at = $2 AND at > now() - interval ''1 day'' AND outcome IN (''failure'', ''denied'')',
        'event_logs_' || p_category) USING p_id, p_at, p_now;
      GET DIAGNOSTICS v_changed = ROW_COUNT;
      RETURN v_changed = 1;
    END $$`.execute(db);
  await forTheAppOnly(db, 'count_refusal(text, bigint, timestamptz, timestamptz)');

  await sql`
    CREATE FUNCTION record_refusal(p_key bytea, p_seconds integer, p_now timestamptz, p_event jsonb) RETURNS void
    LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp
    AS $$
    DECLARE
      e event_logs := jsonb_populate_record(NULL::event_logs, p_event);
      w refusal_windows;
    BEGIN
      -- The row's lock makes refusals of one kind come after each other.
      INSERT INTO refusal_windows AS r (key, category, window_ends_at)
      VALUES (p_key, e.category, p_now + make_interval(secs => p_seconds))
      ON CONFLICT (key) DO UPDATE SET key = r.key
      RETURNING * INTO w;
      IF w.event_id IS NOT NULL AND w.window_ends_at > p_now THEN
        IF count_refusal(w.category, w.event_id, w.event_at, p_now) THEN RETURN; END IF;
      END IF;
      -- Not by RETURNING: an event without a tenant is not the app's to read.
      w.event_id := nextval('event_logs_id_seq');
      w.event_at := now();
      INSERT INTO event_logs (id, at, uuid, tenant_id, category, action, outcome, actor_user_id, actor_kind, session_id,
        subject_kind, subject_uuid, request_id, ip_prefix, detail)
      VALUES (w.event_id, w.event_at, e.uuid, e.tenant_id, e.category, e.action, e.outcome, e.actor_user_id, e.actor_kind, e.session_id,
        e.subject_kind, e.subject_uuid, e.request_id, e.ip_prefix, e.detail);
      UPDATE refusal_windows
      SET event_id = w.event_id, event_at = w.event_at, window_ends_at = p_now + make_interval(secs => p_seconds)
      WHERE key = p_key;
    END $$`.execute(db);
  await forTheAppOnly(db, 'record_refusal(bytea, integer, timestamptz, jsonb)');
}

async function forTheAppOnly(db: Kysely<unknown>, signature: string): Promise<void> {
  await sql`REVOKE ALL ON FUNCTION ${sql.raw(signature)} FROM PUBLIC`.execute(db);
  await sql`GRANT EXECUTE ON FUNCTION ${sql.raw(signature)} TO dermagate_app`.execute(db);
}
