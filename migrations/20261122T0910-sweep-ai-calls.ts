import { type Kysely, sql } from 'kysely';

/**
 * Calls of the AI service that belong to no case stay two years, the answers of the patient in them 90 days. The
 * app may neither change nor delete rows: this function does, with the rights of the tables' owner, and deletes nothing
 * early even if the app names a later time.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE FUNCTION sweep_ml_diagnosis_results(p_tenant integer, p_now timestamptz, p_limit integer)
    RETURNS TABLE (deleted integer, blanked integer)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
    AS $$
    DECLARE
      v_now timestamptz := least(p_now, now());
      v_before text := coalesce(current_setting('app.tenant', true), '');
    BEGIN
      PERFORM set_config('app.tenant', p_tenant::text, true);
      DELETE FROM ml_diagnosis_results WHERE uuid = ANY (ARRAY(
        SELECT uuid FROM ml_diagnosis_results
        WHERE tenant_id = p_tenant AND case_uuid IS NULL AND created_at <= v_now - interval '2 years'
        ORDER BY created_at LIMIT p_limit FOR UPDATE SKIP LOCKED));
      GET DIAGNOSTICS deleted = ROW_COUNT;
      UPDATE ml_diagnosis_results SET anamnesis = NULL WHERE uuid = ANY (ARRAY(
        SELECT uuid FROM ml_diagnosis_results
        WHERE tenant_id = p_tenant AND case_uuid IS NULL AND anamnesis IS NOT NULL
          AND created_at <= v_now - interval '90 days'
        ORDER BY created_at LIMIT p_limit FOR UPDATE SKIP LOCKED));
      GET DIAGNOSTICS blanked = ROW_COUNT;
      PERFORM set_config('app.tenant', v_before, true);
      RETURN NEXT;
    END $$`.execute(db);
  await sql`REVOKE ALL ON FUNCTION sweep_ml_diagnosis_results(integer, timestamptz, integer) FROM PUBLIC`.execute(
    db,
  );
  await sql`
    GRANT EXECUTE ON FUNCTION sweep_ml_diagnosis_results(integer, timestamptz, integer) TO dermagate_app`.execute(
    db,
  );
}
