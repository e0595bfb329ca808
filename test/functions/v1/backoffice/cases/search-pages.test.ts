import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTenant, register, tenantRows } from '../../../../support/accounts.ts';
import { testApp } from '../../../../support/app.ts';
import { newCases, newPatients } from '../../../../support/case-rows.ts';
import { propertyRuns } from '../../../../support/property-runs.ts';
import { newPhysician } from '../../../../support/queue-stage.ts';

// Walks through the pages of a search while cases arrive, and cursors that belong to another search.

const app = await testApp();
await createTenant(app, 'pages-elsewhere');
const [me, colleague, admin, foreign] = await Promise.all([
  newPhysician(app, { languages: ['en', 'he'], capabilities: ['case.audit'] }),
  newPhysician(app),
  register(app, { role: 'admin' }),
  register(app, { role: 'admin', tenant: 'pages-elsewhere' }),
]);
const patients = await newPatients(app, [{ given: 'Paged' }, { given: 'Paged' }, { given: 'Elsewhere' }]);

interface Found {
  status: number;
  code?: string;
  items: { uuid: string }[];
  next_cursor: string | null;
}

async function search(token: string, json: object): Promise<Found> {
  const reply = await app.request('/api/v1/backoffice/cases/search', { json, token });
  return { ...((await reply.json()) as Found), status: reply.status };
}

const sorts = [
  'created_at:desc',
  'created_at:asc',
  'due_at:asc',
  'updated_at:desc',
  'submitted_at:asc',
] as const;
const searches = [
  { token: admin.access_token, json: { scope: 'tenant' } },
  { token: admin.access_token, json: { status: ['closed', 'queued', 'cancelled', 'draft'], overdue: false } },
  { token: me.token, json: {} },
  { token: me.token, json: { scope: 'mine' } },
  { token: me.token, json: { scope: 'queue' } },
  { token: me.token, json: { patient_name: 'paged' } },
];

/** Few moments, so that many cases share one; some lie within one millisecond. */
const moment = fc.constantFrom(
  '2026-01-01T00:00:00.000000Z',
  '2026-01-01T00:00:00.000001Z',
  '2026-01-01T00:00:00.000002Z',
  '2026-01-01T00:00:00.001Z',
  '2026-01-02T00:00:00.999999Z',
);
const newCase = fc.record({
  patient: fc.nat(2),
  status: fc.constantFrom('queued', 'in_review', 'closed', 'cancelled', 'on_hold', 'draft'),
  mine: fc.boolean(),
  language: fc.constantFrom('en', 'he', 'ar'),
  rank: fc.nat(2),
  created_at: moment,
  updated_at: moment,
  submitted_at: moment,
  due_at: fc.option(moment),
});
type NewCase = typeof newCase extends fc.Arbitrary<infer Value> ? Value : never;

async function insert(cases: readonly NewCase[]): Promise<string[]> {
  return await newCases(
    app,
    cases.map(({ patient, mine, rank, language, ...each }) => ({
      ...each,
      patient_id: patients[patient]?.id as number,
      // As the CHECKs ask: what waits is due.
      due_at: each.status === 'queued' ? (each.due_at ?? each.created_at) : each.due_at,
      ...(each.status === 'draft' && { submitted_at: null, created_by_user_id: mine ? me.userId : null }),
      ...(each.status !== 'draft' &&
        (each.status !== 'queued' || mine) && { assigned_physician_id: mine ? me.id : colleague.id }),
      ...(each.status === 'queued' && { lane_pool: 'general', lane_language: language, triage_rank: rank }),
    })),
  );
}

/** All cases in the order of the sort, as PostgreSQL compares them. */
async function inOrder(sort: string): Promise<string[]> {
  const [column = '', direction] = sort.split(':');
  const rows = await tenantRows<{ uuid: string }>(
    app,
    `SELECT uuid FROM request_records ORDER BY ${column} ${direction} NULLS LAST, id ${direction}`,
  );
  return rows.map(({ uuid }) => uuid);
}

