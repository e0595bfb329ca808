import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE users ADD COLUMN email_verified_at timestamptz`.execute(db);
  // An invitation proves the mailbox only when its token went there: earlier ones count as handed over.
  await sql`ALTER TABLE invitations ADD COLUMN sent_by_mail boolean NOT NULL DEFAULT false`.execute(db);
  await createTokens(db);
  await createLookups(db);
}

/** Bound to the address that they were sent to: a changed address needs a token of its own. */
async function createTokens(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE email_verification_tokens (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      tenant_id integer NOT NULL,
      user_id integer NOT NULL,
      email text NOT NULL CHECK (email = lower(email) AND length(email) <= 254),
      token_hash bytea NOT NULL UNIQUE CHECK (length(token_hash) = 32),
      expires_at timestamptz NOT NULL,
      used boolean NOT NULL DEFAULT false,
      used_at timestamptz,
      created_at timestamptz NOT NULL DEFAULT now(),
      FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id)
    )`.execute(db);
  await sql`
    CREATE INDEX verification_tokens_of_user ON email_verification_tokens (tenant_id, user_id)`.execute(db);
  await sql`
    CREATE INDEX verification_tokens_to_clean ON email_verification_tokens (tenant_id, expires_at)`.execute(
    db,
  );
  await sql`
    ALTER TABLE email_verification_tokens ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY`.execute(db);
  await sql`
    CREATE POLICY tenant ON email_verification_tokens
    USING (tenant_id = nullif(current_setting('app.tenant', true), '')::integer)`.execute(db);
  await sql`
    GRANT SELECT, INSERT, UPDATE, DELETE ON email_verification_tokens TO dermagate_app`.execute(db);
  await sql`GRANT SELECT ON email_verification_tokens TO dermagate_lookup`.execute(db);
  await sql`
    CREATE POLICY lookup ON email_verification_tokens FOR SELECT TO dermagate_lookup USING (true)`.execute(
    db,
  );
}

/** What must be found before the tenant is known. */
async function createLookups(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE FUNCTION find_verification_token(p_hash bytea, p_now timestamptz)
    RETURNS TABLE (id bigint, tenant_id integer, user_id integer, email text)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
    AS $$
      SELECT v.id, v.tenant_id, v.user_id, v.email
      FROM email_verification_tokens v
      JOIN users u ON u.tenant_id = v.tenant_id AND u.id = v.user_id
      JOIN tenants t ON t.id = v.tenant_id
      WHERE v.token_hash = p_hash AND NOT v.used AND v.expires_at > p_now AND v.email = u.email
        AND u.is_active AND t.is_active
    $$`.execute(db);
  await sql`
    CREATE FUNCTION find_address_owner(p_email text)
    RETURNS TABLE (user_id integer, user_uuid uuid, tenant_id integer, is_active boolean, is_verified boolean,
                   tenant_is_active boolean)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
    AS $$
      SELECT u.id, u.uuid, u.tenant_id, u.is_active, u.is_verified, t.is_active
      FROM users u JOIN tenants t ON t.id = u.tenant_id
      WHERE u.email = p_email
    $$`.execute(db);
  for (const signature of ['find_verification_token(bytea, timestamptz)', 'find_address_owner(text)']) {
    await sql`GRANT CREATE ON SCHEMA public TO dermagate_lookup`.execute(db);
    await sql`ALTER FUNCTION ${sql.raw(signature)} OWNER TO dermagate_lookup`.execute(db);
    await sql`REVOKE CREATE ON SCHEMA public FROM dermagate_lookup`.execute(db);
    await sql`SET LOCAL ROLE dermagate_lookup`.execute(db);
    await sql`REVOKE ALL ON FUNCTION ${sql.raw(signature)} FROM PUBLIC`.execute(db);
    await sql`GRANT EXECUTE ON FUNCTION ${sql.raw(signature)} TO dermagate_app`.execute(db);
    await sql`RESET ROLE`.execute(db);
  }
}
