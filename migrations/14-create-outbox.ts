import { type Kysely, sql } from 'kysely';
import { grantLookup, protectTenantTable } from './rights/table-rights.ts';

// What leaves the house: messages for people and other systems, notices for staff who are connected, live counts.

export async function up(db: Kysely<unknown>): Promise<void> {
  await createOutboxMessages(db);
  await createUserNotices(db);
  await createAnalyticsFeeds(db);
}

/**
 * What happens after a commit, written by the transaction that causes it: one row per event and consumer, deleted when
 * done. Not isolated by tenant, because the worker serves all of them: payloads carry ids and codes, and what is secret
 * or personal is sealed (lib/crypto/field-crypto.ts).
 */
async function createOutboxMessages(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE outbox_messages (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      tenant_id integer REFERENCES tenants (id),
      consumer text NOT NULL CHECK (consumer IN
        ('mail', 'push', 'analytics', 'live', 'analysis', 'import', 'erasure')),
      topic text NOT NULL CHECK (topic ~ '^[a-z][a-z0-9_.]{0,63}$'),
      dedupe_key text UNIQUE CHECK (length(dedupe_key) <= 200),
      payload jsonb NOT NULL CHECK (octet_length(payload::text) <= 65536),
      available_at timestamptz NOT NULL DEFAULT now(),
      attempts integer NOT NULL DEFAULT 0,
      locked_until timestamptz,
      last_error_code text CHECK (length(last_error_code) <= 64),
      dead_at timestamptz,
      created_at timestamptz NOT NULL DEFAULT now()
    );
    CREATE INDEX outbox_messages_due ON outbox_messages (consumer, available_at)
      WHERE dead_at IS NULL;
    CREATE INDEX outbox_messages_claimed ON outbox_messages (consumer, locked_until)
      WHERE dead_at IS NULL AND locked_until IS NOT NULL;
    CREATE INDEX outbox_messages_dead ON outbox_messages (dead_at)
      WHERE dead_at IS NOT NULL;
    GRANT SELECT, INSERT, UPDATE, DELETE ON outbox_messages TO dermagate_app`.execute(db);
}

/**
 * What staff are told while they work; the event streams deliver it. `payload`: ids only. Rows of one user are inserted under a
 * lock of that user, so that their ids commit in order: a reader who has seen an id has seen every smaller one. `once_key`: a
 * second notice with the same key is dropped.
 */
async function createUserNotices(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE user_notices (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      tenant_id integer NOT NULL,
      user_id integer NOT NULL,
      kind text NOT NULL CHECK (kind ~ '^[a-z]+[.][a-z_]+$'),
      payload jsonb NOT NULL CHECK (octet_length(payload::text) <= 1024),
      once_key text CHECK (length(once_key) <= 128),
      expires_at timestamptz NOT NULL,
      created_at timestamptz NOT NULL DEFAULT now(),
      CONSTRAINT user_notices_once UNIQUE (tenant_id, user_id, once_key),
      FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id)
    );
    CREATE INDEX user_notices_of_user ON user_notices (tenant_id, user_id, id);
    CREATE INDEX user_notices_to_clean ON user_notices (tenant_id, expires_at)`.execute(db);
  await protectTenantTable(db, 'user_notices', 'SELECT, INSERT, UPDATE, DELETE');
  // One query reads for all users who are connected to an instance, whatever their tenants.
  await grantLookup(db, 'user_notices');
}

/**
 * Who publishes the live counts of a tenant: instances agree here on which of them does, and on the order. `fingerprint`: SHA-256
 * of the counts that were published last; null where they must be published in any case.
 */
async function createAnalyticsFeeds(db: Kysely<unknown>): Promise<void> {
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
