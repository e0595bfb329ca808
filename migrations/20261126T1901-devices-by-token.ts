import { type Kysely, sql } from 'kysely';

export const transaction = false;

/** A token in any tenant, for `find_push_token_tenants`. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // An interrupted run leaves an invalid index.
  await sql`DROP INDEX CONCURRENTLY IF EXISTS push_devices_by_token`.execute(db);
  await sql`CREATE INDEX CONCURRENTLY push_devices_by_token ON push_devices (token_hash)`.execute(db);
}
