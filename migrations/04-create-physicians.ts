import { type Kysely, sql } from 'kysely';
import { grantLookup, protectTenantTable } from './rights/table-rights.ts';

export async function up(db: Kysely<unknown>): Promise<void> {
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
      vacation_until timestamptz,
      last_active_at timestamptz,
      settings jsonb NOT NULL DEFAULT '{}',
      admin_settings jsonb NOT NULL DEFAULT '{}',
      version integer NOT NULL DEFAULT 1,
      created_at timestamptz NOT NULL DEFAULT now(),
      CHECK (vacation_until IS NULL OR vacation_mode),
      UNIQUE (tenant_id, uuid),
      UNIQUE (tenant_id, id),
      UNIQUE (tenant_id, employee_id),
      FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id)
    );
    CREATE INDEX physicians_back_from_vacation ON physicians (tenant_id, vacation_until)
      WHERE vacation_until IS NOT NULL;
    CREATE INDEX physicians_of_pool ON physicians (tenant_id, private_pool) WHERE private_pool IS NOT NULL`.execute(
    db,
  );
  await protectTenantTable(db, 'physicians', 'SELECT, INSERT, UPDATE');
  // The lookup of a session reads the profile as well.
  await grantLookup(db, 'physicians');
  await createUserGroups(db);
}

/** Roles decide what an account may reach; groups only add capabilities, pools and languages. */
async function createUserGroups(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE user_groups (
      uuid uuid PRIMARY KEY,
      id integer GENERATED ALWAYS AS IDENTITY UNIQUE,
      tenant_id integer NOT NULL REFERENCES tenants (id),
      name text NOT NULL CHECK (length(name) BETWEEN 1 AND 120),
      settings jsonb NOT NULL DEFAULT '{}' CHECK (octet_length(settings::text) <= 16384),
      version integer NOT NULL DEFAULT 1,
      created_at timestamptz NOT NULL DEFAULT now(),
      UNIQUE (tenant_id, uuid),
      UNIQUE (tenant_id, id),
      UNIQUE (tenant_id, name)
    )`.execute(db);
  await protectTenantTable(db, 'user_groups', 'SELECT, INSERT, UPDATE, DELETE');

  await sql`
    CREATE TABLE user_group_members (
      tenant_id integer NOT NULL,
      group_id integer NOT NULL,
      user_id integer NOT NULL,
      added_by integer,
      created_at timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (tenant_id, group_id, user_id),
      FOREIGN KEY (tenant_id, group_id) REFERENCES user_groups (tenant_id, id) ON DELETE CASCADE,
      FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id),
      FOREIGN KEY (tenant_id, added_by) REFERENCES users (tenant_id, id) ON DELETE SET NULL (added_by)
    );
    CREATE INDEX user_group_members_of_user ON user_group_members (tenant_id, user_id)`.execute(db);
  await protectTenantTable(db, 'user_group_members', 'SELECT, INSERT, UPDATE, DELETE');
}
