-- The next `p_limit` blobs and thumbnails after a blob name, across all tenants, for the timer that compares rows and
-- blobs; the state of those deleted by a user is `deleted`. Each half stops at the limit by itself, in the order of its index.
SET LOCAL ROLE dermagate_lookup;

CREATE OR REPLACE FUNCTION list_image_blob_page(p_after text, p_limit integer)
RETURNS TABLE (blob_name text, image_uuid uuid, tenant_id integer, is_thumbnail boolean, state text,
               created_at timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
  (SELECT i.blob_name, i.uuid, i.tenant_id, false, CASE WHEN i.deleted_at IS NULL THEN i.state ELSE 'deleted' END, i.created_at FROM images i
   WHERE i.blob_name > p_after ORDER BY i.blob_name LIMIT p_limit)
  UNION ALL
  (SELECT i.thumbnail_blob_name, i.uuid, i.tenant_id, true, CASE WHEN i.deleted_at IS NULL THEN i.state ELSE 'deleted' END, i.created_at FROM images i
   WHERE i.thumbnail_blob_name > p_after ORDER BY i.thumbnail_blob_name LIMIT p_limit)
  ORDER BY 1 LIMIT p_limit
$$;

GRANT EXECUTE ON FUNCTION list_image_blob_page TO dermagate_app;
