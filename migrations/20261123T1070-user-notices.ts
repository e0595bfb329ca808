import { type Kysely, sql } from 'kysely';
import { grantLookup, protectTenantTable } from './rights/table-rights.ts';

/** What staff are told while they work; the event streams deliver it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // `payload`: ids only. Rows of one user are inserted under a lock of that user, so that their ids commit in order: a
  // reader who has seen an id has seen every smaller one. `once_key`: a second notice with the same key is dropped.
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
    )`.execute(db);
  await sql`CREATE INDEX user_notices_of_user ON user_notices (tenant_id, user_id, id)`.execute(db);
  await sql`CREATE INDEX user_notices_to_clean ON user_notices (tenant_id, expires_at)`.execute(db);
  await protectTenantTable(db, 'user_notices', 'SELECT, INSERT, UPDATE, DELETE');
  // One query reads for all users who are connected to an instance, whatever their tenants.
  await grantLookup(db, 'user_notices');
}
