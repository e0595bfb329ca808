import { type Kysely, sql } from 'kysely';
import { protectTenantTable } from './rights/table-rights.ts';

// A case is split so that the row that changes often stays narrow: its state stands in `request_records`, what the patient
// said, showed and wrote in tables of their own.
export async function up(db: Kysely<unknown>): Promise<void> {
  await createCaseBatches(db);
  await createRequestRecords(db);
  await createRequestAnamneses(db);
  await createCaseImages(db);
  await createCaseMessages(db);
  await createCaseSkips(db);
}

async function createCaseBatches(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE case_batches (
      uuid uuid PRIMARY KEY,
      tenant_id integer NOT NULL REFERENCES tenants (id),
      kind text NOT NULL CHECK (kind IN ('patient_session', 'import')),
      account_user_id integer,
      client_batch_id text CHECK (length(client_batch_id) BETWEEN 1 AND 64),
      expected_size integer NOT NULL CHECK (expected_size >= 1),
      created_at timestamptz NOT NULL DEFAULT now(),
      CHECK (expected_size <= CASE kind WHEN 'import' THEN 10000 ELSE 10 END),
      UNIQUE (tenant_id, uuid),
      UNIQUE (tenant_id, account_user_id, client_batch_id),
      FOREIGN KEY (tenant_id, account_user_id) REFERENCES users (tenant_id, id)
    )`.execute(db);
  await protectTenantTable(db, 'case_batches', 'SELECT, INSERT');
}

/**
 * `status` and what goes with it have one writer, src/domain/cases/record/apply-transition.ts. The checks are the second line:
 * no queued case without a lane, no lease without a physician, no emergency that leaves unseen.
 */
async function createRequestRecords(db: Kysely<unknown>): Promise<void> {
  // A plain sequence, whose values people say on the phone.
  await sql`CREATE SEQUENCE request_records_id_seq AS bigint`.execute(db);
  await sql`
    CREATE TABLE request_records (
      uuid uuid PRIMARY KEY,
      id bigint NOT NULL DEFAULT nextval('request_records_id_seq') UNIQUE,
      tenant_id integer NOT NULL REFERENCES tenants (id),
      patient_id bigint NOT NULL,
      account_user_id integer,
      -- The physician or admin who made it for the patient; null where the account did.
      created_by_user_id integer,
      source text NOT NULL CHECK (source IN ('mobile', 'portal', 'backoffice', 'api', 'import')),
      client_case_id text CHECK (length(client_case_id) BETWEEN 1 AND 64),
      client_case_sha256 bytea CHECK (length(client_case_sha256) = 32),
      batch_uuid uuid,
      status text NOT NULL CHECK (status IN ('draft', 'submitted', 'queued', 'in_review', 'on_hold', 'answered', 'closed',
        'ineligible', 'cancelled', 'expired')),
      pending_status text CHECK (pending_status IN
        ('awaiting_patient', 'awaiting_second_opinion', 'awaiting_result', 'technical')),
      status_reason text CHECK (length(status_reason) <= 64),
      status_note text CHECK (length(status_note) <= 2000),
      status_changed_at timestamptz NOT NULL,
      version integer NOT NULL DEFAULT 1,
      language text NOT NULL CHECK (language IN ('en', 'he', 'ar', 'es')),
      pool text NOT NULL DEFAULT 'general',
      lane_language text,
      lane_pool text,
      lane_until timestamptz,
      anamnesis_revision integer NOT NULL DEFAULT 0,
      consent_version text CHECK (length(consent_version) <= 64),
      consented_at timestamptz,
      analysis_state text NOT NULL DEFAULT 'none' CHECK (analysis_state IN ('none', 'pending', 'done', 'degraded')),
      ml_result_uuid uuid,
      top_disease text,
      top_probability real,
      triage_level text CHECK (triage_level IN ('emergency', 'urgent_24h', 'soon_2_weeks', 'routine', 'self_care')),
      triage_rank smallint CHECK (triage_rank BETWEEN 0 AND 2),
      triage_override_reason text CHECK (length(triage_override_reason) <= 500),
      urgency text CHECK (urgency IN ('low', 'medium', 'high', 'emergency')),
      red_flags text[] NOT NULL DEFAULT '{}',
      urgent_flags text[] NOT NULL DEFAULT '{}',
      has_red_flags boolean NOT NULL DEFAULT false,
      eligibility_outcome text CHECK (eligibility_outcome IN
        ('eligible', 'needs_patient', 'ineligible', 'undetermined')),
      eligibility_reasons text[] NOT NULL DEFAULT '{}',
      eligibility_checked_at timestamptz,
      assigned_physician_id integer,
      lease_expires_at timestamptz,
      lease_count smallint NOT NULL DEFAULT 0,
      submitted_at timestamptz,
      queued_at timestamptz,
      due_at timestamptz,
      held_at timestamptz,
      remind_at timestamptz,
      answered_at timestamptz,
      publish_at timestamptz,
      closed_at timestamptz,
      -- A patient reopens a case once.
      reopened_by_patient_at timestamptz,
      notified_at timestamptz,
      read_at timestamptz,
      final_annotation_uuid uuid,
      disease_id bigint REFERENCES disease_catalog (id),
      -- Of the published answer that counts: how urgent what the patient reads is.
      answer_action text CHECK (length(answer_action) <= 64),
      -- The dangers that were known when the answer was signed; null before, and of answers from elsewhere.
      answered_urgent_flags text[],
      answered_urgency text CHECK (answered_urgency IN ('low', 'medium', 'high', 'emergency')),
      audit_state text NOT NULL DEFAULT 'none' CHECK (audit_state IN ('none', 'pending', 'done')),
      is_test boolean NOT NULL DEFAULT false,
      erased_at timestamptz,
      created_at timestamptz NOT NULL DEFAULT now(),
      updated_at timestamptz NOT NULL DEFAULT now(),
      UNIQUE (tenant_id, uuid),
      UNIQUE (tenant_id, account_user_id, client_case_id),
      CHECK ((client_case_id IS NULL) = (client_case_sha256 IS NULL)),
      CHECK ((consent_version IS NULL) = (consented_at IS NULL)),
      CHECK ((status = 'on_hold') = (pending_status IS NOT NULL)),
      CHECK (status <> 'in_review' OR (assigned_physician_id IS NOT NULL AND lease_expires_at IS NOT NULL)),
      CHECK (status <> 'queued' OR (lane_pool IS NOT NULL AND lane_language IS NOT NULL
        AND triage_rank IS NOT NULL AND due_at IS NOT NULL)),
      CHECK (NOT (urgency = 'emergency' AND status IN ('ineligible', 'expired'))),
      FOREIGN KEY (tenant_id, patient_id) REFERENCES patients (tenant_id, id),
      FOREIGN KEY (tenant_id, account_user_id) REFERENCES users (tenant_id, id),
      FOREIGN KEY (tenant_id, created_by_user_id) REFERENCES users (tenant_id, id),
      FOREIGN KEY (tenant_id, batch_uuid) REFERENCES case_batches (tenant_id, uuid),
      FOREIGN KEY (tenant_id, assigned_physician_id) REFERENCES physicians (tenant_id, id)
    )`.execute(db);
  await sql`ALTER SEQUENCE request_records_id_seq OWNED BY request_records.id`.execute(db);
  await sql`GRANT USAGE ON SEQUENCE request_records_id_seq TO dermagate_app`.execute(db);

  await indexRequestRecords(db);
  await protectTenantTable(db, 'request_records', 'SELECT, INSERT, UPDATE');
}

/** Staff search several sets of cases in several orders; each has an index, so that no search sorts more than it shows. */
async function indexRequestRecords(db: Kysely<unknown>): Promise<void> {
  const queued = "WHERE status = 'queued'";
  const lane = 'tenant_id, lane_pool, lane_language';
  const ofPhysician = 'tenant_id, assigned_physician_id, status';
  const indexes = {
    // Timers.
    lanes_to_open: `(tenant_id, lane_until) ${queued} AND lane_until IS NOT NULL`,
    pools_to_open: `(tenant_id, triage_rank, queued_at)
      ${queued} AND lane_until IS NULL AND lane_pool <> 'general'`,
    languages_to_open: `(tenant_id, triage_rank, queued_at) ${queued} AND lane_language <> 'any'`,
    leases: `(tenant_id, lease_expires_at) WHERE status = 'in_review'`,
    to_publish: `(tenant_id, publish_at) WHERE status = 'answered'`,
    to_analyse: `(tenant_id, submitted_at) WHERE status = 'submitted'`,
    to_judge: `(tenant_id, (coalesce(eligibility_checked_at, updated_at)))
      WHERE status = 'submitted' AND analysis_state IN ('done', 'degraded')`,
    emergencies: `(tenant_id, submitted_at) WHERE triage_rank = 0 AND status IN ('submitted', 'queued')`,
    held: `(tenant_id, held_at) WHERE status = 'on_hold'`,
    // On hold, and the patient has replied.
    replied: `(tenant_id, updated_at)
      WHERE status = 'on_hold' AND coalesce(eligibility_outcome, 'undetermined') = 'undetermined'`,
    to_remind: `(tenant_id, remind_at) WHERE status = 'on_hold' AND remind_at IS NOT NULL`,
    drafts: `(tenant_id, updated_at) WHERE status = 'draft'`,
    // For sweep_request_records: submitted cases that ended likewise stay, and become ever more.
    never_submitted: `(tenant_id, updated_at) WHERE submitted_at IS NULL AND status IN ('expired', 'cancelled')`,
    to_audit: `(tenant_id, answered_at) WHERE audit_state = 'pending'`,
    // All that decides whether a physician is offered a case: counting what waits reads no table.
    offered: `(${lane}, triage_rank, due_at, id) INCLUDE (uuid, account_user_id, language) ${queued}`,
    queue_by_creation: `(${lane}, created_at, id) ${queued}`,
    queue_by_update: `(${lane}, updated_at, id) ${queued}`,
    queue_by_submission: `(${lane}, submitted_at, id) ${queued}`,
    of_physician: `(${ofPhysician}, due_at, id)`,
    of_physician_by_creation: `(${ofPhysician}, created_at, id)`,
    of_physician_by_update: `(${ofPhysician}, updated_at, id)`,
    of_physician_by_submission: `(${ofPhysician}, submitted_at, id)`,
    by_creation: '(tenant_id, created_at, id)',
    by_update: '(tenant_id, updated_at, id)',
    by_submission: '(tenant_id, submitted_at, id)',
    by_due_time_alone: '(tenant_id, due_at, id)',
    by_status: '(tenant_id, status, created_at, id)',
    by_status_and_update: '(tenant_id, status, updated_at, id)',
    by_status_and_submission: '(tenant_id, status, submitted_at, id)',
    by_due_time: '(tenant_id, status, due_at, id)',
    by_answer: '(tenant_id, answered_at) WHERE answered_at IS NOT NULL',
    of_patient: '(tenant_id, patient_id, created_at, id)',
    of_account: '(tenant_id, account_user_id, created_at, id)',
    by_staff: '(tenant_id, created_by_user_id, created_at, id) WHERE created_by_user_id IS NOT NULL',
    of_batch: '(tenant_id, batch_uuid) WHERE batch_uuid IS NOT NULL',
    of_disease: '(tenant_id, disease_id, created_at, id) WHERE disease_id IS NOT NULL',
    of_ml_result: '(tenant_id, ml_result_uuid) WHERE ml_result_uuid IS NOT NULL',
    of_annotation: '(tenant_id, final_annotation_uuid) WHERE final_annotation_uuid IS NOT NULL',
  };
  for (const [name, definition] of Object.entries(indexes)) {
    const index = sql.id(`request_records_${name}`);
    await sql`CREATE INDEX ${index} ON request_records ${sql.raw(definition)}`.execute(db);
  }
}

/** Append-only: an edit never destroys what the patient first said. */
async function createRequestAnamneses(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE request_anamneses (
      case_uuid uuid NOT NULL,
      revision integer NOT NULL CHECK (revision >= 1),
      tenant_id integer NOT NULL,
      anamnesis jsonb NOT NULL CHECK (octet_length(anamnesis::text) <= 98304),
      sha256 bytea NOT NULL CHECK (length(sha256) = 32),
      schema_version text NOT NULL,
      author_user_id integer,
      author_kind text NOT NULL CHECK (author_kind IN ('patient', 'staff', 'import')),
      correction_reason text CHECK (length(correction_reason) <= 500),
      created_at timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (case_uuid, revision),
      FOREIGN KEY (tenant_id, case_uuid) REFERENCES request_records (tenant_id, uuid),
      FOREIGN KEY (tenant_id, author_user_id) REFERENCES users (tenant_id, id)
    );
    CREATE INDEX request_anamneses_of_author ON request_anamneses (tenant_id, author_user_id)`.execute(db);
  await protectTenantTable(db, 'request_anamneses', 'SELECT, INSERT');
}

