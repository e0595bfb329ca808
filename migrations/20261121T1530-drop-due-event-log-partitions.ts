import { type Kysely, sql } from 'kysely';

// How long each category is kept stands in one function; what is over can be listed, and is dropped every night.
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE FUNCTION event_log_retention(p_category text) RETURNS interval
    LANGUAGE sql IMMUTABLE
    AS $$
      SELECT CASE p_category
        WHEN 'system' THEN interval '90 days' WHEN 'auth' THEN interval '1 year' WHEN 'ai' THEN interval '2 years'
        WHEN 'admin' THEN interval '5 years' WHEN 'access' THEN interval '10 years' ELSE interval '15 years' END
    $$`.execute(db);
  // A partition is over when its last moment is; a default partition has no bounds and never is.
  await sql`
    CREATE FUNCTION due_event_log_partitions() RETURNS SETOF text
    LANGUAGE sql STABLE SET search_path = pg_catalog, public
    AS $$
      SELECT relname FROM (
        SELECT c.relname, substring(parent.relname from '^event_logs_(.*)$') AS category,
          (regexp_match(pg_get_expr(c.relpartbound, c.oid), 'TO [(]''([^'']+)''[)]'))[1]::timestamptz AS ends_at
        FROM pg_inherits i
        JOIN pg_class c ON c.oid = i.inhrelid
        JOIN pg_class parent ON parent.oid = i.inhparent
        WHERE parent.oid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent = 'public.event_logs'::regclass)
      ) AS partitions
      WHERE ends_at <= now() - event_log_retention(category)
      ORDER BY ends_at, relname
    $$`.execute(db);
  await sql`
    CREATE OR REPLACE FUNCTION drop_event_log_partition(p_name text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$
    DECLARE
      v_category text := substring(p_name from '^event_logs_(auth|ai|system|access|case|admin)_[0-9]{4}(?:m[0-9]{2})?$');
      v_last timestamptz;
    BEGIN
      IF v_category IS NULL THEN RAISE EXCEPTION 'not a partition of event_logs: %', p_name; END IF;
      SELECT (regexp_match(pg_get_expr(c.relpartbound, c.oid), 'TO [(]''([^'']+)''[)]'))[1]::timestamptz
        INTO v_last FROM pg_class c WHERE c.oid = to_regclass('public.' || quote_ident(p_name));
      IF v_last IS NULL THEN RAISE EXCEPTION 'no such partition: %', p_name; END IF;
      IF v_last > now() - event_log_retention(v_category) THEN
        RAISE EXCEPTION '% must still be kept', p_name;
      END IF;
      EXECUTE format('DROP TABLE public.%I', p_name);
    END $$`.execute(db);
}
