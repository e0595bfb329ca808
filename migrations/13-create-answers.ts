import { type Kysely, sql } from 'kysely';
import { protectTenantTable } from './rights/table-rights.ts';

/** Physicians' answers to cases, the templates of their texts, and what auditors say of them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createReportTemplates(db);
  await createDermatologistAnnotations(db);
  await createAuditAnnotations(db);
}

/** Texts with placeholders, of a tenant or of one physician. A signed answer may name one, so none is ever deleted. */
async function createReportTemplates(db: Kysely<unknown>): Promise<void> {
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
    );
    CREATE UNIQUE INDEX report_templates_by_name ON report_templates (tenant_id, kind, scope, physician_id, name)
      NULLS NOT DISTINCT WHERE deleted_at IS NULL;
    CREATE INDEX report_templates_of_disease ON report_templates (tenant_id, disease_id);
    CREATE INDEX report_templates_of_physician ON report_templates (tenant_id, physician_id)`.execute(db);
  await protectTenantTable(db, 'report_templates', 'SELECT, INSERT, UPDATE');
}

/** A draft may be incomplete; what is signed is not. */
async function createDermatologistAnnotations(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE dermatologist_annotations (
      uuid uuid PRIMARY KEY,
      id bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
      tenant_id integer NOT NULL,
      case_uuid uuid NOT NULL,
      -- Null once the physician's account is erased: the answer is part of the medical record.
      physician_id integer,
      status text NOT NULL CHECK (status IN ('draft', 'final', 'amended', 'cancelled')),
      version integer NOT NULL DEFAULT 1,
      amends_uuid uuid,
      amend_reason text CHECK (length(amend_reason) <= 500),
      language text NOT NULL CHECK (language IN ('en', 'he', 'ar', 'es')),
      diagnoses jsonb NOT NULL DEFAULT '[]' CHECK (octet_length(diagnoses::text) <= 16384),
      primary_disease_id bigint REFERENCES disease_catalog (id),
      primary_code text CHECK (length(primary_code) <= 64),
      severity text CHECK (severity IN ('none', 'mild', 'moderate', 'severe')),
      recommended_action text CHECK (length(recommended_action) <= 64),
      recommendation_text text CHECK (length(recommendation_text) <= 4000),
      treatments jsonb NOT NULL DEFAULT '[]' CHECK (octet_length(treatments::text) <= 65536),
      follow_up jsonb CHECK (octet_length(follow_up::text) <= 4096),
      referral jsonb CHECK (octet_length(referral::text) <= 16384),
      patient_message text CHECK (length(patient_message) <= 4000),
      internal_note text CHECK (length(internal_note) <= 4000),
      image_quality_ok boolean,
      ai_agreement text CHECK (ai_agreement IN ('agree', 'partial', 'disagree', 'not_considered')),
      acknowledged_flags text[] NOT NULL DEFAULT '{}',
      contradiction_reasons jsonb NOT NULL DEFAULT '[]' CHECK (octet_length(contradiction_reasons::text) <= 16384),
      urgency_explanation text CHECK (length(urgency_explanation) <= 500),
      template_id bigint,
      rendered_text text CHECK (length(rendered_text) <= 40000),
      seconds_spent integer CHECK (seconds_spent >= 0),
      created_at timestamptz NOT NULL DEFAULT now(),
      updated_at timestamptz NOT NULL DEFAULT now(),
      signed_at timestamptz,
      published_at timestamptz,
      cancelled_at timestamptz,
      cancel_reason text CHECK (length(cancel_reason) <= 500),
      UNIQUE (tenant_id, uuid),
      CHECK (status <> 'draft' OR physician_id IS NOT NULL),
      CHECK (status NOT IN ('final', 'amended') OR (signed_at IS NOT NULL AND recommended_action IS NOT NULL
        AND rendered_text IS NOT NULL AND jsonb_array_length(diagnoses) > 0)),
      CHECK ((status = 'cancelled') = (cancelled_at IS NOT NULL)),
      FOREIGN KEY (tenant_id, case_uuid) REFERENCES request_records (tenant_id, uuid),
      FOREIGN KEY (tenant_id, physician_id) REFERENCES physicians (tenant_id, id),
      FOREIGN KEY (tenant_id, amends_uuid) REFERENCES dermatologist_annotations (tenant_id, uuid),
      FOREIGN KEY (tenant_id, template_id) REFERENCES report_templates (tenant_id, id)
    );
    CREATE INDEX dermatologist_annotations_of_case ON dermatologist_annotations (tenant_id, case_uuid, created_at);
    CREATE INDEX dermatologist_annotations_of_physician
      ON dermatologist_annotations (tenant_id, physician_id, signed_at);
    CREATE INDEX dermatologist_annotations_amending ON dermatologist_annotations (tenant_id, amends_uuid)
      WHERE amends_uuid IS NOT NULL;
    CREATE INDEX dermatologist_annotations_of_template ON dermatologist_annotations (tenant_id, template_id)
      WHERE template_id IS NOT NULL;
    CREATE INDEX dermatologist_annotations_of_disease ON dermatologist_annotations (primary_disease_id)
      WHERE primary_disease_id IS NOT NULL;
    CREATE UNIQUE INDEX dermatologist_annotations_one_draft ON dermatologist_annotations (case_uuid, physician_id)
      WHERE status = 'draft';
    CREATE UNIQUE INDEX dermatologist_annotations_one_final ON dermatologist_annotations (case_uuid)
      WHERE status = 'final';
    -- For sweepDrafts, which deletes cancelled drafts as well.
    CREATE INDEX dermatologist_annotations_unsigned ON dermatologist_annotations (tenant_id, updated_at)
      WHERE signed_at IS NULL;

    ALTER TABLE request_records
      ADD FOREIGN KEY (tenant_id, final_annotation_uuid)
        REFERENCES dermatologist_annotations (tenant_id, uuid)`.execute(db);
  await protectTenantTable(db, 'dermatologist_annotations', 'SELECT, INSERT, UPDATE, DELETE');
}

