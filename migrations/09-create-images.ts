import { type Kysely, sql } from 'kysely';
import { grantLookup, protectTenantTable } from './rights/table-rights.ts';

/**
 * A row is `pending` while its blob is being written and `stored` once it is there; only then is it visible to callers.
 * `missing`: the timer that compares rows and blobs found no blob. Photos of a submitted case are part of the medical record,
 * which outlives the account that took them: they have no owner then.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE images (
      uuid uuid PRIMARY KEY,
      tenant_id integer NOT NULL,
      owner_user_id integer,
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
    );
    -- The same bytes of the same owner are stored once.
    CREATE UNIQUE INDEX images_stored_once ON images (tenant_id, owner_user_id, sha256)
      WHERE state = 'stored' AND deleted_at IS NULL;
    CREATE INDEX images_by_hash ON images (tenant_id, sha256);
    CREATE INDEX images_pending ON images (tenant_id, created_at) WHERE state = 'pending';
    CREATE INDEX images_of_owner ON images (tenant_id, owner_user_id)`.execute(db);
  await protectTenantTable(db, 'images', 'SELECT, INSERT, UPDATE, DELETE');
  // The timer walks all tenants in the order of blob names.
  await grantLookup(db, 'images');
}
