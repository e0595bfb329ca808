import { type Kysely, sql } from 'kysely';
import { protectTenantTable } from './rights/table-rights.ts';

/** Texts with placeholders, of a tenant or of one physician. A signed answer may name one, so none is ever deleted. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE report_templates (
      uuid uuid PRIMARY KEY,
      id bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
      tenant_id integer NOT NULL REFERENCES tenants (id),
      kind text NOT NULL CHECK (kind IN ('diagnosis_text', 'case_pdf', 'patient_mail', 'message')),
      scope text NOT NULL CHECK (scope IN ('tenant', 'physician')),
      physician_id integer,
      disease_id bigint REFERENCES disease_catalog (id),
      name text NOT NULL CHECK (length(name) BETWEEN 1 AND 120),
      bodies jsonb NOT NULL CHECK (octet_length(bodies::text) <= 400000),
      placeholders text[] NOT NULL DEFAULT '{}',
      version integer NOT NULL DEFAULT 1,
      is_default boolean NOT NULL DEFAULT false,
      created_at timestamptz NOT NULL DEFAULT now(),
      updated_at timestamptz NOT NULL DEFAULT now(),
      deleted_at timestamptz,
      UNIQUE (tenant_id, uuid),
      UNIQUE (tenant_id, id),
      CHECK ((scope = 'physician') = (physician_id IS NOT NULL)),
      FOREIGN KEY (tenant_id, physician_id) REFERENCES physicians (tenant_id, id)
    )`.execute(db);
  await sql`
    CREATE UNIQUE INDEX report_templates_by_name ON report_templates (tenant_id, kind, scope, physician_id, name)
    NULLS NOT DISTINCT WHERE deleted_at IS NULL`.execute(db);
  await sql`CREATE INDEX report_templates_of_disease ON report_templates (tenant_id, disease_id)`.execute(db);
  await sql`CREATE INDEX report_templates_of_physician ON report_templates (tenant_id, physician_id)`.execute(
    db,
  );
  await protectTenantTable(db, 'report_templates', 'SELECT, INSERT, UPDATE');
}