test('a walk meets every case once and in order, whatever arrives or moves meanwhile', async () => {
  const walks = sorts.flatMap((sort) => searches.map((each) => ({ sort, ...each })));
  const run = fc.record({
    there: fc.array(newCase, { minLength: 25, maxLength: 40 }),
    arriving: fc.array(newCase, { minLength: 1, maxLength: 4 }),
    limit: fc.integer({ min: 4, max: 9 }),
  });
  await fc.assert(
    fc.asyncProperty(run, async ({ there, arriving, limit }) => {
      await tenantRows(app, 'DELETE FROM request_records');
      await insert(there);
      let met = 0;
      for (const { token, json, sort } of walks) {
        const before = (await search(token, { ...json, sort, limit: 100 })).items.map(({ uuid }) => uuid);
        const walked: string[] = [];
        let moved: string | undefined;
        let arrived: readonly string[] = [];
        let cursor: string | null = null;
        for (let page = 0; page === 0 || cursor !== null; page += 1) {
          const found: Found = await search(token, {
            ...json,
            sort,
            limit,
            ...(cursor !== null && { cursor }),
          });
          expect(found.status).toBe(200);
          walked.push(...found.items.map(({ uuid }) => uuid));
          cursor = found.next_cursor;
          if (page === 0) arrived = await insert(arriving);
          // It has changed, so it is the newest: before the place of the walk.
          if (page === 1 && sort === 'updated_at:desc') {
            moved = before.at(-1);
            await tenantRows(app, 'UPDATE request_records SET updated_at = now() WHERE uuid = $1', [moved]);
          }
        }
        expect(new Set(walked).size).toBe(walked.length);
        expect(walked).toEqual(expect.arrayContaining(before.filter((uuid) => uuid !== moved)));
        const stayed = walked.filter((uuid) => uuid !== moved);
        const order = await inOrder(sort);
        expect(stayed).toEqual(order.filter((uuid) => stayed.includes(uuid)));
        met += stayed.length;
        await tenantRows(app, 'DELETE FROM request_records WHERE uuid = ANY ($1)', [arrived]);
      }
      expect(met).toBeGreaterThan(there.length);
    }),
    { numRuns: propertyRuns(1) },
  );
});

test('a cursor fits the search, the caller and the tenant that it was made for, and nothing else', async () => {
  await insert(fc.sample(newCase, { numRuns: 30, seed: 17 }).map((each) => ({ ...each, status: 'closed' })));
  const asked = { scope: 'tenant', status: ['closed', 'queued'], limit: 5 };
  const { next_cursor: cursor } = await search(admin.access_token, asked);
  if (cursor === null) throw new Error('there is one page only');
  const again = await search(admin.access_token, { ...asked, limit: 7, count: 'capped', cursor });
  expect(again.status).toBe(200);
  const [body = '', tag = ''] = cursor.split('.');
  const [at, id] = JSON.parse(Buffer.from(body, 'base64url').toString()) as [string, number];
  const altered = Buffer.from(JSON.stringify([at, id + 1])).toString('base64url');
  const other = await register(app, { role: 'admin' });
  const refused: [token: string, json: object][] = [
    ...sorts.slice(1).map((sort): [string, object] => [admin.access_token, { sort }]),
    [admin.access_token, { status: ['closed'] }],
    [admin.access_token, { status: ['queued', 'closed'] }],
    [admin.access_token, { is_test: true }],
    [admin.access_token, { overdue: false }],
    [admin.access_token, { scope: 'queue' }],
    [admin.access_token, { scope: undefined }],
    [admin.access_token, { cursor: `${altered}.${tag}` }],
    [admin.access_token, { cursor: body }],
    [admin.access_token, { cursor: 'x' }],
    [other.access_token, {}],
    [foreign.access_token, {}],
  ];
  for (const [token, json] of refused) {
    const { status, code } = await search(token, { ...asked, cursor, ...json });
    expect([json, status, code]).toEqual([json, 400, 'cursor_invalid']);
  }
});
