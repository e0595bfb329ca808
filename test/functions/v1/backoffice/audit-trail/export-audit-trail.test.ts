import { randomUUID } from 'node:crypto';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { claimsOf, createTenant, register, tenantRows } from '../../../../support/accounts.ts';
import { testApp } from '../../../../support/app.ts';
import { newPatients } from '../../../../support/case-rows.ts';
import { newPhysician } from '../../../../support/queue-stage.ts';
import { downloadTrail, logEvents, readTrail } from '../../../../support/trail-stage.ts';

// The audit trail as a file for a spreadsheet program: what it has, what such a program makes of it, and where it ends.

const app = await testApp();
const elsewhere = await createTenant(app, 'export-elsewhere');
const [doctor, admin, foreign] = await Promise.all([
  newPhysician(app),
  register(app, { role: 'admin' }),
  register(app, { role: 'admin', tenant: 'export-elsewhere' }),
]);
const token = admin.access_token;
const [dana] = await newPatients(app, [{ given: 'Dana' }]);
if (!dana) throw new Error('no patient');

/** The file's cells, read by another program than ours. */
async function download(query: Record<string, string>, by = token) {
  const reply = await downloadTrail(app, by, query);
  expect(reply.status).toBe(200);
  const bytes = Buffer.from(await reply.arrayBuffer());
  const rows = parse(bytes, { bom: true, columns: true, record_delimiter: '\r\n' });
  return { reply, bytes, rows: rows as Record<string, string>[] };
}

