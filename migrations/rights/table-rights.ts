import { type Kysely, sql } from 'kysely';

// Who may see the rows of a table. All migrations depend on these two: what they do changes with none of them from version 0.1.0 on.

/** What the app may do with the rows of a table; deleting and changing only where it must. */
export type Privileges = 'SELECT, INSERT' | 'SELECT, INSERT, UPDATE' | 'SELECT, INSERT, UPDATE, DELETE';

/**
 * Makes rows visible and writable only while `app.tenant` names their `tenant_id`. FORCE binds the owner of the table as
 * well. The policy's USING also checks new rows.
 */
export async function protectTenantTable(
  db: Kysely<unknown>,
  table: string,
  privileges: Privileges,
): Promise<void> {
  const name = sql.table(table);
  await sql`ALTER TABLE ${name} ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY`.execute(db);
  await sql`
    CREATE POLICY tenant ON ${name}
    USING (tenant_id = nullif(current_setting('app.tenant', true), '')::integer)`.execute(db);
  await sql`GRANT ${sql.raw(privileges)} ON ${name} TO dermagate_app`.execute(db);
}

/** Lets functions of `dermagate_lookup` read a tenant table across tenants. */
export async function grantLookup(db: Kysely<unknown>, table: string): Promise<void> {
  const name = sql.table(table);
  await sql`GRANT SELECT ON ${name} TO dermagate_lookup`.execute(db);
  await sql`CREATE POLICY lookup ON ${name} FOR SELECT TO dermagate_lookup USING (true)`.execute(db);
}
