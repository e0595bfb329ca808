import { type Kysely, sql } from 'kysely';
import { protectTenantTable } from './rights/table-rights.ts';

export async function up(db: Kysely<unknown>): Promise<void> {
  // `case_uuid` gets its foreign key when cases arrive; `user_id` is null for anonymous callers.
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
      FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id)
    )`.execute(db);
  await sql`CREATE INDEX ml_results_of_case ON ml_diagnosis_results (tenant_id, case_uuid, created_at)`.execute(
    db,
  );
  await sql`CREATE INDEX ml_results_by_time ON ml_diagnosis_results (tenant_id, created_at)`.execute(db);
  await sql`CREATE INDEX ml_results_by_input ON ml_diagnosis_results (tenant_id, input_sha256)`.execute(db);
  // For sweep_ml_diagnosis_results: most rows are older and have no anamnesis left.
  await sql`
    CREATE INDEX ml_results_with_anamnesis ON ml_diagnosis_results (tenant_id, created_at)
    WHERE case_uuid IS NULL AND anamnesis IS NOT NULL`.execute(db);
  await protectTenantTable(db, 'ml_diagnosis_results', 'SELECT, INSERT');
}
