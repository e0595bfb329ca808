import { type Kysely, sql } from 'kysely';
import diseases from './data/diseases.json' with { type: 'json' };
import { protectTenantTable } from './rights/table-rights.ts';

export async function up(db: Kysely<unknown>): Promise<void> {
  await createDiseaseCatalog(db);
  await createVendorDiseaseCatalog(db);
}

/** One for all tenants, written by migrations alone. */
async function createDiseaseCatalog(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE disease_catalog (
      id bigint PRIMARY KEY,
      slug text NOT NULL UNIQUE CHECK (slug ~ '^[a-z0-9_]{1,100}$'),
      names jsonb NOT NULL CHECK (octet_length(names::text) <= 8192),
      synonyms jsonb NOT NULL DEFAULT '{}' CHECK (octet_length(synonyms::text) <= 16384),
      icd10 text CHECK (length(icd10) <= 20),
      icd11 text CHECK (length(icd11) <= 20),
      category text NOT NULL CHECK (length(category) <= 64),
      urgency text NOT NULL CHECK (urgency IN ('emergency', 'urgent_24h', 'soon_2_weeks', 'routine', 'self_care')),
      active boolean NOT NULL DEFAULT true,
      version integer NOT NULL DEFAULT 1,
      -- Languages whose name no native reader has checked yet.
      machine_drafted text[] NOT NULL DEFAULT '{}',
      created_at timestamptz NOT NULL DEFAULT now(),
      updated_at timestamptz NOT NULL DEFAULT now()
    );
    CREATE INDEX disease_catalog_by_icd10 ON disease_catalog (icd10);
    GRANT SELECT ON disease_catalog TO dermagate_app`.execute(db);
  // The 66 conditions of the reference engine. A disease keeps its id for ever: signed answers name it. Of its ICD-11 codes,
  // only those that its catalogue marks as verified; names but for the English ones await a native reader.
  await sql`
    INSERT INTO disease_catalog (id, slug, icd10, icd11, category, urgency, names, machine_drafted)
    SELECT id, slug, icd10, icd11, category, urgency, names, '{he,ar,es}'
    FROM jsonb_to_recordset(${JSON.stringify(diseases)}::jsonb)
      AS d (id bigint, slug text, icd10 text, icd11 text, category text, urgency text, names jsonb)`.execute(
    db,
  );
}

/** The lists of vendors. */
async function createVendorDiseaseCatalog(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE vendor_disease_catalog (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      tenant_id integer NOT NULL REFERENCES tenants (id),
      vendor text NOT NULL CHECK (vendor ~ '^[a-z0-9_-]{2,32}$' AND vendor <> 'dermagate'),
      code text NOT NULL CHECK (length(code) BETWEEN 1 AND 64),
      names jsonb NOT NULL CHECK (octet_length(names::text) <= 8192),
      icd10 text CHECK (length(icd10) <= 20),
      icd11 text CHECK (length(icd11) <= 20),
      parent_code text CHECK (length(parent_code) <= 64),
      disease_id bigint REFERENCES disease_catalog (id),
      active boolean NOT NULL DEFAULT true,
      version integer NOT NULL DEFAULT 1,
      import_uuid uuid,
      created_at timestamptz NOT NULL DEFAULT now(),
      updated_at timestamptz NOT NULL DEFAULT now(),
      UNIQUE (tenant_id, vendor, code),
      UNIQUE (tenant_id, id)
    );
    CREATE INDEX vendor_disease_catalog_of_disease ON vendor_disease_catalog (disease_id)`.execute(db);
  await protectTenantTable(db, 'vendor_disease_catalog', 'SELECT, INSERT, UPDATE');
}
