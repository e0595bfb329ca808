import { type Kysely, sql } from 'kysely';
import { protectTenantTable } from './rights/table-rights.ts';

/** Roles decide what an account may reach; groups only add capabilities, pools and languages. */
export async function up(db: Kysely<unknown>): Promise<void> {
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
    )`.execute(db);
  await sql`CREATE INDEX user_group_members_of_user ON user_group_members (tenant_id, user_id)`.execute(db);
  await protectTenantTable(db, 'user_group_members', 'SELECT, INSERT, UPDATE, DELETE');
}
