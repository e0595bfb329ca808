import { type Kysely, sql } from 'kysely';
import { protectTenantTable } from './rights/table-rights.ts';

/** Versions of what two admins may change at once: of accounts, and of the parameters of a tenant. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE users ADD version integer NOT NULL DEFAULT 1`.execute(db);
  // Counts the changes of a tenant's own values. It outlives them: a version never comes back with other values.
  await sql`
    CREATE TABLE parameter_sets (
      tenant_id integer NOT NULL REFERENCES tenants (id),
      branch text NOT NULL CHECK (branch ~ '^[a-z0-9_-]{1,48}$'),
      sub_branch text NOT NULL CHECK (sub_branch ~ '^[a-z0-9_-]{1,48}$'),
      version integer NOT NULL DEFAULT 1,
      PRIMARY KEY (tenant_id, branch, sub_branch)
    )`.execute(db);
  await protectTenantTable(db, 'parameter_sets', 'SELECT, INSERT, UPDATE');
}
