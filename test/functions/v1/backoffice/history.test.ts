import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { claimsOf, createTenant, register, tenantRows } from '../../../support/accounts.ts';
import { testApp } from '../../../support/app.ts';
import { newCases, newPatients } from '../../../support/case-rows.ts';
import { newPhysician, queueCases } from '../../../support/queue-stage.ts';

// The history of a patient: who reads it, what a read leaves in the event log, and when a reader looks like a copier.

const app = await testApp();
await createTenant(app, 'history-elsewhere');
const [me, colleague, admin, foreign] = await Promise.all([
  newPhysician(app),
  newPhysician(app),
  register(app, { role: 'admin' }),
  register(app, { role: 'admin', tenant: 'history-elsewhere' }),
]);

interface Person {
  uuid: string;
  display_name: string | null;
}
interface History {
  status: number;
  code?: string;
  errors?: { pointer: string }[];
  patient: Person;
  profiles: Person[];
  items: { uuid: string; final_annotation: { internal_note: string; author: { uuid: string } } | null }[];
  next_cursor: string | null;
}

async function read(token: string, named: string, query: Record<string, string> = {}): Promise<History> {
  const search = new URLSearchParams(query).toString();
  const reply = await app.request(`/api/v1/backoffice/history/${encodeURIComponent(named)}?${search}`, {
    token,
  });
  return { ...((await reply.json()) as History), status: reply.status };
}

const [account] = await tenantRows<{ id: number }>(app, 'SELECT id FROM users WHERE uuid = $1', [
  claimsOf((await register(app)).access_token).sub,
]);
const [dana, child, sibling, stranger, ofMe] = await newPatients(app, [
  { given: 'Dana', family: 'Peretz', externalId: 'H-1', account: account?.id as number },
  { given: 'Child', account: account?.id as number },
  { given: 'Sibling', account: account?.id as number },
  { given: 'Stranger', externalId: 'H-2' },
  { given: 'Self', account: me.userId, externalId: 'H-3' },
]);
if (!dana || !child || !sibling || !stranger || !ofMe) throw new Error('no patients');

const at = (day: number) => `2026-02-${String(day).padStart(2, '0')}T08:00:00Z`;
const [oldest = '', answered = '', newest = ''] = await newCases(app, [
  { patient_id: dana.id, status: 'cancelled', created_at: at(1) },
  { patient_id: dana.id, status: 'closed', created_at: at(2), assigned_physician_id: colleague.id },
  { patient_id: dana.id, status: 'on_hold', created_at: at(3), assigned_physician_id: me.id },
  // In no history: what was not submitted, and what is erased.
  { patient_id: dana.id, status: 'draft', created_at: at(4) },
  { patient_id: dana.id, status: 'closed', created_at: at(5), erased_at: at(6) },
  { patient_id: child.id, status: 'closed', created_at: at(1), assigned_physician_id: me.id },
  { patient_id: stranger.id, status: 'queued', created_at: at(1) },
  { patient_id: ofMe.id, status: 'queued', created_at: at(1), account_user_id: me.userId },
]);
const answer = randomUUID();
await tenantRows(
  app,
  `WITH signed AS (
     INSERT INTO dermatologist_annotations (uuid, tenant_id, case_uuid, physician_id, status, language, diagnoses,
       recommended_action, rendered_text, internal_note, signed_at)
     VALUES ($1, 1, $2, $3, 'final', 'en',
       '[{"text":"Eczema","is_primary":true,"disease_id":null,"code":"L20","code_system":"icd10","certainty":"probable"}]',
       'self_care_advice', 'x', 'See again in spring.', now()) RETURNING uuid, case_uuid)
   UPDATE request_records r SET final_annotation_uuid = signed.uuid FROM signed WHERE r.uuid = signed.case_uuid`,
  [answer, answered, colleague.id],
);

const reads = (patient: string) =>
  tenantRows<{ outcome: string; detail: object; patient_id: string }>(
    app,
    `SELECT outcome, detail, patient_id FROM event_logs WHERE action = 'patient_history_read' AND subject_uuid = $1 ORDER BY id`,
    [patient],
  );

