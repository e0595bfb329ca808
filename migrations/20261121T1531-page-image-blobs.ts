import { type Kysely, sql } from 'kysely';

// Instead of list_image_blobs(text, text), which answers with every row of a range of names. That one stays until no
// older version of the app runs any more.
export async function up(db: Kysely<unknown>): Promise<void> {
  // Each half is bounded by itself: in the order of its index, so that it stops there.
  await sql`
    CREATE FUNCTION list_image_blob_page(p_after text, p_limit integer)
    RETURNS TABLE (blob_name text, image_uuid uuid, tenant_id integer, is_thumbnail boolean, state text,
                   created_at timestamptz)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$
      (SELECT i.blob_name, i.uuid, i.tenant_id, false, i.state, i.created_at FROM images i
       WHERE i.blob_name > p_after ORDER BY i.blob_name LIMIT p_limit)
      UNION ALL
      (SELECT i.thumbnail_blob_name, i.uuid, i.tenant_id, true, i.state, i.created_at FROM images i
       WHERE i.thumbnail_blob_name > p_after ORDER BY i.thumbnail_blob_name LIMIT p_limit)
      ORDER BY 1 LIMIT p_limit
    $$`.execute(db);
  await sql`ALTER FUNCTION list_image_blob_page(text, integer) OWNER TO dermagate_lookup`.execute(db);
  await sql`SET LOCAL ROLE dermagate_lookup`.execute(db);
  await sql`REVOKE ALL ON FUNCTION list_image_blob_page(text, integer) FROM PUBLIC`.execute(db);
  await sql`GRANT EXECUTE ON FUNCTION list_image_blob_page(text, integer) TO dermagate_app`.execute(db);
  await sql`RESET ROLE`.execute(db);
}
