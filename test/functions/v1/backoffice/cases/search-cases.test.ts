import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { claimsOf, createTenant, register, tenantRows } from '../../../../support/accounts.ts';
import { testApp } from '../../../../support/app.ts';
import { newCases, newPatients } from '../../../../support/case-rows.ts';
import { newPhysician } from '../../../../support/queue-stage.ts';

// Which cases a search finds: by scope, by role, by each filter.

const app = await testApp();
await createTenant(app, 'search-elsewhere');
const [me, other, auditor, admin, foreign] = await Promise.all([
  newPhysician(app, { pool: 'hand-clinic' }),
  newPhysician(app, { languages: ['he'] }),
  newPhysician(app, { languages: ['es'], capabilities: ['case.audit'] }),
  register(app, { role: 'admin' }),
  register(app, { role: 'admin', tenant: 'search-elsewhere' }),
]);
const adminId = await userIdOf(admin.access_token);

async function userIdOf(token: string): Promise<number> {
  const [row] = await tenantRows<{ id: number }>(app, 'SELECT id FROM users WHERE uuid = $1', [
    claimsOf(token).sub,
  ]);
  return row?.id as number;
}

interface Found {
  status: number;
  code?: string;
  errors?: { pointer: string }[];
  items: { uuid: string; status: string; patient: { uuid: string; display_name: string | null } }[];
  next_cursor: string | null;
  count: { value: number; capped: boolean } | null;
}

async function search(token: string, json: object): Promise<Found> {
  const reply = await app.request('/api/v1/backoffice/cases/search', { json, token });
  return { ...((await reply.json()) as Found), status: reply.status };
}

const [noa, ofMe] = await newPatients(app, [
  { given: 'Noa', family: 'Levi', externalId: 'S-1' },
  { given: 'Self', family: 'Treated', account: me.userId },
]);
if (noa === undefined || ofMe === undefined) throw new Error('no patients');

/** Each case of Noa's by a name. */
const cases = {
  inMyLane: { status: 'queued' },
  inMyPool: { status: 'queued', lane_pool: 'hand-clinic', lane_language: 'any' },
  inArabic: { status: 'queued', lane_language: 'ar' },
  inOtherPool: { status: 'queued', lane_pool: 'foot-clinic' },
  reservedForMe: {
    status: 'queued',
    lane_pool: `physician:${me.id}`,
    lane_language: 'any',
    assigned_physician_id: me.id,
  },
  inMyHand: { status: 'in_review', assigned_physician_id: me.id },
  onHold: { status: 'on_hold', assigned_physician_id: me.id },
  inOtherHand: { status: 'in_review', assigned_physician_id: other.id },
  closedByMe: { status: 'closed', assigned_physician_id: me.id },
  closedByOther: { status: 'closed', assigned_physician_id: other.id },
  signedByMe: { status: 'closed', assigned_physician_id: other.id },
  analysed: { status: 'submitted' },
  erased: { status: 'closed', assigned_physician_id: me.id, erased_at: new Date().toISOString() },
  ofMyAccount: { status: 'queued', patient_id: ofMe.id, account_user_id: me.userId },
  patientsDraft: { status: 'draft' },
  myDraft: { status: 'draft', created_by_user_id: me.userId },
  adminsDraft: { status: 'draft', created_by_user_id: adminId },
  cancelledDraft: { status: 'cancelled', submitted_at: null },
  test: { status: 'queued', is_test: true },
} as const;
type Name = keyof typeof cases;
const uuids = await newCases(
  app,
  Object.values(cases).map((columns) => ({ patient_id: noa.id, ...columns })),
);
const nameOf = new Map(uuids.map((uuid, index) => [uuid, Object.keys(cases)[index] as Name]));
const uuidOf = (name: Name) => uuids[Object.keys(cases).indexOf(name)] as string;
await tenantRows(
  app,
  `INSERT INTO dermatologist_annotations (uuid, tenant_id, case_uuid, physician_id, status, language, diagnoses,
     recommended_action, rendered_text, signed_at)
   VALUES ($1, 1, $2, $3, 'final', 'en', '[{}]', 'self_care_advice', 'x', now())`,
  [randomUUID(), uuidOf('signedByMe'), me.id],
);

const names = ({ items }: Found) => items.map(({ uuid }) => nameOf.get(uuid) ?? uuid).toSorted();
const sorts = ['created_at:desc', 'created_at:asc', 'due_at:asc', 'updated_at:desc', 'submitted_at:asc'];