test('a physician who has a case of the patient reads all that were submitted, with their answers', async () => {
  for (const named of [dana.uuid, dana.uuid.toUpperCase(), 'H-1']) {
    const history = await read(me.token, named);
    expect(history.status).toBe(200);
    expect(history.patient).toMatchObject({ uuid: dana.uuid, display_name: 'Dana Peretz' });
    // Of the account, the child is treated by the caller as well.
    expect(history.profiles.map(({ uuid }) => uuid)).toEqual([child.uuid]);
    expect(history.items.map(({ uuid }) => uuid)).toEqual([newest, answered, oldest]);
    expect(history.items.map((item) => item.final_annotation)).toMatchObject([
      null,
      { uuid: answer, author: { uuid: colleague.uuid }, internal_note: 'See again in spring.' },
      null,
    ]);
  }
  // One session, one patient, within ten minutes.
  expect(await reads(dana.uuid)).toEqual([
    { outcome: 'success', detail: { reason: null, break_glass: false }, patient_id: String(dana.id) },
  ]);
});

test('so does one who has signed an answer and whose case is another’s by now', async () => {
  const { status, items } = await read(colleague.token, dana.uuid);
  expect([status, items.length]).toEqual([200, 3]);
  await tenantRows(app, 'UPDATE request_records SET assigned_physician_id = $2 WHERE uuid = $1', [
    answered,
    me.id,
  ]);
  expect((await read(colleague.token, dana.uuid)).status).toBe(200);
  expect((await read(colleague.token, child.uuid)).code).toBe('reason_required');
});

test('anyone else gives a reason, admins too, and the event log has it', async () => {
  for (const token of [me.token, admin.access_token]) {
    expect(await read(token, 'H-2')).toMatchObject({ status: 403, code: 'reason_required' });
    expect(await read(token, 'H-2', { reason: 'curiosity' })).toMatchObject({ status: 400 });
  }
  expect(await read(me.token, 'H-2', { reason: 'treatment' })).toMatchObject({ status: 200, profiles: [] });
  expect((await read(admin.access_token, 'H-2', { reason: 'support' })).status).toBe(200);
  expect((await read(me.token, 'H-1', { reason: 'audit' })).status).toBe(200);
  expect((await reads(stranger.uuid)).map(({ detail }) => detail)).toEqual([
    { reason: 'treatment', break_glass: true },
    { reason: 'support', break_glass: true },
  ]);
  expect((await reads(dana.uuid)).at(-1)?.detail).toEqual({ reason: 'audit', break_glass: false });
});

test('of one’s own account, of another tenant and of nobody there is none; a mail address is a mistake', async () => {
  for (const named of [ofMe.uuid, 'H-3', randomUUID(), 'H-4', 'no such id', 'x'.repeat(65)]) {
    const { status, code } = await read(me.token, named, { reason: 'treatment' });
    expect([named, status, code]).toEqual([named, 404, 'patient_not_found']);
  }
  expect(await read(foreign.access_token, dana.uuid, { reason: 'support' })).toMatchObject({ status: 404 });
  expect(await read(me.token, 'dana@example.org')).toMatchObject({
    status: 400,
    errors: [{ pointer: '/user_identifier' }],
  });
  expect(app.output.join('\n')).not.toContain('dana@example.org');
  await tenantRows(app, 'UPDATE patients SET erased_at = now() WHERE uuid = $1', [sibling.uuid]);
  expect((await read(admin.access_token, sibling.uuid, { reason: 'support' })).status).toBe(404);
});

test('an external id that looks like the UUID of another patient does not lead to that one’s place', async () => {
  await newPatients(app, [{ given: 'Namesake', externalId: dana.uuid }]);
  expect((await read(me.token, dana.uuid)).patient.uuid).toBe(dana.uuid);
});

