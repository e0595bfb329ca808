import { type Kysely, sql } from 'kysely';
import { grantLookup, protectTenantTable } from './rights/table-rights.ts';

export async function up(db: Kysely<unknown>): Promise<void> {
  // `sent_by_mail`: an invitation proves the mailbox only when its token went there.
  await sql`
    CREATE TABLE invitations (
      uuid uuid PRIMARY KEY,
      tenant_id integer NOT NULL REFERENCES tenants (id),
      email text NOT NULL CHECK (email = lower(email) AND length(email) <= 254),
      role text NOT NULL CHECK (role IN ('patient', 'physician', 'admin')),
      token_hash bytea NOT NULL UNIQUE CHECK (length(token_hash) = 32),
      invited_by integer NOT NULL,
      expires_at timestamptz NOT NULL,
      used_at timestamptz,
      superseded_at timestamptz,
      created_at timestamptz NOT NULL DEFAULT now(),
      sent_by_mail boolean NOT NULL DEFAULT false,
      UNIQUE (tenant_id, uuid),
      FOREIGN KEY (tenant_id, invited_by) REFERENCES users (tenant_id, id)
    )`.execute(db);
  // One invitation of an address is open at a time; a newer one supersedes it.
  await sql`
    CREATE UNIQUE INDEX invitations_open ON invitations (tenant_id, email)
    WHERE used_at IS NULL AND superseded_at IS NULL`.execute(db);
  await sql`CREATE INDEX invitations_to_clean ON invitations (tenant_id, expires_at)`.execute(db);
  await protectTenantTable(db, 'invitations', 'SELECT, INSERT, UPDATE, DELETE');
  await grantLookup(db, 'invitations');
}
