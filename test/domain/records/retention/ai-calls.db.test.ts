import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { createLog } from '../../../../src/lib/telemetry/log.ts';
import { sweep } from '../../../../src/domain/records/retention/sweep.ts';
import { connectDatabase } from '../../../../src/lib/db/connect.ts';
import { inTenant } from '../../../../src/lib/db/tenant.ts';
import { afterwards } from '../../../support/cleanup.ts';
import { testDatabase } from '../../../support/database.ts';

const log = createLog(() => undefined);

// Calls of the AI service without a case: rows two years, what the patient answered 90 days.

const { url, db: owner } = await testDatabase();
const { db, pool } = connectDatabase({ url, poolMax: 2, onIdleError: () => undefined });
afterwards(() => pool.end());
const { rows: made } = await owner.query<{ id: number }>(
  `INSERT INTO tenants (uuid, name, slug, is_active) VALUES (gen_random_uuid(), 'Other', 'other', false) RETURNING id`,
);
const tenants = [1, made[0]?.id ?? 0];

const hour = 60 * 60 * 1000;
const ago = (age: string) => sql<Date>`now() - ${age}::interval`;

interface Call {
  age: string;
  /** Milliseconds younger (+) or older (−) than that. */
  shift?: number;
  withCase?: boolean;
  tenant?: number;
  count?: number;
}

/** Of an imported patient, without an account. */
async function aCase(tenant: number): Promise<string> {
  return await inTenant(db, tenant, async (tx) => {
    const { rows } = await sql<{ uuid: string }>`
      WITH patient AS (
        INSERT INTO patients (uuid, tenant_id, relation) VALUES (gen_random_uuid(), ${tenant}, 'other') RETURNING id)
      INSERT INTO request_records (uuid, tenant_id, patient_id, source, status, status_changed_at, language)
      SELECT gen_random_uuid(), ${tenant}, id, 'import', 'draft', now(), 'en' FROM patient RETURNING uuid`.execute(
      tx,
    );
    return rows[0]?.uuid ?? '';
  });
}

async function record({ age, shift = 0, withCase = false, tenant = 1, count = 1 }: Call): Promise<void> {
  const caseUuid = withCase ? await aCase(tenant) : null;
  await inTenant(db, tenant, (tx) =>
    sql`
      INSERT INTO ml_diagnosis_results (uuid, tenant_id, case_uuid, kind, input_sha256, anamnesis, answer, outcome,
        latency_ms, language, request_id, created_at)
      SELECT gen_random_uuid(), ${tenant}, ${caseUuid}::uuid, 'diagnosis', sha256('x'),
        '{"complaint": "itch"}', '{"predictions": []}', 'ok', 1, 'en', ${age},
        ${ago(age)} + make_interval(secs => ${shift / 1000})
      FROM generate_series(1, ${count})`.execute(tx),
  );
}

/** What is left of them: `<age>: <what it still has>`. */
async function left(tenant = 1): Promise<string[]> {
  const { rows } = await inTenant(db, tenant, (tx) =>
    sql<{ text: string }>`
      SELECT request_id || ':' || CASE WHEN anamnesis IS NULL THEN '' ELSE ' anamnesis' END
        || CASE WHEN answer IS NULL THEN '' ELSE ' answer' END AS text
      FROM ml_diagnosis_results ORDER BY created_at DESC`.execute(tx),
  );
  return rows.map(({ text }) => text);
}

const swept = (now = new Date()) => sweep({ db, log }, now, AbortSignal.timeout(60_000));

beforeEach(async () => {
  for (const tenant of tenants) {
    await owner.query(
      `BEGIN; SELECT set_config('app.tenant', '${tenant}', true); DELETE FROM ml_diagnosis_results; COMMIT`,
    );
  }
});

test('answers of the patient go after 90 days, the call after two years, to the hour', async () => {
  for (const age of ['90 days', '2 years']) for (const shift of [hour, -hour]) await record({ age, shift });
  expect(await swept()).toMatchObject({ ai_calls: 1, anamneses: 2 });
  expect(await left()).toEqual(['90 days: anamnesis answer', '90 days: answer', '2 years: answer']);
  expect(await swept()).toMatchObject({ ai_calls: 0, anamneses: 0 });
});

test('calls that belong to a case stay as long as the case', async () => {
  await record({ age: '3 years', withCase: true });
  expect(await swept()).toMatchObject({ ai_calls: 0, anamneses: 0 });
  expect(await left()).toEqual(['3 years: anamnesis answer']);
});

test('every tenant, also one that is switched off, and more than a batch of each', async () => {
  for (const tenant of tenants) {
    await record({ age: '25 months', tenant, count: 1001 });
    await record({ age: '91 days', tenant, count: 2001 });
    await record({ age: '1 day', tenant });
  }
  const { ai_calls: calls, anamneses } = await swept();
  expect(calls).toBe(2002);
  // A call that waits for the second batch is blanked before it goes.
  expect(anamneses).toBeGreaterThanOrEqual(4002);
  for (const tenant of tenants) {
    const rest = await left(tenant);
    expect(rest.length).toBe(2002);
    expect(rest[0]).toBe('1 day: anamnesis answer');
    expect(new Set(rest.slice(1))).toEqual(new Set(['91 days: answer']));
  }
});

test('a row that is being written is passed over, not waited for', async () => {
  await record({ age: '3 years', count: 2 });
  const holder = await owner.connect();
  await holder.query('BEGIN');
  await holder.query(`SELECT set_config('app.tenant', '1', true)`);
  await holder.query('SELECT FROM ml_diagnosis_results LIMIT 1 FOR UPDATE');
  expect(await swept()).toMatchObject({ ai_calls: 1 });
  await holder.query('ROLLBACK');
  holder.release();
  expect(await swept()).toMatchObject({ ai_calls: 1 });
});

describe('the app cannot delete earlier', () => {
  test('with a clock that runs ahead, or one that is turned forward', async () => {
    await record({ age: '1 day' });
    const inTenYears = new Date(Date.now() + 10 * 365 * 24 * hour);
    expect(await swept(inTenYears)).toMatchObject({ ai_calls: 0, anamneses: 0 });
    await sql`SELECT * FROM sweep_ml_diagnosis_results(1, 'infinity', 1000)`.execute(db);
    expect(await left()).toEqual(['1 day: anamnesis answer']);
  });

  test('with a clock that runs behind it deletes later', async () => {
    await record({ age: '91 days' });
    expect(await swept(new Date(Date.now() - 2 * 24 * hour))).toMatchObject({ anamneses: 0 });
    expect(await swept()).toMatchObject({ anamneses: 1 });
  });

  test('and the tenant of its transaction is as before', async () => {
    await inTenant(db, 1, async (tx) => {
      await sql`SELECT * FROM sweep_ml_diagnosis_results(${tenants[1]}, now(), 10)`.execute(tx);
      const { rows } = await sql`SELECT current_setting('app.tenant') AS tenant`.execute(tx);
      expect(rows).toEqual([{ tenant: '1' }]);
    });
    const { rows } = await sql`SELECT coalesce(current_setting('app.tenant', true), '') AS tenant`.execute(
      db,
    );
    expect(rows).toEqual([{ tenant: '' }]);
  });
});
