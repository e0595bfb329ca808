import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE tenants (
      id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      uuid uuid NOT NULL UNIQUE,
      name text NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
      slug text NOT NULL UNIQUE CHECK (slug ~ '^[a-z0-9](-?[a-z0-9]){0,62}$'),
      is_active boolean NOT NULL DEFAULT true,
      self_registration boolean NOT NULL DEFAULT true,
      created_at timestamptz NOT NULL DEFAULT now()
    )`.execute(db);

  // An address is one account across all tenants, because login carries no tenant.
  await sql`
    CREATE TABLE users (
      uuid uuid PRIMARY KEY,
      id integer GENERATED ALWAYS AS IDENTITY UNIQUE,
      tenant_id integer NOT NULL REFERENCES tenants (id),
      email text NOT NULL UNIQUE CHECK (email = lower(email) AND length(email) <= 254),
      password_hash text NOT NULL,
      role text NOT NULL CHECK (role IN ('patient', 'physician', 'admin')),
      is_active boolean NOT NULL DEFAULT true,
      is_verified boolean NOT NULL DEFAULT false,
      last_login timestamptz,
      created_at timestamptz NOT NULL DEFAULT now(),
      UNIQUE (tenant_id, uuid),
      UNIQUE (tenant_id, id)
    )`.execute(db);

  await sql`
    CREATE TABLE physicians (
      uuid uuid PRIMARY KEY,
      id integer GENERATED ALWAYS AS IDENTITY UNIQUE,
      tenant_id integer NOT NULL,
      user_id integer NOT NULL UNIQUE,
      employee_id bigint,
      language_preference text NOT NULL DEFAULT 'en',
      private_pool text,
      vacation_mode boolean NOT NULL DEFAULT false,
      settings jsonb NOT NULL DEFAULT '{}',
      admin_settings jsonb NOT NULL DEFAULT '{}',
      created_at timestamptz NOT NULL DEFAULT now(),
      UNIQUE (tenant_id, uuid),
      UNIQUE (tenant_id, id),
      UNIQUE (tenant_id, employee_id),
      FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id)
    )`.execute(db);

  await isolateByTenant(db, 'users');
  await isolateByTenant(db, 'physicians');
  await sql`GRANT SELECT ON tenants TO dermagate_app, dermagate_lookup`.execute(db);
  await sql`GRANT SELECT, INSERT, UPDATE ON users, physicians TO dermagate_app`.execute(db);

  // Login knows an email, not a tenant. One row, one round trip, nothing but what login needs.
  await sql`GRANT SELECT ON users TO dermagate_lookup`.execute(db);
  await sql`CREATE POLICY lookup ON users FOR SELECT TO dermagate_lookup USING (true)`.execute(db);
  await sql`
    CREATE FUNCTION find_login(p_email text)
    RETURNS TABLE (user_uuid uuid, user_id integer, tenant_id integer, password_hash text, role text,
                   is_active boolean, tenant_is_active boolean)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$
      SELECT u.uuid, u.id, u.tenant_id, u.password_hash, u.role, u.is_active, t.is_active
      FROM users u JOIN tenants t ON t.id = u.tenant_id
      WHERE u.email = p_email
    $$`.execute(db);
  await sql`ALTER FUNCTION find_login(text) OWNER TO dermagate_lookup`.execute(db);
  await asLookup(db, sql`REVOKE ALL ON FUNCTION find_login(text) FROM PUBLIC`);
  await asLookup(db, sql`GRANT EXECUTE ON FUNCTION find_login(text) TO dermagate_app`);
}

/** Rows are visible and writable only while `app.tenant` names their tenant; FORCE binds the owner as well. */
async function isolateByTenant(db: Kysely<unknown>, table: string): Promise<void> {
  await sql`ALTER TABLE ${sql.table(table)} ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY`.execute(db);
  await sql`
    CREATE POLICY tenant ON ${sql.table(table)}
    USING (tenant_id = nullif(current_setting('app.tenant', true), '')::integer)`.execute(db);
}

/** Rights on a function are granted by its owner. */
async function asLookup(db: Kysely<unknown>, statement: ReturnType<typeof sql>): Promise<void> {
  await sql`SET LOCAL ROLE dermagate_lookup`.execute(db);
  await statement.execute(db);
  await sql`RESET ROLE`.execute(db);
}
