import { type Kysely, sql } from 'kysely';
import { protectTenantTable } from './rights/table-rights.ts';

/** Who publishes the live counts of a tenant: instances agree here on which of them does, and on the order. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // `fingerprint`: SHA-256 of the counts that were published last; null where they must be published in any case.
  await sql`
    CREATE TABLE analytics_feeds (
      tenant_id integer PRIMARY KEY REFERENCES tenants (id),
      subscribed_until timestamptz NOT NULL,
      published_at timestamptz,
      seq bigint NOT NULL DEFAULT 0,
      fingerprint bytea CHECK (length(fingerprint) = 32)
    )`.execute(db);
  await protectTenantTable(db, 'analytics_feeds', 'SELECT, INSERT, UPDATE');
}
