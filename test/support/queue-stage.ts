import { randomUUID } from 'node:crypto';
import { type Account, claimsOf, register, tenantRows } from './accounts.ts';
import { anamnesis } from './diagnosis.ts';
import type { RequestOptions, TestApp } from './test-app.ts';

type App = TestApp | TestApp<'real'>;
type Database = Pick<App, 'db'>;

export interface QueuedCase {
  uuid?: string;
  /** 0 emergency, 1 urgent, 2 all others. */
  rank?: 0 | 1 | 2;
  /** Minutes from now; negative: overdue. */
  dueIn?: number;
  /** The facts; where it waits, if elsewhere. */
  pool?: string;
  language?: string;
  lanePool?: string;
  laneLanguage?: string;
  /** Minutes ago. */
  queuedSince?: number;
  /** Minutes from now, for a reservation. */
  laneUntil?: number;
  accountUserId?: number;
  batch?: string;
}

export interface Physician {
  token: string;
  /** `physicians.id` */
  id: number;
  uuid: string;
  userId: number;
  /** For a browser. */
  account: Account;
}

export interface PhysicianOptions {
  pool?: string | null;
  languages?: readonly string[];
  adminSettings?: object;
  capabilities?: readonly string[];
  tenant?: string;
}

interface Shown {
  uuid: string;
  version: number;
  status: string;
}

/** As next-case answers; the parts that tests read. */
export interface NextAnswer {
  status: number;
  code?: string;
  case: (Shown & { allowed_actions: string[] }) | null;
  resumed: boolean;
  batch: Shown[];
  lease: { expires_at: string } | null;
  queue: { waiting: number; waiting_urgent: number; oldest_due_at: string | null };
  retry_after_seconds: number;
}

export async function takeNext(
  app: Pick<App, 'request'>,
  { token }: Pick<Physician, 'token'>,
  json: object = {},
  options: RequestOptions = {},
): Promise<NextAnswer> {
  const reply = await app.request('/api/v1/backoffice/cases/next-case', { json, token, ...options });
  return { ...((await reply.json()) as NextAnswer), status: reply.status };
}

/** Registers a physician; by default with the lanes of the general pool in English. */
export async function newPhysician(app: App, options: PhysicianOptions = {}): Promise<Physician> {
  const {
    pool = null,
    languages = ['en'],
    adminSettings = {},
    capabilities = [],
    tenant = 'default',
  } = options;
  const account = await register(app, { role: 'physician', tenant });
  const { access_token: token } = account;
  const tenantId = tenant === 'default' ? 1 : await tenantOf(app, tenant);
  const [row] = await tenantRows<{ id: number; uuid: string; user_id: number }>(
    app,
    `UPDATE physicians p SET private_pool = $2, settings = $3, admin_settings = $4 FROM users u
     WHERE u.id = p.user_id AND u.uuid = $1 RETURNING p.id, p.uuid, p.user_id`,
    [claimsOf(token).sub, pool, { review_languages: languages }, adminSettings],
    tenantId,
  );
  const { id, uuid, user_id: userId } = row as NonNullable<typeof row>;
  if (capabilities.length > 0) {
    await tenantRows(
      app,
      `WITH made AS (
         INSERT INTO user_groups (uuid, tenant_id, name, settings)
         VALUES (gen_random_uuid(), $3, 'group-' || $1, jsonb_build_object('capabilities', $2::jsonb)) RETURNING id)
       INSERT INTO user_group_members (tenant_id, group_id, user_id) SELECT $3, id, $1::integer FROM made`,
      [userId, JSON.stringify(capabilities), tenantId],
      tenantId,
    );
  }
  return { token, id, uuid, userId, account };
}

async function tenantOf(app: App, slug: string): Promise<number> {
  const { rows } = await app.db.query<{ id: number }>('SELECT id FROM tenants WHERE slug = $1', [slug]);
  return rows[0]?.id as number;
}

/** Puts cases into the queue without an account's submission: in the general pool, in English, due in five days. */
export async function queueCases(
  app: Database,
  cases: readonly QueuedCase[],
  tenantId = 1,
): Promise<string[]> {
  const batches = [...new Set(cases.flatMap(({ batch }) => batch ?? []))];
  const rows = cases.map((each) => {
    const { rank = 2, pool = 'general', language = 'en' } = each;
    return {
      uuid: each.uuid ?? randomUUID(),
      rank,
      level: ['emergency', 'urgent_24h', 'routine'][rank],
      due_in: each.dueIn ?? 7200,
      pool,
      language,
      lane_pool: each.lanePool ?? pool,
      lane_language: each.laneLanguage ?? language,
      since: each.queuedSince ?? 0,
      lane_until: each.laneUntil ?? null,
      account: each.accountUserId ?? null,
      batch: each.batch ?? null,
    };
  });
  await tenantRows(
    app,
    `WITH given AS (
       SELECT * FROM jsonb_to_recordset($1) AS g(uuid uuid, rank smallint, level text, due_in float8, pool text,
         language text, lane_pool text, lane_language text, since float8, lane_until float8, account integer, batch uuid)),
     made AS (
       INSERT INTO patients (uuid, tenant_id, relation, given_name) SELECT uuid, $2::integer, 'other', 'Rivka' FROM given
       RETURNING id, uuid),
     batches AS (
       INSERT INTO case_batches (uuid, tenant_id, kind, expected_size)
       SELECT b, $2::integer, 'patient_session', 10 FROM unnest($3::uuid[]) b ON CONFLICT DO NOTHING),
     records AS (
       INSERT INTO request_records (uuid, tenant_id, patient_id, account_user_id, batch_uuid, source, status,
         status_changed_at, language, pool, lane_pool, lane_language, lane_until, triage_level, triage_rank, urgency,
         anamnesis_revision, analysis_state, submitted_at, queued_at, due_at, created_at)
       SELECT g.uuid, $2::integer, m.id, g.account, g.batch, 'import', 'queued', t.since, g.language, g.pool, g.lane_pool,
         g.lane_language, now() + make_interval(secs => g.lane_until * 60), g.level, g.rank, 'low', 1, 'degraded', t.since,
         t.since, now() + make_interval(secs => g.due_in * 60), t.since
       FROM given g JOIN made m USING (uuid), LATERAL (SELECT now() - make_interval(secs => g.since * 60)) AS t(since))
     INSERT INTO request_anamneses (case_uuid, revision, tenant_id, anamnesis, sha256, schema_version, author_kind)
     SELECT uuid, 1, $2::integer, $4::jsonb, sha256('x'), '1', 'import' FROM given`,
    [JSON.stringify(rows), tenantId, batches, JSON.stringify(anamnesis)],
    tenantId,
  );
  return rows.map(({ uuid }) => uuid);
}

/** A case as it stands in the database. */
export async function rowOf(app: Database, uuid: string): Promise<Record<string, unknown>> {
  const [row] = await tenantRows(app, 'SELECT * FROM request_records WHERE uuid = $1', [uuid]);
  return row as Record<string, unknown>;
}

/** The names of what happened to a case, in order. */
export async function happened(app: Database, uuid: string): Promise<string[]> {
  const rows = await tenantRows<{ action: string }>(
    app,
    'SELECT action FROM event_logs WHERE case_uuid = $1 ORDER BY id',
    [uuid],
  );
  return rows.map(({ action }) => action);
}

/** Moves the time of a case: what a test would have to wait for. */
export async function endLease(app: Database, uuid: string): Promise<void> {
  await tenantRows(
    app,
    `UPDATE request_records SET lease_expires_at = now() - interval '1 second' WHERE uuid = $1`,
    [uuid],
  );
}
