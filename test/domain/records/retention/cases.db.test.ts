import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { auditEvents } from '../../../../src/contract/audit.ts';
import { createLog } from '../../../../src/lib/telemetry/log.ts';
import { sweep } from '../../../../src/domain/records/retention/sweep.ts';
import { connectDatabase, type Tx } from '../../../../src/lib/db/connect.ts';
import { inTenant } from '../../../../src/lib/db/tenant.ts';
import { afterwards } from '../../../support/cleanup.ts';
import { testDatabase } from '../../../support/database.ts';

const log = createLog(() => undefined);

// Cases that ended without ever having been submitted: 30 days after their last change. Submitted ones are medical records.

const { url, db: owner } = await testDatabase();
const { db, pool } = connectDatabase({ url, poolMax: 2, onIdleError: () => undefined });
afterwards(() => pool.end());
const { rows: made } = await owner.query<{ id: number }>(
  `INSERT INTO tenants (uuid, name, slug, is_active) VALUES (gen_random_uuid(), 'Other', 'other', false) RETURNING id`,
);
const tenants = [1, made[0]?.id ?? 0];

const hour = 60 * 60 * 1000;
const day = 24 * hour;

interface Case {
  status: string;
  /** Milliseconds since its last change. */
  age: number;
  submitted?: boolean;
  tenant?: number;
  count?: number;
}

/** Of imported patients, without an account; the uuid of the last one. */
async function add({ status, age, submitted = false, tenant = 1, count = 1 }: Case): Promise<string> {
  const changed = new Date(Date.now() - age);
  return await inTenant(db, tenant, async (tx) => {
    const { rows } = await sql<{ uuid: string }>`
      WITH patient AS (
        INSERT INTO patients (uuid, tenant_id, relation) VALUES (gen_random_uuid(), ${tenant}, 'other') RETURNING id)
      INSERT INTO request_records (uuid, tenant_id, patient_id, source, status, status_changed_at, language, submitted_at,
        created_at, updated_at)
      SELECT gen_random_uuid(), ${tenant}, id, 'import', ${status}, ${changed}, 'en', ${submitted ? changed : null},
        ${changed}, ${changed}
      FROM patient, generate_series(1, ${count}) RETURNING uuid`.execute(tx);
    return rows.at(-1)?.uuid ?? '';
  });
}

async function left(tenant = 1): Promise<string[]> {
  const rows = await inTenant(db, tenant, (tx) => tx.selectFrom('request_records').select('uuid').execute());
  return rows.map(({ uuid }) => uuid).toSorted();
}

const swept = (now = new Date()) => sweep({ db, log }, now, AbortSignal.timeout(60_000));

/** As the owner of the tables, who is bound by row-level security as well. */
async function asOwner(tenant: number, statements: string): Promise<void> {
  await owner.query(`BEGIN; SELECT set_config('app.tenant', '${tenant}', true); ${statements}; COMMIT`);
}

/** The tables whose rows name a case by a foreign key. */
async function tablesOfCases(): Promise<string[]> {
  const { rows } = await owner.query<{ name: string }>(`
    SELECT DISTINCT conrelid::regclass::text AS name FROM pg_constraint
    WHERE contype = 'f' AND confrelid = 'request_records'::regclass ORDER BY name`);
  return rows.map(({ name }) => name);
}

async function countRows(tables: readonly string[]): Promise<Record<string, number>> {
  return await inTenant(db, 1, async (tx) => {
    const counts: Record<string, number> = {};
    for (const table of tables) {
      const { rows } = await sql<{ count: number }>`
        SELECT count(*)::integer AS count FROM ${sql.table(table)} WHERE case_uuid IS NOT NULL`.execute(tx);
      counts[table] = rows[0]?.count ?? 0;
    }
    return counts;
  });
}

/** A row in each table that has rows of cases. */
async function addEverything(tx: Tx, caseUuid: string): Promise<void> {
  const [image, answer, call, user] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  const of = { tenant_id: 1, case_uuid: caseUuid };
  await sql`INSERT INTO users (uuid, tenant_id, email, password_hash, role, language)
    VALUES (${user}, 1, ${`${user}@example.org`}, 'x', 'physician', 'en')`.execute(tx);
  await sql`INSERT INTO physicians (uuid, tenant_id, user_id) SELECT gen_random_uuid(), 1, id FROM users WHERE uuid = ${user}`.execute(
    tx,
  );
  const { id: physician } = await tx
    .selectFrom('physicians')
    .select('id')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  await sql`INSERT INTO images (uuid, tenant_id, name, state, blob_name, sha256, content_type, width_px, height_px, size_bytes, orientation)
    VALUES (${image}, 1, 'a.jpg', 'stored', ${image}, sha256('x'), 'image/jpeg', 1, 1, 1, 1)`.execute(tx);
  await tx
    .insertInto('case_images')
    .values({ ...of, image_uuid: image, position: 0, added_at: new Date() })
    .execute();
  await sql`INSERT INTO request_anamneses (case_uuid, revision, tenant_id, anamnesis, sha256, schema_version, author_kind)
    VALUES (${caseUuid}, 1, 1, '{"complaint": "itch"}', sha256('x'), '1', 'patient')`.execute(tx);
  await tx
    .insertInto('case_messages')
    .values({ ...of, uuid: randomUUID(), direction: 'from_patient', text: 'It itches.', language: 'en' })
    .execute();
  await tx
    .insertInto('case_skips')
    .values({ ...of, physician_id: physician, reason: 'x', until: new Date(Date.now() + day) })
    .execute();
  await tx
    .insertInto('user_check_logs')
    .values({ ...of, check_kind: 'eligibility', outcome: 'eligible' })
    .execute();
  await sql`INSERT INTO dermatologist_annotations (uuid, tenant_id, case_uuid, physician_id, status, language)
    VALUES (${answer}, 1, ${caseUuid}, ${physician}, 'draft', 'en')`.execute(tx);
  await sql`INSERT INTO audit_annotations (uuid, tenant_id, case_uuid, annotation_uuid, auditor_id, status)
    VALUES (gen_random_uuid(), 1, ${caseUuid}, ${answer}, ${physician}, 'draft')`.execute(tx);
  await sql`INSERT INTO ml_diagnosis_results (uuid, tenant_id, case_uuid, kind, input_sha256, answer, outcome, latency_ms,
      language, request_id)
    VALUES (${call}, 1, ${caseUuid}, 'diagnosis', sha256('x'), '{}', 'ok', 1, 'en', 'x')`.execute(tx);
  await sql`UPDATE request_records SET ml_result_uuid = ${call}, final_annotation_uuid = ${answer}
    WHERE uuid = ${caseUuid}`.execute(tx);
}