test('the file has what the list has, event by event', async () => {
  const ofCase = randomUUID();
  const about = { case_uuid: ofCase, patient_id: dana.id, actor_user_id: doctor.userId };
  await logEvents(app, [
    {
      action: 'opened',
      at: '2026-03-01T08:00:00.123456Z',
      ...about,
      detail: { codes: ['a', 'b'], note: null },
    },
    {
      action: 'viewed',
      at: '2026-03-02T08:00:00Z',
      ...about,
      category: 'access',
      ip_prefix: '198.51.100.0/24',
    },
    {
      action: 'refused',
      at: '2026-03-03T08:00:00Z',
      category: 'auth',
      outcome: 'denied',
      subject_kind: 'case',
      subject_uuid: ofCase,
    },
  ]);
  await logEvents(app, [{ action: 'theirs', case_uuid: ofCase }], elsewhere);
  const named = { case_uuid: ofCase, to: '2026-04-01T00:00:00Z' };
  const { items } = await readTrail(app, token, named);
  expect(items.map(({ action }) => action)).toEqual(['refused', 'viewed', 'opened']);
  const { reply, bytes, rows } = await download(named);
  expect(rows).toEqual(
    items.map(({ actor, subject, detail, ...event }) => ({
      at: event.at,
      category: event.category,
      action: event.action,
      outcome: event.outcome,
      actor_kind: actor.kind,
      actor_uuid: actor.uuid ?? '',
      actor_role: actor.role ?? '',
      actor_display_name: actor.display_name ?? '',
      actor_email: actor.email ?? '',
      subject_kind: subject?.kind ?? '',
      subject_uuid: subject?.uuid ?? '',
      case_uuid: event.case_uuid ?? '',
      patient_uuid: event.patient_uuid ?? '',
      session_uuid: event.session_uuid ?? '',
      request_id: event.request_id ?? '',
      ip_prefix: event.ip_prefix ?? '',
      detail: JSON.stringify(detail),
      uuid: event.uuid,
    })),
  );
  expect(rows[2]).toMatchObject({ patient_uuid: dana.uuid, detail: '{"note":null,"codes":["a","b"]}' });
  expect(bytes.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
  expect(reply.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(reply.headers.get('content-disposition')).toBe('attachment; filename="audit-trail.csv"');
  expect(reply.headers.get('x-content-type-options')).toBe('nosniff');
  expect(reply.headers.get('cache-control')).toContain('no-store');
});

test('nothing in it runs as a formula, whatever names people give themselves', async () => {
  const ofCase = randomUUID();
  await logEvents(app, [{ action: 'viewed', case_uuid: ofCase, actor_user_id: doctor.userId }]);
  const rename = (name: string) =>
    tenantRows(app, 'UPDATE physicians SET settings = settings || $2 WHERE id = $1', [
      doctor.id,
      { display_name: name },
    ]);
  // Names as the settings take them: without tabs and line breaks, which test/lib/text/csv.test.ts has.
  for (const [name, cell] of [
    ['=HYPERLINK("http://x.example";"נועה, לוי")', `'=HYPERLINK("http://x.example";"נועה, לוי")`],
    ['+1', `'+1`],
    ['-2+3|cmd', `'-2+3|cmd`],
    ['@SUM(1)', `'@SUM(1)`],
    ['نورة الليثي', 'نورة الليثي'],
  ] as const) {
    await rename(name);
    const { rows } = await download({ case_uuid: ofCase, action: 'viewed' });
    expect(rows.map((row) => row['actor_display_name'])).toEqual([cell]);
  }
});

test('the download is an event about what was downloaded, and so is a physician’s attempt', async () => {
  const ofCase = randomUUID();
  expect((await download({ case_uuid: ofCase })).rows).toEqual([]);
  const { rows } = await download({ case_uuid: ofCase });
  expect(rows).toMatchObject([
    {
      category: 'access',
      action: 'audit_trail_exported',
      outcome: 'success',
      actor_uuid: claimsOf(token).sub,
      subject_kind: 'case',
      subject_uuid: ofCase,
      detail: '{"count":0,"filters":["case_uuid"]}',
    },
  ]);
  const refused = await downloadTrail(app, doctor.token, { case_uuid: ofCase });
  expect(refused.status).toBe(403);
  const tries = await readTrail(app, token, { actor_uuid: claimsOf(doctor.token).sub, outcome: 'denied' });
  expect(tries.items).toMatchObject([{ action: 'authz_fail' }]);
});

test('another tenant gets an empty file', async () => {
  const ofCase = randomUUID();
  await logEvents(app, [{ action: 'opened', case_uuid: ofCase, patient_id: dana.id }]);
  const { rows } = await download({ case_uuid: ofCase }, foreign.access_token);
  expect(rows).toEqual([]);
  expect((await download({ patient_uuid: dana.uuid }, foreign.access_token)).rows).toEqual([]);
});

test('10,000 events are one file; one more is refused with what to do, and leaves no event', async () => {
  const ofCase = randomUUID();
  const fill = (count: number) =>
    tenantRows(
      app,
      `INSERT INTO event_logs (uuid, tenant_id, category, action, outcome, actor_kind, actor_user_id, case_uuid, patient_id, detail)
       SELECT gen_random_uuid(), 1, 'access', 'case_read', 'success', 'user', $2, $1, $3, '{"n": 1}'
       FROM generate_series(1, $4)`,
      [ofCase, doctor.userId, dana.id, count],
    );
  await fill(10_000);
  const { rows } = await download({ case_uuid: ofCase });
  expect(new Set(rows.map(({ uuid }) => uuid)).size).toBe(10_000);
  await fill(1);
  const query = { case_uuid: ofCase, category: 'access', action: 'case_read' };
  const refused = await downloadTrail(app, token, query);
  expect([refused.status, await refused.json()]).toMatchObject([
    400,
    { code: 'search_too_broad', detail: 'More than 10000 events fit. Name a shorter time.' },
  ]);
  expect(refused.headers.get('content-disposition')).toBeNull();
  const { rows: exports } = await download({ case_uuid: ofCase, action: 'audit_trail_exported' });
  expect(exports.map(({ detail }) => JSON.parse(detail ?? '') as object)).toEqual([
    { count: 10_000, filters: ['case_uuid'] },
  ]);
  // A shorter time, as the refusal says.
  expect((await download({ ...query, to: new Date(0).toISOString() })).rows).toEqual([]);
});
