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
    )`.execute(db);
  await sql`
    CREATE UNIQUE INDEX patients_self ON patients (tenant_id, account_user_id)
    WHERE relation = 'self'`.execute(db);
  await sql`CREATE INDEX patients_of_account ON patients (tenant_id, account_user_id, id)`.execute(db);
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
    )`.execute(db);
  await sql`CREATE INDEX patient_name_keys_of_patient ON patient_name_keys (tenant_id, patient_id)`.execute(
    db,
  );
  await protectTenantTable(db, 'patient_name_keys', 'SELECT, INSERT, UPDATE, DELETE');

  await createSelfProfiles(db);
}

/**
 * Accounts of patients that exist have a profile of their own from now on. Row-level security binds the owner as well; it
 * also hides `users` from a foreign key that is added to rows, so the key is there before them.
 */
async function createSelfProfiles(db: Kysely<unknown>): Promise<void> {
  const { rows: tenants } = await sql<{ id: number }>`SELECT id FROM tenants ORDER BY id`.execute(db);
  for (const { id } of tenants) {
    await sql`SELECT set_config('app.tenant', ${String(id)}, true)`.execute(db);
    // Version 7, of the time at which the account was created, so that profiles lie in its order.
    await sql`
      INSERT INTO patients (uuid, tenant_id, account_user_id, relation)
      SELECT encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
          PLACING substring(int8send((extract(epoch FROM created_at) * 1000)::bigint) FROM 3) FROM 1 FOR 6),
        52, 1), 53, 1), 'hex')::uuid, tenant_id, id, 'self'
      FROM users WHERE tenant_id = ${id} AND role = 'patient' ORDER BY id`.execute(db);
  }
  await sql`SELECT set_config('app.tenant', '', true)`.execute(db);
}