async function createAuditAnnotations(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE audit_annotations (
      uuid uuid PRIMARY KEY,
      tenant_id integer NOT NULL,
      case_uuid uuid NOT NULL,
      annotation_uuid uuid NOT NULL,
      auditor_id integer,
      status text NOT NULL CHECK (status IN ('draft', 'final', 'cancelled')),
      version integer NOT NULL DEFAULT 1,
      agreement text CHECK (agreement IN ('agree', 'minor', 'major')),
      own_diagnosis jsonb CHECK (octet_length(own_diagnosis::text) <= 16384),
      scores jsonb CHECK (octet_length(scores::text) <= 1024),
      safety_issue boolean NOT NULL DEFAULT false,
      requires_correction boolean NOT NULL DEFAULT false,
      comment text CHECK (length(comment) <= 4000),
      created_at timestamptz NOT NULL DEFAULT now(),
      updated_at timestamptz NOT NULL DEFAULT now(),
      signed_at timestamptz,
      cancelled_at timestamptz,
      cancel_reason text CHECK (length(cancel_reason) <= 500),
      UNIQUE (tenant_id, uuid),
      CHECK (status <> 'draft' OR auditor_id IS NOT NULL),
      CHECK (status <> 'final' OR (signed_at IS NOT NULL AND agreement IS NOT NULL)),
      CHECK ((status = 'cancelled') = (cancelled_at IS NOT NULL)),
      FOREIGN KEY (tenant_id, case_uuid) REFERENCES request_records (tenant_id, uuid),
      FOREIGN KEY (tenant_id, annotation_uuid) REFERENCES dermatologist_annotations (tenant_id, uuid),
      FOREIGN KEY (tenant_id, auditor_id) REFERENCES physicians (tenant_id, id)
    );
    CREATE UNIQUE INDEX audit_annotations_one_each ON audit_annotations (annotation_uuid, auditor_id)
      WHERE status <> 'cancelled';
    CREATE INDEX audit_annotations_of_case ON audit_annotations (tenant_id, case_uuid);
    CREATE INDEX audit_annotations_of_annotation ON audit_annotations (tenant_id, annotation_uuid);
    CREATE INDEX audit_annotations_of_auditor ON audit_annotations (tenant_id, auditor_id, created_at)`.execute(
    db,
  );
  await protectTenantTable(db, 'audit_annotations', 'SELECT, INSERT, UPDATE, DELETE');
}
