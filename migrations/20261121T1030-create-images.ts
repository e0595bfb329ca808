import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // A row is `pending` while its blob is being written and `stored` once it is there; only then anybody sees it.
  // `missing`: the blob was gone when the timer looked.
  await sql`
    CREATE TABLE images (
      uuid uuid PRIMARY KEY,
      tenant_id integer NOT NULL,
      owner_user_id integer NOT NULL,
      name text NOT NULL UNIQUE CHECK (length(name) <= 64),
      state text NOT NULL CHECK (state IN ('pending', 'stored', 'missing')),
      blob_name text NOT NULL UNIQUE COLLATE "C",
      thumbnail_blob_name text UNIQUE COLLATE "C",
      sha256 bytea NOT NULL CHECK (length(sha256) = 32),
      content_type text NOT NULL CHECK (content_type IN ('image/jpeg', 'image/png')),
      width_px integer NOT NULL CHECK (width_px > 0),
      height_px integer NOT NULL CHECK (height_px > 0),
      orientation smallint NOT NULL CHECK (orientation BETWEEN 1 AND 8),
      size_bytes integer NOT NULL CHECK (size_bytes > 0),
      created_at timestamptz NOT NULL DEFAULT now(),
      deleted_at timestamptz,
      UNIQUE (tenant_id, uuid),
      FOREIGN KEY (tenant_id, owner_user_id) REFERENCES users (tenant_id, id)
    )`.execute(db);
  // The same bytes of the same owner are stored once.
  await sql`
    CREATE UNIQUE INDEX images_stored_once ON images (tenant_id, owner_user_id, sha256)
    WHERE state = 'stored' AND deleted_at IS NULL`.execute(db);
  await sql`CREATE INDEX images_by_hash ON images (tenant_id, sha256)`.execute(db);
  await sql`CREATE INDEX images_pending ON images (tenant_id, created_at) WHERE state = 'pending'`.execute(
    db,
  );
  await sql`ALTER TABLE images ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY`.execute(db);
  await sql`
    CREATE POLICY tenant ON images
    USING (tenant_id = nullif(current_setting('app.tenant', true), '')::integer)`.execute(db);
  await sql`GRANT SELECT, INSERT, UPDATE, DELETE ON images TO dermagate_app`.execute(db);

  // The timer that compares rows and blobs walks all tenants in the order of blob names: names and states only.
  await sql`GRANT SELECT ON images TO dermagate_lookup`.execute(db);
  await sql`CREATE POLICY lookup ON images FOR SELECT TO dermagate_lookup USING (true)`.execute(db);
  await sql`
    CREATE FUNCTION list_image_blobs(p_after text, p_upto text)
    RETURNS TABLE (blob_name text, image_uuid uuid, tenant_id integer, is_thumbnail boolean, state text,
                   created_at timestamptz)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$
      SELECT i.blob_name, i.uuid, i.tenant_id, false, i.state, i.created_at FROM images i
      WHERE i.blob_name > p_after AND (p_upto IS NULL OR i.blob_name <= p_upto)
      UNION ALL
      SELECT i.thumbnail_blob_name, i.uuid, i.tenant_id, true, i.state, i.created_at FROM images i
      WHERE i.thumbnail_blob_name > p_after AND (p_upto IS NULL OR i.thumbnail_blob_name <= p_upto)
    $$`.execute(db);
  await sql`ALTER FUNCTION list_image_blobs(text, text) OWNER TO dermagate_lookup`.execute(db);
  await sql`SET LOCAL ROLE dermagate_lookup`.execute(db);
  await sql`REVOKE ALL ON FUNCTION list_image_blobs(text, text) FROM PUBLIC`.execute(db);
  await sql`GRANT EXECUTE ON FUNCTION list_image_blobs(text, text) TO dermagate_app`.execute(db);
  await sql`RESET ROLE`.execute(db);

  // One mechanism for every route that takes an Idempotency-Key. No health data: replies are ids and sizes.
  await sql`
    CREATE TABLE idempotency_keys (
      tenant_id integer NOT NULL REFERENCES tenants (id),
      user_key text NOT NULL,
      route text NOT NULL,
      key_hash bytea NOT NULL CHECK (length(key_hash) = 32),
      fingerprint bytea NOT NULL CHECK (length(fingerprint) = 32),
      state text NOT NULL CHECK (state IN ('running', 'done')),
      status smallint,
      resource_uuid uuid,
      reply jsonb,
      started_at timestamptz NOT NULL,
      expires_at timestamptz NOT NULL,
      PRIMARY KEY (tenant_id, user_key, route, key_hash)
    )`.execute(db);
  await sql`CREATE INDEX idempotency_keys_to_clean ON idempotency_keys (expires_at)`.execute(db);
  await sql`GRANT SELECT, INSERT, UPDATE, DELETE ON idempotency_keys TO dermagate_app`.execute(db);
}
