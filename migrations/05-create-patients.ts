import { type Kysely, sql } from 'kysely';
import { protectTenantTable } from './rights/table-rights.ts';

export async function up(db: Kysely<unknown>): Promise<void> {
  // The person who is treated, who need not be the one who logs in. Without an account: imported.
  await sql`
    CREATE TABLE patients (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      uuid uuid NOT NULL UNIQUE,
      tenant_id integer NOT NULL REFERENCES tenants (id),
      account_user_id integer,
      relation text NOT NULL CHECK (relation IN ('self', 'child', 'ward', 'other')),
      external_id text CHECK (length(external_id) BETWEEN 1 AND 64),
      given_name text CHECK (length(given_name) BETWEEN 1 AND 80),
      family_name text CHECK (length(family_name) BETWEEN 1 AND 80),
      birth_date date,
      gender text CHECK (gender IN ('female', 'male', 'other', 'prefer_not_to_say', 'unknown')),
      sex_at_birth text CHECK (sex_at_birth IN ('female', 'male', 'intersex', 'prefer_not_to_say')),
      language text CHECK (language IN ('en', 'he', 'ar', 'es')),
      pool text CHECK (length(pool) BETWEEN 1 AND 64),
      version integer NOT NULL DEFAULT 1,
      guardian_confirmed_at timestamptz,
      deactivated_at timestamptz,
      erased_at timestamptz,
      created_at timestamptz NOT NULL DEFAULT now(),
      UNIQUE (tenant_id, id),
      UNIQUE (tenant_id, uuid),
      UNIQUE (tenant_id, external_id),
      FOREIGN KEY (tenant_id, account_user_id) REFERENCES users (tenant_id, id)
    );
    CREATE UNIQUE INDEX patients_self ON patients (tenant_id, account_user_id)
      WHERE relation = 'self';
    CREATE INDEX patients_of_account ON patients (tenant_id, account_user_id, id)`.execute(db);
  await protectTenantTable(db, 'patients', 'SELECT, INSERT, UPDATE');

  // One row for each word of a name, folded. A prefix is found by a range of this index: under row-level security an index
  // serves no LIKE.
  await sql`
    CREATE TABLE patient_name_keys (
      tenant_id integer NOT NULL,
      key text COLLATE "C" NOT NULL CHECK (length(key) BETWEEN 1 AND 80),
      patient_id bigint NOT NULL,
      PRIMARY KEY (tenant_id, key, patient_id),
      FOREIGN KEY (tenant_id, patient_id) REFERENCES patients (tenant_id, id)
    );
    CREATE INDEX patient_name_keys_of_patient ON patient_name_keys (tenant_id, patient_id)`.execute(db);
  await protectTenantTable(db, 'patient_name_keys', 'SELECT, INSERT, UPDATE, DELETE');
}
