import { type Kysely, sql } from 'kysely';
import { grantLookup, protectTenantTable } from './rights/table-rights.ts';

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
  await sql`GRANT SELECT ON tenants TO dermagate_app, dermagate_lookup`.execute(db);

  // An address is one account across all tenants, because login names no tenant.
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
      email_verified_at timestamptz,
      UNIQUE (tenant_id, uuid),
      UNIQUE (tenant_id, id)
    )`.execute(db);
  await protectTenantTable(db, 'users', 'SELECT, INSERT, UPDATE');
  await grantLookup(db, 'users');

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
  await protectTenantTable(db, 'physicians', 'SELECT, INSERT, UPDATE');
}