/** The names of what is found, which is the same in every order. */
async function found(token: string, json: object): Promise<string[]> {
  const pages = await Promise.all(
    sorts.map((sort) => search(token, { ...json, sort, limit: 100, count: 'capped' })),
  );
  const all = pages.map(names);
  for (const [index, page] of pages.entries()) {
    expect(all[index]).toEqual(all[0]);
    expect(page.count).toEqual({ value: page.items.length, capped: false });
  }
  return all[0] ?? [];
}

const mine: Name[] = ['closedByMe', 'inMyHand', 'myDraft', 'onHold', 'reservedForMe'];
const waiting: Name[] = ['inMyLane', 'inMyPool', 'reservedForMe'];
const submitted = (Object.keys(cases) as Name[]).filter(
  (name) => !['erased', 'patientsDraft', 'myDraft', 'adminsDraft', 'cancelledDraft', 'test'].includes(name),
);
const sorted = (list: readonly Name[]) => [...new Set(list)].toSorted();

test('physicians find what they have or had, what waits in their lanes, what they drafted; never cases of their own', async () => {
  expect(await found(me.token, { scope: 'mine' })).toEqual(sorted(mine));
  expect(await found(me.token, { scope: 'queue' })).toEqual(sorted(waiting));
  expect(await found(me.token, {})).toEqual(sorted([...mine, ...waiting]));
  // Led to by its patient, also what was signed and is another's by now.
  expect(await found(me.token, { scope: 'patient', patient_uuid: noa.uuid })).toEqual(
    sorted([...mine, ...waiting, 'signedByMe']),
  );
  expect(await found(me.token, { patient_uuid: ofMe.uuid })).toEqual([]);
  expect(await found(other.token, {})).toEqual(sorted(['closedByOther', 'inOtherHand', 'signedByMe']));
  expect(await found(me.token, { scope: 'queue', is_test: true })).toEqual(['test']);
});

test('auditors find signed cases across lanes', async () => {
  expect(await found(auditor.token, {})).toEqual(sorted(['closedByMe', 'closedByOther', 'signedByMe']));
});

test('admins find every case that was submitted and their own drafts; the scope tenant is theirs alone', async () => {
  const all = sorted([...submitted, 'adminsDraft']);
  expect(await found(admin.access_token, { scope: 'tenant' })).toEqual(all);
  expect(await found(admin.access_token, {})).toEqual(all);
  expect(await found(admin.access_token, { status: ['draft'] })).toEqual(['adminsDraft']);
  expect(await found(admin.access_token, { scope: 'mine' })).toEqual(['adminsDraft']);
  expect(await found(admin.access_token, { scope: 'queue' })).toEqual(
    sorted(submitted.filter((name) => cases[name].status === 'queued')),
  );
  expect(await found(foreign.access_token, { scope: 'tenant' })).toEqual([]);
  expect(await found(foreign.access_token, { patient_uuid: noa.uuid })).toEqual([]);
  expect(await search(me.token, { scope: 'tenant' })).toMatchObject({ status: 403, code: 'forbidden' });
});

test('scopes narrow what other filters lead to', async () => {
  const whose = { patient_uuid: noa.uuid };
  expect(await found(me.token, { ...whose, scope: 'mine' })).toEqual(sorted(mine));
  expect(await found(me.token, { ...whose, scope: 'queue' })).toEqual(sorted(waiting));
  expect(await found(admin.access_token, { ...whose, scope: 'queue', pool: ['general'] })).toContain(
    'inArabic',
  );
  expect(await found(admin.access_token, { ...whose, scope: 'mine' })).toEqual(['adminsDraft']);
});

test('the queue shows no names, and elsewhere those who only wait have none', async () => {
  const shown = async (token: string, json: object) =>
    Object.fromEntries(
      (await search(token, { ...json, limit: 100 })).items.map(({ uuid, patient }) => [
        nameOf.get(uuid),
        patient.display_name,
      ]),
    );
  expect(new Set(Object.values(await shown(me.token, { scope: 'queue' })))).toEqual(new Set([null]));
  expect(new Set(Object.values(await shown(admin.access_token, { scope: 'queue' })))).toEqual(
    new Set([null]),
  );
  expect(await shown(me.token, {})).toMatchObject({
    inMyLane: null,
    inMyHand: 'Noa Levi',
    reservedForMe: 'Noa Levi',
  });
  expect(await shown(me.token, { external_id: 'S-1' })).toMatchObject({ inMyLane: 'Noa Levi' });
  for (const filter of [{ patient_name: 'noa' }, { external_id: 'S-1' }]) {
    const refused = await search(me.token, { ...filter, scope: 'queue' });
    expect(refused).toMatchObject({ status: 400, errors: [{ pointer: '/scope' }] });
  }
});

