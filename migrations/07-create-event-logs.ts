import { type Kysely, sql } from 'kysely';

// Append-only: the app may insert and read, never update or delete. Old months (auth, ai, system) and years (the others)
// leave as whole partitions, through drop_event_log_partition(), which refuses what must still be kept. Partitions of a
// period are created by create_event_log_partitions().
const categories = ['auth', 'ai', 'system', 'access', 'case', 'admin'];

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
  await sql`
    CREATE INDEX event_logs_of_patient ON event_logs (tenant_id, patient_id, at)
    WHERE patient_id IS NOT NULL`.execute(db);

  for (const category of categories) {
    const parent = `event_logs_${category}`;
    await sql`
      CREATE TABLE ${sql.table(parent)} PARTITION OF event_logs
      FOR VALUES IN (${sql.lit(category)}) PARTITION BY RANGE (at)`.execute(db);
    await sql`
      CREATE TABLE ${sql.table(`${parent}_default`)} PARTITION OF ${sql.table(parent)} DEFAULT`.execute(db);
  }

  // Not protectTenantTable: no policy lets a row change, not even for the owner of the table.
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
}
