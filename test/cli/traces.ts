import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { inject } from 'vitest';
import { query } from '../../dev/services/postgres.ts';
import { enqueueLinkRequest } from '../../src/domain/announce/mails/enqueue-mails.ts';
import { connectDatabase } from '../../src/lib/db/connect.ts';
import { createFieldCrypto } from '../../src/lib/crypto/field-crypto.ts';
import { type Account, claimsOf, goodPassword, register, tenantRows } from '../support/accounts.ts';
import type { TestApp } from '../support/app.ts';
import { anamnesis, anamnesisPart, imagePart, upload } from '../support/diagnosis.ts';
import { skinPhoto } from '../support/images.ts';
import { storeImages } from '../support/stored-images.ts';

// A person who has left something in every table that can have something of a person, and a look into all of them.

const photo = await skinPhoto({ width: 640, height: 480, format: 'jpeg' });
const otherPhoto = await skinPhoto({ width: 320, height: 480, format: 'jpeg' });

export interface Row {
  table: string;
  text: string;
}

/** Every row of every table as text, binary columns as hexadecimal. */
export async function everything(app: TestApp): Promise<Row[]> {
  const superuserUrl = Object.assign(new URL(inject('services').superuserUrl), {
    pathname: new URL(app.databaseUrl).pathname,
  }).href;
  const tables = (await query(
    superuserUrl,
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
       AND relname NOT LIKE 'kysely%'`,
  )) as { name: string }[];
  const rows = await Promise.all(
    tables.map(async ({ name }) =>
      (
        (await query(superuserUrl, `SELECT to_jsonb(t)::text AS text FROM ${name} t`)) as { text: string }[]
      ).map(({ text }) => ({ table: name, text })),
    ),
  );
  return rows.flat();
}

/** Names of the tables that have `text` in some row. */
export const tablesWith = (rows: readonly Row[], text: string) => [
  ...new Set(rows.filter((row) => row.text.includes(text)).map(({ table }) => table)),
];

export interface Traces {
  account: Account;
  id: number;
  uuid: string;
  network: string;
  agent: string;
  phrase: string;
  blobs: string[];
  /** The one of them that is in a submitted case. */
  recordBlob: string;
}

/** Until the worker has opened every request for a reset and made a mail of it, which the mail server does not take. */
async function resetMailWaits(app: TestApp): Promise<void> {
  const open = `SELECT FROM outbox_messages WHERE topic = 'password_reset_requested'`;
  await app.runTimer('drainOutbox');
  while ((await app.db.query(open)).rowCount !== 0) await sleep(50);
}

let networks = 0;

/** A physician who has done everything that leaves rows behind. */
export async function busyPerson(app: TestApp, role = 'physician'): Promise<Traces> {
  networks += 1;
  const [network, agent, phrase] = [`198.51.${networks}`, `Agent-${randomUUID()}`, `words-${randomUUID()}`];
  const headers = { 'x-forwarded-for': `${network}.7`, 'user-agent': agent };
  const account = await register(app, { role });
  const { email } = account;
  const ask = (path: string, options = {}) => app.request(path, { headers, ...options });
  const json = (path: string, body: unknown, token?: string) =>
    app.request(path, { headers, json: body, ...(token !== undefined && { token }) });
  await json('/api/auth/login', { email, password: 'not that one at all' });
  const { access_token: token, refresh_token: refreshToken } = (await (
    await json('/api/auth/login', { email, password: goodPassword })
  ).json()) as Account;
  await json('/api/auth/refresh', { refresh_token: refreshToken });
  const stored = await storeImages(app, token, [photo, otherPhoto], {
    headers: { ...headers, 'idempotency-key': randomUUID() },
  });
  await ask(`${stored.images[0]?.url}?variant=thumbnail`, { token });
  const answers = { ...anamnesis, complaint: { ...(anamnesis['complaint'] as object), description: phrase } };
  const diagnosed = await app.request(
    '/api/diagnosis',
    upload([imagePart(photo), anamnesisPart(answers)], { token, headers }),
  );
  if (diagnosed.status !== 200) throw new Error(await diagnosed.text());
  await json('/api/ai/triage', anamnesis, token);
  await json(
    '/api/auth/change-password',
    { current_password: goodPassword, new_password: `${goodPassword} 2` },
    token,
  );
  await json('/api/auth/request-reset', { email });
  await resetMailWaits(app);
  const { sub: uuid } = claimsOf(token);
  const [row] = await tenantRows<{ id: number }>(app, 'SELECT id FROM users WHERE uuid = $1', [uuid]);
  const images = await tenantRows<{ name: string; small: string | null }>(
    app,
    'SELECT blob_name AS name, thumbnail_blob_name AS small FROM images WHERE owner_user_id = $1',
    [row?.id],
  );
  const blobs = images.flatMap(({ name, small }) => (small === null ? [name] : [name, small]));
  // The photo without a thumbnail.
  const recordBlob = images.find(({ small }) => small === null)?.name ?? '';
  return { account, id: row?.id ?? 0, uuid, network: `${network}.0/24`, agent, phrase, blobs, recordBlob };
}

/** What requests leave only in passing, and invitations that have ended; `elsewhere` is another tenant. */
export async function addTheRest(
  app: TestApp,
  person: Traces,
  { inviter, elsewhere }: { inviter: Traces; elsewhere: number },
): Promise<void> {
  const {
    id,
    account: { email },
  } = person;
  const invite = (tenantId: number, address: string, by: number) =>
    tenantRows<{ uuid: string }>(
      app,
      `INSERT INTO invitations (uuid, tenant_id, email, role, token_hash, invited_by, expires_at)
       VALUES (gen_random_uuid(), $1, $2, 'patient', sha256(gen_random_uuid()::text::bytea), $3, now()) RETURNING uuid`,
      [tenantId, address, by],
      tenantId,
    );
  const [there] = await tenantRows<{ id: number }>(
    app,
    `INSERT INTO users (uuid, tenant_id, email, password_hash, role)
     VALUES (gen_random_uuid(), $1, gen_random_uuid() || '@example.org', '!', 'admin') RETURNING id`,
    [elsewhere],
    elsewhere,
  );
  const sent = [
    ...(await invite(1, 'guest@example.org', id)),
    ...(await invite(1, email, inviter.id)),
    ...(await invite(elsewhere, email, there?.id ?? 0)),
  ];
  for (const { uuid } of sent) {
    await app.db.query(
      `INSERT INTO outbox_messages (tenant_id, consumer, topic, dedupe_key, payload, available_at)
       VALUES (1, 'mail', 'invitation', 'invitation:' || $1, jsonb_build_object('invitation_uuid', $1::text), 'infinity')`,
      [uuid],
    );
  }
  await app.db.query(`UPDATE outbox_messages SET tenant_id = $1 WHERE payload ->> 'invitation_uuid' = $2`, [
    elsewhere,
    sent[2]?.uuid,
  ]);
  await tenantRows(
    app,
    `WITH profile AS (INSERT INTO patients (uuid, tenant_id, account_user_id, relation, given_name)
       VALUES (gen_random_uuid(), 1, $1, 'child', $2) RETURNING id, given_name)
     INSERT INTO patient_name_keys (tenant_id, key, patient_id) SELECT 1, given_name, id FROM profile`,
    [id, `child of ${email}`],
  );
  // One check is of the account and of no profile: it stays, without the account.
  await tenantRows(
    app,
    `INSERT INTO user_check_logs (tenant_id, user_id, patient_id, check_kind, outcome)
     SELECT 1, $1, (SELECT id FROM patients WHERE account_user_id = $1 AND kind = 'eligibility'), kind, 'passed'
     FROM unnest(ARRAY['eligibility', 'token']) AS kind`,
    [id],
  );
  await tenantRows(
    app,
    `WITH made AS (INSERT INTO user_groups (uuid, tenant_id, name) VALUES (gen_random_uuid(), 1, 'on call') RETURNING id)
     INSERT INTO user_group_members (tenant_id, group_id, user_id) SELECT 1, id, $1 FROM made`,
    [id],
  );
  await tenantRows(
    app,
    `INSERT INTO push_devices (uuid, tenant_id, user_id, session_uuid, platform, token_hash, token, app_version, last_seen_at)
     SELECT gen_random_uuid(), 1, $1, uuid, 'ios', sha256('device'), 'sealed', '1.0', now()
     FROM sessions WHERE user_id = $1 LIMIT 1`,
    [id],
  );
  await tenantRows(
    app,
    `INSERT INTO user_notices (tenant_id, user_id, kind, payload, expires_at)
     SELECT 1, $1, 'session.revoked', jsonb_build_object('session_uuid', uuid), now() FROM sessions WHERE user_id = $1`,
    [id],
  );
  await addCases(app, person);
  await tenantRows(app, `UPDATE physicians SET private_pool = $1 WHERE user_id = $2`, [
    `pool of ${email}`,
    id,
  ]);
  await tenantRows(
    app,
    `INSERT INTO report_templates (uuid, tenant_id, kind, scope, physician_id, name, bodies)
     SELECT gen_random_uuid(), 1, 'message', 'physician', id, 'note of ' || $1, '{"en": "Hello"}'
     FROM physicians WHERE user_id = $2`,
    [email, id],
  );
  await addAnswers(app, person);
}

/** What the person writes in a draft and in a submitted case; the second is a medical record, which stays. */
export const wordsOfCases = { draft: `draft-${randomUUID()}`, submitted: `submitted-${randomUUID()}` };

/** A draft and a submitted case, each with everything that a case can have, for two patients of one account. */
async function addCases(app: TestApp, { id, recordBlob, account: { email } }: Traces): Promise<void> {
  const one = async (statement: string, values: unknown[]) =>
    (await tenantRows<{ uuid: string }>(app, `${statement} RETURNING uuid`, values))[0]?.uuid;
  for (const [status, words] of Object.entries(wordsOfCases)) {
    const patient = await one(
      `INSERT INTO patients (uuid, tenant_id, account_user_id, relation) VALUES (gen_random_uuid(), 1, $1, 'child')`,
      [id],
    );
    const batch = await one(
      `INSERT INTO case_batches (uuid, tenant_id, kind, account_user_id, expected_size)
       VALUES (gen_random_uuid(), 1, 'patient_session', $1, 2)`,
      [id],
    );
    const record = await one(
      `INSERT INTO request_records (uuid, tenant_id, patient_id, account_user_id, source, batch_uuid, status,
         status_changed_at, language, submitted_at)
       SELECT gen_random_uuid(), 1, id, $1, 'mobile', $2, $3, now(), 'en', CASE $3 WHEN 'submitted' THEN now() END
       FROM patients WHERE uuid = $4`,
      [id, batch, status, patient],
    );
    await tenantRows(
      app,
      `INSERT INTO request_anamneses (case_uuid, revision, tenant_id, anamnesis, sha256, schema_version,
         author_user_id, author_kind)
       VALUES ($1, 1, 1, jsonb_build_object('words', $2::text), sha256('x'), '1', $3, 'patient')`,
      [record, words, id],
    );
    await tenantRows(
      app,
      `INSERT INTO case_messages (uuid, tenant_id, case_uuid, direction, text, language, author_user_id)
       VALUES (gen_random_uuid(), 1, $1, 'from_patient', $2, 'en', $3)`,
      [record, words, id],
    );
    await tenantRows(
      app,
      `INSERT INTO ml_diagnosis_results (uuid, tenant_id, case_uuid, user_id, kind, input_sha256, answer, outcome, latency_ms,
         language, request_id)
       VALUES (gen_random_uuid(), 1, $1, $3, 'diagnosis', sha256('x'), jsonb_build_object('words', $2::text), 'ok', 1, 'en', 'r')`,
      [record, words, id],
    );
    await tenantRows(
      app,
      `INSERT INTO patient_name_keys (tenant_id, key, patient_id) SELECT 1, $1, id FROM patients WHERE uuid = $2`,
      [`${status} ${email}`, patient],
    );
    await tenantRows(
      app,
      `INSERT INTO case_images (case_uuid, image_uuid, tenant_id, position, added_at)
       SELECT $1, uuid, 1, 0, now() FROM images WHERE owner_user_id = $2 AND (blob_name = $3) = $4`,
      [record, id, recordBlob, status === 'submitted'],
    );
    // The other photo was taken off the draft by the edit that submitted it.
    if (status === 'submitted') {
      await tenantRows(
        app,
        `INSERT INTO case_images (case_uuid, image_uuid, tenant_id, position, added_at, removed_at)
         SELECT $1, i.uuid, 1, 0, r.submitted_at, r.submitted_at FROM images i, request_records r
         WHERE i.owner_user_id = $2 AND i.blob_name <> $3 AND r.uuid = $1`,
        [record, id, recordBlob],
      );
    }
    await tenantRows(
      app,
      `INSERT INTO case_skips (physician_id, case_uuid, tenant_id, reason, until)
       SELECT id, $1, 1, 'other', now() FROM physicians WHERE user_id = $2`,
      [record, id],
    );
  }
}

/** As the physician of the submitted case: a signed answer by an own template with an audit of it, and drafts of both. */
async function addAnswers(app: TestApp, { id }: Traces): Promise<void> {
  const profile = '(SELECT id FROM physicians WHERE user_id = $1)';
  const submitted = `(SELECT uuid FROM request_records WHERE account_user_id = $1 AND status = 'submitted')`;
  await tenantRows(
    app,
    `UPDATE request_records SET assigned_physician_id = ${profile} WHERE uuid = ${submitted}`,
    [id],
  );
  await tenantRows(
    app,
    `INSERT INTO dermatologist_annotations (uuid, tenant_id, case_uuid, physician_id, status, language, diagnoses, signed_at,
       recommended_action, rendered_text, template_id)
     SELECT gen_random_uuid(), 1, ${submitted}, ${profile}, status, 'en', '[{}]', now(), 'self_care_advice', status,
       (SELECT id FROM report_templates WHERE physician_id = ${profile})
     FROM unnest(ARRAY['final', 'draft']) AS status`,
    [id],
  );
  await tenantRows(
    app,
    `INSERT INTO audit_annotations (uuid, tenant_id, case_uuid, annotation_uuid, auditor_id, status, agreement, signed_at)
     SELECT gen_random_uuid(), 1, case_uuid, uuid, physician_id, status, 'agree', now()
     FROM dermatologist_annotations WHERE physician_id = ${profile}`,
    [id],
  );
}

/** A request for a reset that no worker has opened: the address is in it, sealed. */
export async function unopenedResetRequest(app: TestApp, email: string): Promise<void> {
  const { db } = connectDatabase({ url: app.databaseUrl, poolMax: 1, onIdleError: () => undefined });
  const fieldCrypto = createFieldCrypto({ current: app.env['FIELD_ENCRYPTION_KEY'] ?? '' });
  await db.transaction().execute(async (tx) => {
    await enqueueLinkRequest(tx, fieldCrypto, 'password_reset_requested', {
      email,
      language: 'en',
      requestId: 'r',
      ipPrefix: undefined,
    });
    await sql`UPDATE outbox_messages SET available_at = 'infinity'`.execute(tx);
  });
  await db.destroy();
}