beforeEach(async () => {
  for (const tenant of tenants) await asOwner(tenant, 'DELETE FROM request_records');
});

test('a case that expired or was cancelled unsubmitted goes 30 days after its last change, to the hour', async () => {
  const young = [];
  for (const status of ['expired', 'cancelled']) {
    await add({ status, age: 30 * day + hour });
    young.push(await add({ status, age: 30 * day - hour }));
  }
  expect(await swept()).toMatchObject({ cases: 2 });
  expect(await left()).toEqual(young.toSorted());
  expect(await swept()).toMatchObject({ cases: 0 });
});

test('submitted cases and drafts stay, whatever their age', async () => {
  const stay = [await add({ status: 'draft', age: 900 * day })];
  for (const status of ['expired', 'cancelled', 'closed', 'ineligible'])
    stay.push(await add({ status, age: 900 * day, submitted: true }));
  expect(await swept()).toMatchObject({ cases: 0 });
  expect(await left()).toEqual(stay.toSorted());
});

test('every row that belongs to the case goes with it; its photo stays', async () => {
  const tables = await tablesOfCases();
  expect(tables).toContain('request_anamneses');
  const ended = await add({ status: 'expired', age: 31 * day });
  await inTenant(db, 1, (tx) => addEverything(tx, ended));
  expect(await countRows(tables)).toEqual(Object.fromEntries(tables.map((table) => [table, 1])));
  expect(await swept()).toMatchObject({ cases: 1 });
  expect(await countRows(tables)).toEqual(Object.fromEntries(tables.map((table) => [table, 0])));
  expect(await inTenant(db, 1, (tx) => tx.selectFrom('images').select('state').execute())).toEqual([
    { state: 'stored' },
  ]);
});

test('every tenant, also one that is switched off, and more than a batch of each', async () => {
  const stay = [];
  for (const tenant of tenants) {
    await add({ status: 'expired', age: 40 * day, tenant, count: 1001 });
    stay.push(await add({ status: 'expired', age: 2 * day, tenant }));
  }
  expect(await swept()).toMatchObject({ cases: 2002 });
  expect([await left(tenants[0]), await left(tenants[1])]).toEqual(stay.map((uuid) => [uuid]));
});

test('a case that another transaction has locked is skipped, not waited for', async () => {
  const locked = await add({ status: 'cancelled', age: 31 * day });
  await add({ status: 'cancelled', age: 31 * day });
  const holder = await owner.connect();
  await holder.query('BEGIN');
  await holder.query(`SELECT set_config('app.tenant', '1', true)`);
  await holder.query('SELECT FROM request_records WHERE uuid = $1 FOR UPDATE', [locked]);
  expect(await swept()).toMatchObject({ cases: 1 });
  await holder.query('ROLLBACK');
  holder.release();
  expect(await swept()).toMatchObject({ cases: 1 });
});

describe('the app cannot delete earlier', () => {
  test('with a clock that runs ahead, or one that is turned forward', async () => {
    const young = await add({ status: 'expired', age: 29 * day });
    expect(await swept(new Date(Date.now() + 3650 * day))).toMatchObject({ cases: 0 });
    await sql`SELECT sweep_request_records(1, 'infinity', 1000)`.execute(db);
    await sql`SELECT sweep_request_records(1, NULL, 1000)`.execute(db);
    expect(await left()).toEqual([young]);
  });

  test('with a clock that runs behind it deletes later', async () => {
    await add({ status: 'expired', age: 31 * day });
    expect(await swept(new Date(Date.now() - 2 * day))).toMatchObject({ cases: 0 });
    expect(await swept()).toMatchObject({ cases: 1 });
  });

  test('a case that it has made look unsubmitted: the event log has its submission', async () => {
    const { category, success } = auditEvents.caseSubmitted;
    const record = await add({ status: 'closed', age: 90 * day, submitted: true });
    await inTenant(db, 1, async (tx) => {
      await sql`INSERT INTO event_logs (uuid, tenant_id, category, action, outcome, actor_kind, request_id, case_uuid)
        VALUES (gen_random_uuid(), 1, ${category}, ${success}, 'success', 'system', 'x', ${record})`.execute(
        tx,
      );
      await sql`UPDATE request_records SET submitted_at = NULL, status = 'expired' WHERE uuid = ${record}`.execute(
        tx,
      );
    });
    expect(await swept()).toMatchObject({ cases: 0 });
    expect(await left()).toEqual([record]);
  });

  test('and the tenant of its transaction is as before', async () => {
    await inTenant(db, 1, async (tx) => {
      await sql`SELECT sweep_request_records(${tenants[1]}, now(), 10)`.execute(tx);
      const { rows } = await sql`SELECT current_setting('app.tenant') AS tenant`.execute(tx);
      expect(rows).toEqual([{ tenant: '1' }]);
    });
  });
});
