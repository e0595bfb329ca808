import { type Kysely, sql } from 'kysely';
import { protectTenantTable } from './rights/table-rights.ts';

// What the AI service and the rules found, of a case or of none: `POST /api/diagnosis` leaves `case_uuid` null.

export async function up(db: Kysely<unknown>): Promise<void> {
  await createMlDiagnosisResults(db);
  await createUserCheckLogs(db);
}

/** `user_id` is null for anonymous callers. */
async function createMlDiagnosisResults(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE ml_diagnosis_results (
      uuid uuid PRIMARY KEY,
      id bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
      tenant_id integer NOT NULL REFERENCES tenants (id),
      case_uuid uuid,
      user_id integer,
      kind text NOT NULL CHECK (kind IN
        ('diagnosis', 'predict_diagnosis', 'red_flags', 'image_validity', 'triage', 'next_question')),
      input_sha256 bytea NOT NULL CHECK (length(input_sha256) = 32),
      anamnesis_revision integer,
      anamnesis jsonb,
      answer jsonb,
      outcome text NOT NULL CHECK (outcome IN ('ok', 'unavailable', 'timeout', 'invalid_reply')),
      safety_net jsonb,
      model_version text,
      latency_ms integer NOT NULL,
      language text NOT NULL,
      request_id text NOT NULL CHECK (length(request_id) <= 64),
      created_at timestamptz NOT NULL DEFAULT now(),
      UNIQUE (tenant_id, uuid),
      FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id),
      CONSTRAINT ml_diagnosis_results_case_fkey
        FOREIGN KEY (tenant_id, case_uuid) REFERENCES request_records (tenant_id, uuid)
    );
    CREATE INDEX ml_results_of_case ON ml_diagnosis_results (tenant_id, case_uuid, created_at);
    CREATE INDEX ml_results_by_time ON ml_diagnosis_results (tenant_id, created_at);
    CREATE INDEX ml_results_by_input ON ml_diagnosis_results (tenant_id, input_sha256);
    -- For sweep_ml_diagnosis_results: most rows are older and have no anamnesis left.
    CREATE INDEX ml_results_with_anamnesis ON ml_diagnosis_results (tenant_id, created_at)
      WHERE case_uuid IS NULL AND anamnesis IS NOT NULL;
    CREATE INDEX ml_results_of_user ON ml_diagnosis_results (tenant_id, user_id) WHERE user_id IS NOT NULL;

    ALTER TABLE request_records
      ADD FOREIGN KEY (tenant_id, ml_result_uuid) REFERENCES ml_diagnosis_results (tenant_id, uuid)`.execute(
    db,
  );
  await protectTenantTable(db, 'ml_diagnosis_results', 'SELECT, INSERT');
}

/** Every check of whether a person may do something. Append-only; codes and ids only. */
async function createUserCheckLogs(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE user_check_logs (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      tenant_id integer NOT NULL REFERENCES tenants (id),
      user_id integer,
      patient_id bigint,
      case_uuid uuid,
      check_kind text NOT NULL CHECK (check_kind IN
        ('eligibility', 'membership', 'registration', 'connectivity', 'token')),
      outcome text NOT NULL CHECK (outcome ~ '^[a-z0-9_]{1,48}$'),
      reasons text[] NOT NULL DEFAULT '{}',
      rule_version text CHECK (length(rule_version) <= 64),
      source text CHECK (length(source) <= 64),
      latency_ms integer CHECK (latency_ms >= 0),
      request_id text CHECK (length(request_id) <= 64),
      created_at timestamptz NOT NULL DEFAULT now(),
      FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE SET NULL (user_id),
      FOREIGN KEY (tenant_id, patient_id) REFERENCES patients (tenant_id, id),
      CONSTRAINT user_check_logs_case_fkey
        FOREIGN KEY (tenant_id, case_uuid) REFERENCES request_records (tenant_id, uuid)
    );
    CREATE INDEX user_check_logs_of_case ON user_check_logs (tenant_id, case_uuid)
      WHERE case_uuid IS NOT NULL;
    CREATE INDEX user_check_logs_of_patient ON user_check_logs (tenant_id, patient_id, created_at);
    CREATE INDEX user_check_logs_to_clean ON user_check_logs (tenant_id, created_at);
    CREATE INDEX user_check_logs_of_user ON user_check_logs (tenant_id, user_id) WHERE user_id IS NOT NULL`.execute(
    db,
  );
  await protectTenantTable(db, 'user_check_logs', 'SELECT, INSERT');
}