async function createCaseImages(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE case_images (
      case_uuid uuid NOT NULL,
      image_uuid uuid NOT NULL,
      tenant_id integer NOT NULL,
      position smallint NOT NULL CHECK (position >= 0),
      kind text CHECK (kind IN ('close_up', 'at_an_angle', 'at_distance', 'dermoscopic', 'with_scale',
        'previous_photo', 'other')),
      location_index smallint CHECK (location_index >= 0),
      quality jsonb,
      added_at timestamptz NOT NULL,
      removed_at timestamptz,
      PRIMARY KEY (case_uuid, image_uuid),
      FOREIGN KEY (tenant_id, case_uuid) REFERENCES request_records (tenant_id, uuid),
      FOREIGN KEY (tenant_id, image_uuid) REFERENCES images (tenant_id, uuid)
    );
    CREATE INDEX case_images_of_image ON case_images (tenant_id, image_uuid)`.execute(db);
  await protectTenantTable(db, 'case_images', 'SELECT, INSERT, UPDATE');
}

async function createCaseMessages(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE case_messages (
      uuid uuid PRIMARY KEY,
      tenant_id integer NOT NULL,
      case_uuid uuid NOT NULL,
      direction text NOT NULL CHECK (direction IN ('to_patient', 'from_patient')),
      codes text[] NOT NULL DEFAULT '{}',
      text text CHECK (length(text) BETWEEN 1 AND 2000),
      language text NOT NULL CHECK (language IN ('en', 'he', 'ar', 'es')),
      author_user_id integer,
      created_at timestamptz NOT NULL DEFAULT now(),
      read_at timestamptz,
      CHECK (text IS NOT NULL OR cardinality(codes) > 0),
      FOREIGN KEY (tenant_id, case_uuid) REFERENCES request_records (tenant_id, uuid),
      FOREIGN KEY (tenant_id, author_user_id) REFERENCES users (tenant_id, id)
    );
    CREATE INDEX case_messages_of_case ON case_messages (tenant_id, case_uuid, created_at);
    CREATE INDEX case_messages_of_author ON case_messages (tenant_id, author_user_id)`.execute(db);
  await protectTenantTable(db, 'case_messages', 'SELECT, INSERT, UPDATE');
}

/** A case that a physician gave back is not offered to the same one again for a while. */
async function createCaseSkips(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE case_skips (
      physician_id integer NOT NULL,
      case_uuid uuid NOT NULL,
      tenant_id integer NOT NULL,
      reason text NOT NULL CHECK (length(reason) <= 64),
      until timestamptz NOT NULL,
      created_at timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (physician_id, case_uuid),
      FOREIGN KEY (tenant_id, physician_id) REFERENCES physicians (tenant_id, id),
      FOREIGN KEY (tenant_id, case_uuid) REFERENCES request_records (tenant_id, uuid)
    );
    CREATE INDEX case_skips_to_clean ON case_skips (tenant_id, until);
    CREATE INDEX case_skips_of_case ON case_skips (tenant_id, case_uuid)`.execute(db);
  await protectTenantTable(db, 'case_skips', 'SELECT, INSERT, UPDATE, DELETE');
}
