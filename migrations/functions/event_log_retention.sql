-- How long events of a category are stored.
CREATE OR REPLACE FUNCTION event_log_retention(p_category text) RETURNS interval
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, public, pg_temp
AS $$
  SELECT CASE p_category
    WHEN 'system' THEN interval '90 days' WHEN 'auth' THEN interval '1 year' WHEN 'ai' THEN interval '2 years'
    WHEN 'admin' THEN interval '5 years' WHEN 'access' THEN interval '10 years' ELSE interval '15 years' END
$$;

GRANT EXECUTE ON FUNCTION event_log_retention TO dermagate_app;