test('each filter finds what it names, in every order', async () => {
  const [adam, bea] = await newPatients(app, [{ given: 'Adam' }, { given: 'Bea' }]);
  const batch = randomUUID();
  await tenantRows(
    app,
    `INSERT INTO case_batches (uuid, tenant_id, kind, expected_size) VALUES ($1, 1, 'import', 2)`,
    [batch],
  );
  const [rash, mole] = [900_001, 900_002];
  await app.db.query(
    `INSERT INTO disease_catalog (id, slug, names, category, urgency)
     VALUES ($1, 'some_rash', '{}', 'other', 'routine'), ($2, 'some_mole', '{}', 'other', 'routine')`,
    [rash, mole],
  );
  const at = (hour: number) => `2020-02-02T${String(hour).padStart(2, '0')}:00:00Z`;
  const since = { created_at: at(1), updated_at: at(2), submitted_at: at(1) };
  const [a = '', b = '', c = ''] = await newCases(app, [
    {
      ...since,
      patient_id: adam?.id as number,
      status: 'closed',
      batch_uuid: batch,
      assigned_physician_id: other.id,
      disease_id: rash,
      triage_level: 'routine',
      urgency: 'low',
      eligibility_outcome: 'eligible',
      audit_state: 'pending',
      notified_at: at(9),
      due_at: at(3),
    },
    {
      ...since,
      created_at: at(4),
      patient_id: bea?.id as number,
      status: 'on_hold',
      pending_status: 'technical',
      language: 'he',
      pool: 'hand-clinic',
      disease_id: mole,
      triage_level: 'emergency',
      urgency: 'emergency',
      has_red_flags: true,
      submitted_at: at(5),
      updated_at: at(6),
      due_at: at(7),
    },
    { ...since, patient_id: bea?.id as number, status: 'submitted', due_at: at(8), submitted_at: at(6) },
  ]);
  const [row] = await tenantRows<{ id: string }>(app, 'SELECT id FROM request_records WHERE uuid = $1', [b]);
  const table: [filter: object, ...uuids: string[]][] = [
    [{}, a, b, c],
    [{ status: ['closed', 'submitted'] }, a, c],
    [{ pending_status: ['technical', 'awaiting_patient'] }, b],
    [{ status: ['closed'], pending_status: ['technical'] }],
    [{ created: { from: at(1), to: at(4) } }, a, c],
    [{ created: { from: '2020-02-02T06:00:00+02:00' } }, b],
    [{ submitted: { from: at(5) } }, b, c],
    [{ due: { to: at(8) } }, a, b],
    [{ updated: { from: at(6), to: at(7) } }, b],
    [{ patient_name: 'ADA' }, a],
    [{ patient_uuid: bea?.uuid }, b, c],
    [{ patient_uuid: bea?.uuid, patient_name: 'adam' }],
    [{ patient_uuid: randomUUID() }],
    [{ external_id: 'nobody' }],
    [{ case_id: Number(row?.id) }, b],
    [{ batch_uuid: batch }, a],
    [{ assigned_physician_uuid: other.uuid }, a],
    [{ assigned_physician_uuid: 'none' }, b, c],
    [{ assigned_physician_uuid: 'me' }],
    [{ assigned_physician_uuid: randomUUID() }],
    [{ disease_id: [rash] }, a],
    [{ disease_id: [rash, mole] }, a, b],
    [{ triage_level: ['routine'] }, a],
    [{ urgency: ['emergency', 'high'] }, b],
    [{ has_red_flags: true }, b],
    [{ has_red_flags: false }, a, c],
    [{ pool: ['hand-clinic'] }, b],
    [{ language: ['en', 'ar'] }, a, c],
    [{ eligibility_outcome: ['eligible'] }, a],
    [{ audit_state: ['pending'] }, a],
    [{ notified: true }, a],
    [{ notified: false }, b, c],
    [{ overdue: true }, c],
    [{ overdue: false }, a, b],
    [{ is_test: true }],
  ];
  const ours = { created: { to: '2021-01-01T00:00:00Z' } };
  for (const [filter, ...expected] of table) {
    const asked =
      'created' in filter ? { updated: { to: '2021-01-01T00:00:00Z' }, ...filter } : { ...ours, ...filter };
    expect([filter, await found(admin.access_token, asked)]).toEqual([filter, expected.toSorted()]);
  }
});

