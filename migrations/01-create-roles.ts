import { type Kysely, sql } from 'kysely';

// Roles belong to the whole PostgreSQL server, tables to one database, so both are created only where absent.
//   dermagate_app     what the app runs as: subject to row-level security, owns nothing.
//   dermagate_lookup  owns the few SECURITY DEFINER functions that must find a row before the tenant is known
//                     (login by email, a session by its id); it never logs in.
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const role of ['dermagate_app', 'dermagate_lookup']) {
    await sql`
      DO $$ BEGIN
        IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = ${sql.lit(role)}) THEN
          CREATE ROLE ${sql.id(role)} NOLOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS;
        END IF;
      EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; -- another database is being migrated
      END $$`.execute(db);
    await sql`GRANT ${sql.id(role)} TO CURRENT_USER WITH INHERIT FALSE, SET TRUE`.execute(db);
    await sql`GRANT USAGE ON SCHEMA public TO ${sql.id(role)}`.execute(db);
  }
  // Only the owner of the database creates temporary objects, which PostgreSQL may find before the real ones.
  await sql`
    DO $$ BEGIN
      EXECUTE format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC', current_database());
    END $$`.execute(db);
  await sql`REVOKE CREATE ON SCHEMA public FROM PUBLIC`.execute(db);
  // Only the app may call functions, those of later migrations included.
  await sql`ALTER DEFAULT PRIVILEGES REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC`.execute(db);
}
