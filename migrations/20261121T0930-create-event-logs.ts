import { type Kysely, sql } from 'kysely';

// Append-only: the app may insert and read, never update or delete. Old months and years leave as whole
// partitions, through drop_event_log_partition(), which refuses what must still be kept.
const monthly = ['auth', 'ai', 'system'];
const yearly = ['access', 'case', 'admin'];

export async function up(db: Kysely<unknown>): Promise<void> {
  // A plain sequence: PostgreSQL 16 has no identity columns on partitioned tables.
  await sql`CREATE SEQUENCE event_logs_id_seq AS bigint`.execute(db);
  await sql`
    CREATE TABLE event_logs (
      id bigint NOT NULL DEFAULT nextval('event_logs_id_seq'),
      uuid uuid NOT NULL,
      tenant_id integer REFERENCES tenants (id),
      category text NOT NULL CHECK (category IN ('auth', 'access', 'case', 'ai', 'admin', 'system')),
      action text NOT NULL CHECK (length(action) <= 64),
      outcome text NOT NULL CHECK (outcome IN ('success', 'failure', 'denied')),
      actor_user_id integer,
      actor_kind text NOT NULL CHECK (actor_kind IN ('user', 'system', 'api_key', 'anonymous')),
      session_id uuid,
      subject_kind text,
      subject_uuid uuid,
      case_uuid uuid,
      patient_id bigint,
      request_id text CHECK (length(request_id) <= 64),
      ip_prefix text,
      detail jsonb NOT NULL DEFAULT '{}' CHECK (octet_length(detail::text) <= 8192),
      at timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (category, at, id)
    ) PARTITION BY LIST (category)`.execute(db);
  await sql`ALTER SEQUENCE event_logs_id_seq OWNED BY event_logs.id`.execute(db);
  await sql`CREATE INDEX event_logs_of_case ON event_logs (tenant_id, case_uuid, at)`.execute(db);
  await sql`CREATE INDEX event_logs_of_actor ON event_logs (tenant_id, actor_user_id, at)`.execute(db);
  await sql`CREATE INDEX event_logs_of_subject ON event_logs (tenant_id, subject_uuid, at)`.execute(db);

  for (const category of [...monthly, ...yearly]) {
    const parent = `event_logs_${category}`;
    await sql`
      CREATE TABLE ${sql.table(parent)} PARTITION OF event_logs
      FOR VALUES IN (${sql.lit(category)}) PARTITION BY RANGE (at)`.execute(db);
    await sql`
      CREATE TABLE ${sql.table(`${parent}_default`)} PARTITION OF ${sql.table(parent)} DEFAULT`.execute(db);
  }

  await sql`ALTER TABLE event_logs ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY`.execute(db);
  await sql`
    CREATE POLICY read_own_tenant ON event_logs FOR SELECT
    USING (tenant_id = nullif(current_setting('app.tenant', true), '')::integer)`.execute(db);
  // Events from before a tenant is known (a failed login of an unknown address) have none.
  await sql`
    CREATE POLICY append ON event_logs FOR INSERT
    WITH CHECK (tenant_id IS NULL
      OR tenant_id = nullif(current_setting('app.tenant', true), '')::integer)`.execute(db);
  await sql`GRANT SELECT, INSERT ON event_logs TO dermagate_app`.execute(db);
  await sql`GRANT USAGE ON SEQUENCE event_logs_id_seq TO dermagate_app`.execute(db);

  await createPartitionFunctions(db);
  await sql`SELECT keep_event_log_partitions()`.execute(db);
}

async function createPartitionFunctions(db: Kysely<unknown>): Promise<void> {
  // Makes the current partition of each category and the next two; returns how many are new. Rows that fell
  // into a default partition meanwhile are moved, otherwise PostgreSQL would refuse the new partition.
  await sql`
    CREATE FUNCTION keep_event_log_partitions() RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$
    DECLARE
      v_category text; v_from timestamptz; v_to timestamptz; v_name text; v_made integer := 0; v_step interval;
    BEGIN
      FOREACH v_category IN ARRAY ARRAY['auth', 'ai', 'system', 'access', 'case', 'admin'] LOOP
        v_step := CASE WHEN v_category IN ('auth', 'ai', 'system') THEN '1 month' ELSE '1 year' END;
        v_from := date_trunc(CASE v_step WHEN '1 month' THEN 'month' ELSE 'year' END, now(), 'UTC');
        FOR i IN 0..2 LOOP
          v_to := (v_from AT TIME ZONE 'UTC' + v_step) AT TIME ZONE 'UTC';
          v_name := format('event_logs_%s_%s', v_category, to_char(v_from AT TIME ZONE 'UTC',
            CASE v_step WHEN '1 month' THEN 'YYYY"m"MM' ELSE 'YYYY' END));
          IF to_regclass('public.' || v_name) IS NULL THEN
            EXECUTE format('CREATE TABLE public.%I (LIKE public.event_logs INCLUDING ALL)', v_name);
            EXECUTE format('INSERT INTO public.%I SELECT * FROM public.%I WHERE at >= %L AND at < %L',
              v_name, 'event_logs_' || v_category || '_default', v_from, v_to);
            EXECUTE format('DELETE FROM public.%I WHERE at >= %L AND at < %L',
              'event_logs_' || v_category || '_default', v_from, v_to);
            EXECUTE format('ALTER TABLE public.%I ATTACH PARTITION public.%I FOR VALUES FROM (%L) TO (%L)',
              'event_logs_' || v_category, v_name, v_from, v_to);
            v_made := v_made + 1;
          END IF;
          v_from := v_to;
        END LOOP;
      END LOOP;
      RETURN v_made;
    END $$`.execute(db);

  // Minimum ages: auth 1 year, ai 2, system 90 days, admin 5 years, access 10, case 15.
  await sql`
    CREATE FUNCTION drop_event_log_partition(p_name text) RETURNS void
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
      IF v_last > (now() - CASE v_category WHEN 'auth' THEN interval '1 year' WHEN 'ai' THEN interval '2 years'
          WHEN 'system' THEN interval '90 days' WHEN 'admin' THEN interval '5 years'
          WHEN 'access' THEN interval '10 years' ELSE interval '15 years' END) THEN
        RAISE EXCEPTION '% must still be kept', p_name;
      END IF;
      EXECUTE format('DROP TABLE public.%I', p_name);
    END $$`.execute(db);

  for (const name of ['keep_event_log_partitions()', 'drop_event_log_partition(text)']) {
    await sql`REVOKE ALL ON FUNCTION ${sql.raw(name)} FROM PUBLIC`.execute(db);
    await sql`GRANT EXECUTE ON FUNCTION ${sql.raw(name)} TO dermagate_app`.execute(db);
  }
}