test('names are found by beginnings of their words in any order, in Hebrew, Arabic and Latin letters', async () => {
  const people = await newPatients(app, [
    { given: 'שָׂרָה', family: 'אברהם כהן' },
    { given: 'أَحمَد', family: 'الحسيني' },
    { given: 'José María', family: "O'Brien-Núñez" },
    { given: 'Jose', family: 'Cohen' },
  ]);
  const made = await newCases(
    app,
    people.map(({ id }) => ({ patient_id: id, status: 'submitted' })),
  );
  const whose = async (name: string) =>
    (await search(admin.access_token, { patient_name: name })).items
      .map(({ uuid }) => made.indexOf(uuid))
      .toSorted((a, b) => a - b);
  expect(await whose('שרה')).toEqual([0]);
  expect(await whose('כהנ ש')).toEqual([0]);
  expect(await whose('אברהם שרה כה')).toEqual([0]);
  expect(await whose('احمد')).toEqual([1]);
  expect(await whose('الحس أحمد')).toEqual([1]);
  expect(await whose('jose')).toEqual([2, 3]);
  expect(await whose('NUNEZ josé')).toEqual([2]);
  expect(await whose('obrien')).toEqual([2]);
  expect(await whose('cohen jose x')).toEqual([]);
  expect(await whose('rien')).toEqual([]);
});

test('201 patients of a name are too many, 200 are not', async () => {
  await newPatients(
    app,
    Array.from({ length: 201 }, (_, index) => ({
      given: 'Qwerty',
      family: index < 200 ? 'Zuckert' : 'Zimmer',
    })),
  );
  expect(await search(admin.access_token, { patient_name: 'qwer' })).toMatchObject({
    status: 400,
    code: 'search_too_broad',
  });
  expect((await search(admin.access_token, { patient_name: 'qwer zuck' })).status).toBe(200);
});

test('a time that PostgreSQL does not read is a mistake of the client', async () => {
  for (const from of [
    '2026-01-01T00:00:00-16:00',
    `2026-01-01T00:00:00.${'1'.repeat(200)}Z`,
    '0001-01-01T00:00:00Z',
  ]) {
    const refused = await search(me.token, { created: { from } });
    expect([from, refused]).toMatchObject([from, { status: 400, errors: [{ pointer: '/created/from' }] }]);
  }
  expect((await search(me.token, { created: { from: '2026-01-01T00:00:00.123456789-15:59' } })).status).toBe(
    200,
  );
});

test('the event log gets the filters’ names and no value', async () => {
  const batch = randomUUID();
  await search(me.token, {
    scope: 'patient',
    patient_name: 'Marked Name',
    batch_uuid: batch,
    overdue: false,
  });
  const [row] = await tenantRows<{ detail: Record<string, unknown>; all: string }>(
    app,
    `SELECT detail, to_jsonb(e)::text AS all FROM event_logs e WHERE action = 'case_searched' AND outcome = 'success'
     ORDER BY id DESC LIMIT 1`,
  );
  expect(row?.detail).toEqual({
    scope: 'patient',
    sort: 'created_at:desc',
    filters: ['patient_name', 'batch_uuid', 'overdue'],
    items: 0,
  });
  for (const value of ['arked', batch]) expect(row?.all).not.toContain(value);
  expect(app.output.join('\n')).not.toContain('Marked Name');
});

test('counting ends at 10,000', async () => {
  await tenantRows(
    app,
    `INSERT INTO request_records (uuid, tenant_id, patient_id, source, status, status_changed_at, language, submitted_at)
     SELECT gen_random_uuid(), 1, $1, 'import', 'expired', now(), 'en', now() FROM generate_series(1, 10001)`,
    [noa.id],
  );
  const { count, items } = await search(admin.access_token, {
    status: ['expired'],
    count: 'capped',
    limit: 3,
  });
  expect([count, items.length]).toEqual([{ value: 10_000, capped: true }, 3]);
});

test('a search that takes over two seconds is refused, and its connection serves the next one', async () => {
  const policy =
    'ALTER POLICY tenant ON request_records USING (tenant_id = NULLIF(current_setting($$app.tenant$$, true), $$$$)::integer';
  await app.db.query(`${policy} AND (SELECT pg_sleep(3)) IS NOT NULL)`);
  const slow = await search(me.token, { scope: 'mine' });
  await app.db.query(`${policy})`);
  expect(slow).toMatchObject({ status: 400, code: 'search_too_broad' });
  expect((await search(me.token, { scope: 'mine' })).status).toBe(200);
});
