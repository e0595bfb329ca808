import { type Kysely, sql } from 'kysely';

/**
 * PostgreSQL searches pg_temp before everything else for tables, views and types, unless the search path names it: a
 * temporary view `pg_class` made `drop_event_log_partition` run foreign code with the rights of the tables' owner. Every
 * function names pg_temp last, only the owner of the database creates temporary objects, and only the app may call
 * functions, those of later migrations included.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    DO $$
    DECLARE v_function record;
    BEGIN
      FOR v_function IN
        SELECT oid::regprocedure AS signature, pg_get_userbyid(proowner) AS owner FROM pg_proc
        WHERE pronamespace = 'public'::regnamespace
          AND pg_get_userbyid(proowner) IN (current_user, 'dermagate_lookup')
      LOOP
        EXECUTE format('SET LOCAL ROLE %I', v_function.owner);
        EXECUTE format('ALTER FUNCTION %s SET search_path = pg_catalog, public, pg_temp', v_function.signature);
        EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', v_function.signature);
        EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO dermagate_app', v_function.signature);
        RESET ROLE;
      END LOOP;
      EXECUTE format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC', current_database());
    END $$`.execute(db);
  await sql`ALTER DEFAULT PRIVILEGES REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC`.execute(db);
  // Granted for the moment only in which a migration hands a function over.
  await sql`REVOKE CREATE ON SCHEMA public FROM PUBLIC, dermagate_lookup`.execute(db);

  // They read the bounds of partitions as text, which the settings of the caller would write.
  for (const signature of [
    'keep_event_log_partitions()',
    'due_event_log_partitions()',
    'drop_event_log_partition(text)',
  ]) {
    await sql`ALTER FUNCTION ${sql.raw(signature)} SET timezone = 'UTC'`.execute(db);
    await sql`ALTER FUNCTION ${sql.raw(signature)} SET datestyle = 'ISO, YMD'`.execute(db);
  }
}
