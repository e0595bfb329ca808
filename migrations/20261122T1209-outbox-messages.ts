import { type Kysely, sql } from 'kysely';

// What happens after a commit, written by the transaction that causes it: one row per event and consumer, deleted when
// done. Not isolated by tenant, because the worker serves all of them: payloads carry ids and codes, and what is secret
// or personal is sealed (lib/crypto/field-crypto.ts).
export async function up(db: Kysely<unknown>): Promise<void> {
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
    )`.execute(db);
  await sql`
    CREATE INDEX outbox_messages_due ON outbox_messages (consumer, available_at)
    WHERE dead_at IS NULL`.execute(db);
  await sql`
    CREATE INDEX outbox_messages_claimed ON outbox_messages (consumer, locked_until)
    WHERE dead_at IS NULL AND locked_until IS NOT NULL`.execute(db);
  await sql`
    CREATE INDEX outbox_messages_dead ON outbox_messages (dead_at)
    WHERE dead_at IS NOT NULL`.execute(db);
  await sql`GRANT SELECT, INSERT, UPDATE, DELETE ON outbox_messages TO dermagate_app`.execute(db);
}
