import { type Kysely, sql } from 'kysely';

export const transaction = false;

/** The accounts of a tenant in the order of their addresses, by role and state: a clinic has a million patients and few admins. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // An interrupted run leaves an invalid index.
  await sql`DROP INDEX CONCURRENTLY IF EXISTS users_by_address`.execute(db);
  await sql`
    CREATE INDEX CONCURRENTLY users_by_address ON users (tenant_id, role, is_active, email COLLATE "C")`.execute(
    db,
  );
}
