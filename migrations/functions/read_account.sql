-- The account, physician and tenant that `GET /api/auth/me` shows, in one round trip. The app's own rights and
-- row-level security apply: the function names the tenant, and restores the caller's afterwards.
CREATE OR REPLACE FUNCTION read_account(p_tenant integer, p_user integer)
RETURNS TABLE (uuid uuid, email text, role text, is_active boolean, is_verified boolean, tenant_id integer,
               created_at timestamptz, last_login timestamptz,
               physician_uuid uuid, employee_id bigint, language_preference text, vacation_mode boolean,
               physician_created_at timestamptz,
               tenant_uuid uuid, tenant_name text, tenant_slug text, tenant_is_active boolean,
               tenant_created_at timestamptz)
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp
AS $$
DECLARE v_before text := coalesce(current_setting('app.tenant', true), '');
BEGIN
  PERFORM set_config('app.tenant', p_tenant::text, true);
  RETURN QUERY
    SELECT u.uuid, u.email, u.role, u.is_active, u.is_verified, u.tenant_id, u.created_at, u.last_login,
           p.uuid, p.employee_id, p.language_preference, p.vacation_mode, p.created_at,
           t.uuid, t.name, t.slug, t.is_active, t.created_at
    FROM users u
    JOIN tenants t ON t.id = u.tenant_id
    LEFT JOIN physicians p ON p.tenant_id = u.tenant_id AND p.user_id = u.id
    WHERE u.id = p_user;
  PERFORM set_config('app.tenant', v_before, true);
END $$;

GRANT EXECUTE ON FUNCTION read_account TO dermagate_app;
