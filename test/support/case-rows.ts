import { randomUUID } from 'node:crypto';
import { nameKeys } from '../../src/lib/text/name-keys.ts';
import { tenantRows } from './accounts.ts';
import type { TestApp } from './test-app.ts';

type App = TestApp | TestApp<'real'>;

export interface NewPatient {
  given?: string;
  family?: string;
  externalId?: string;
  /** `users.id` of the account. */
  account?: number;
}

export interface PatientRow {
  id: number;
  uuid: string;
}

/** Patients as rows, in the order given. */
export async function newPatients(
  app: App,
  patients: readonly NewPatient[],
  tenantId = 1,
): Promise<PatientRow[]> {
  const rows = patients.map(({ given, family, externalId, account }) => ({
    uuid: randomUUID(),
    given_name: given ?? null,
    family_name: family ?? null,
    external_id: externalId ?? null,
    account_user_id: account ?? null,
    keys: nameKeys(given, family),
  }));
  const made = await tenantRows<{ id: string; uuid: string }>(
    app,
    `WITH given AS (SELECT * FROM jsonb_to_recordset($1) AS g(uuid uuid, given_name text, family_name text,
       external_id text, account_user_id integer, keys text[])),
     made AS (
       INSERT INTO patients (uuid, tenant_id, relation, given_name, family_name, external_id, account_user_id)
       SELECT uuid, $2::integer, 'other', given_name, family_name, external_id, account_user_id FROM given RETURNING id, uuid),
     keys AS (
       INSERT INTO patient_name_keys (tenant_id, key, patient_id)
       SELECT $2::integer, key, made.id FROM made JOIN given USING (uuid), unnest(keys) AS key)
     SELECT id, uuid FROM made`,
    [JSON.stringify(rows), tenantId],
    tenantId,
  );
  const ids = new Map(made.map(({ id, uuid }) => [uuid, Number(id)]));
  return rows.map(({ uuid }) => ({ uuid, id: ids.get(uuid) as number }));
}

const minutes = (count: number) => new Date(Date.now() + count * 60_000).toISOString();

/** What the CHECKs of the table ask of each status. */
const ofStatus: Readonly<Record<string, () => object>> = {
  draft: () => ({ submitted_at: null }),
  queued: () => ({ lane_pool: 'general', lane_language: 'en', triage_rank: 2, due_at: minutes(60) }),
  in_review: () => ({ lease_expires_at: minutes(30), due_at: minutes(60) }),
  on_hold: () => ({ pending_status: 'awaiting_result', held_at: minutes(0) }),
  answered: () => ({ answered_at: minutes(0), due_at: minutes(60) }),
  closed: () => ({ answered_at: minutes(0), closed_at: minutes(0), due_at: minutes(60) }),
};

/** Cases as rows, in the order given: columns of `request_records`, submitted now in English where they say nothing. */
export async function newCases(
  app: App,
  cases: readonly ({ patient_id: number; status: string } & Record<string, unknown>)[],
  tenantId = 1,
): Promise<string[]> {
  const now = minutes(0);
  const rows = cases.map((given) => ({
    uuid: randomUUID(),
    tenant_id: tenantId,
    source: 'import',
    status_changed_at: now,
    version: 1,
    language: 'en',
    pool: 'general',
    anamnesis_revision: 0,
    analysis_state: 'none',
    red_flags: [],
    urgent_flags: [],
    has_red_flags: false,
    eligibility_reasons: [],
    lease_count: 0,
    audit_state: 'none',
    is_test: false,
    submitted_at: now,
    created_at: now,
    updated_at: now,
    ...ofStatus[given.status]?.(),
    ...given,
  }));
  await tenantRows(
    app,
    `INSERT INTO request_records SELECT row.* FROM jsonb_array_elements($1) AS given,
       LATERAL (SELECT nextval('request_records_id_seq') AS id, given OFFSET 0) AS numbered,
       LATERAL jsonb_populate_record(NULL::request_records, given || jsonb_build_object('id', numbered.id)) AS row`,
    [JSON.stringify(rows)],
    tenantId,
  );
  return rows.map(({ uuid }) => uuid);
}