test('page by page, with a cursor for this patient and this reader alone', async () => {
  const pages: string[] = [];
  let cursor: string | null = null;
  do {
    const page: History = await read(me.token, 'H-1', { limit: '1', ...(cursor !== null && { cursor }) });
    pages.push(...page.items.map(({ uuid }) => uuid));
    cursor = page.next_cursor;
  } while (cursor !== null);
  expect(pages).toEqual([newest, answered, oldest]);
  const { next_cursor: first } = await read(me.token, 'H-1', { limit: '1' });
  const refused = { cursor: first ?? '', reason: 'treatment' };
  expect((await read(colleague.token, 'H-1', refused)).code).toBe('cursor_invalid');
  expect((await read(me.token, child.uuid, refused)).code).toBe('cursor_invalid');
  expect((await read(me.token, 'H-1', { cursor: `${first}x` })).code).toBe('cursor_invalid');
});

const many = await newPatients(
  app,
  Array.from({ length: 501 }, () => ({ given: 'Many' })),
);
await newCases(
  app,
  many.map(({ id }) => ({ patient_id: id, status: 'submitted', language: 'ar' })),
);

/** Reads about a hundred of them a page. */
async function walk(token: string, pages: number): Promise<void> {
  let cursor: string | null = null;
  for (let page = 0; page < pages; page += 1) {
    const json = { language: ['ar'], limit: 100, ...(cursor !== null && { cursor }) };
    const reply = await app.request('/api/v1/backoffice/cases/search', { json, token });
    expect(reply.status).toBe(200);
    ({ next_cursor: cursor } = (await reply.json()) as { next_cursor: string | null });
  }
}

const warningsAbout = (token: string) =>
  app.output.filter((line) => line.includes('"phi_bulk_read"') && line.includes(claimsOf(token).sub)).length;

test('from the 501st patient of a day on the log has a warning, one an hour, and nothing is refused', async () => {
  const { access_token: token } = await register(app, { role: 'admin' });
  await walk(token, 5);
  expect(warningsAbout(token)).toBe(0);
  await walk(token, 6);
  await expect.poll(() => warningsAbout(token)).toBe(1);
  expect((await read(token, 'H-1', { reason: 'support' })).status).toBe(200);
  expect(warningsAbout(token)).toBe(1);
});

const batch = randomUUID();
await tenantRows(
  app,
  `WITH made AS (
     INSERT INTO case_batches (uuid, tenant_id, kind, expected_size) VALUES ($1, 1, 'patient_session', 1) RETURNING uuid)
   UPDATE request_records SET batch_uuid = made.uuid FROM made WHERE request_records.uuid = $2`,
  [batch, newest],
);
await tenantRows(
  app,
  `WITH said AS (UPDATE request_records SET anamnesis_revision = 1 WHERE uuid = $1 RETURNING uuid)
   INSERT INTO request_anamneses (tenant_id, case_uuid, revision, anamnesis, sha256, schema_version, author_kind)
   SELECT 1, uuid, 1, '{}', sha256('x'), '1', 'patient' FROM said`,
  [newest],
);
await tenantRows(app, `UPDATE request_records SET status = 'closed' WHERE status = 'queued'`);
await queueCases(app, [{}]);

const office = '/api/v1/backoffice';
test.each<[string, string, object?]>([
  ['a case', `${office}/cases/${newest}`],
  ['a batch', `${office}/cases/batch/${batch}`],
  ['the annotations of a case', `${office}/annotations/${answered}`],
  ['annotations of several cases', `${office}/annotations`, { case_uuids: [answered] }],
  ['the next case', `${office}/cases/next-case`, {}],
])('who copies the clinic by reading %s is noticed as well', async (_what, path, json) => {
  const { token, userId } = await newPhysician(app);
  await tenantRows(app, `UPDATE users SET role = 'admin' WHERE id = $1`, [userId]);
  await walk(token, 5);
  expect(warningsAbout(token)).toBe(0);
  const reply = await app.request(path, { token, ...(json !== undefined && { json }) });
  expect(reply.status).toBe(200);
  await expect.poll(() => warningsAbout(token)).toBe(1);
});
