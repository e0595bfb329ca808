import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { claimsOf, createTenant, from, register, tenantRows } from '../../../../support/accounts.ts';
import { testApp } from '../../../../support/app.ts';
import { newPatients } from '../../../../support/case-rows.ts';
import { propertyRuns } from '../../../../support/property-runs.ts';
import { newPhysician, queueCases } from '../../../../support/queue-stage.ts';
import { type LoggedEvent, logEvents, readTrail, type TrailAnswer } from '../../../../support/trail-stage.ts';

// The audit trail: which events each filter finds, in which order, to whom, and what reading it leaves behind.

const app = await testApp();
const elsewhere = await createTenant(app, 'trail-elsewhere');
const [doctor, colleague, admin, second, foreign] = await Promise.all([
  newPhysician(app),
  newPhysician(app),
  register(app, { role: 'admin' }),
  register(app, { role: 'admin' }),
  register(app, { role: 'admin', tenant: 'trail-elsewhere' }),
]);
const subOf = ({ token }: { token: string }) => claimsOf(token).sub;
const read = (query: Record<string, string>, token = admin.access_token) => readTrail(app, token, query);
const [dana, other] = await newPatients(app, [{ given: 'Dana' }, { given: 'Other' }]);
if (!dana || !other) throw new Error('no patients');

const day = (number: number, time = '08:00:00Z') => `2026-03-${String(number).padStart(2, '0')}T${time}`;

/** Of one case, patient and two actors; by the names that the table below calls them. */
const [ofCase, ofOther, account] = [randomUUID(), randomUUID(), randomUUID()];
const logged = {
  opened: { at: day(1), case_uuid: ofCase, patient_id: dana.id, actor_user_id: doctor.userId },
  // About another thing of the case, such as its answer.
  signed: {
    at: day(2),
    case_uuid: ofCase,
    patient_id: dana.id,
    actor_user_id: doctor.userId,
    subject_kind: 'annotation',
    subject_uuid: randomUUID(),
  },
  // The log of a refusal knows what was reached for, and not whose it is.
  refused: {
    at: day(3),
    category: 'auth',
    outcome: 'denied',
    actor_user_id: colleague.userId,
    subject_kind: 'case',
    subject_uuid: ofCase,
  },
  viewed: {
    at: day(4),
    category: 'access',
    case_uuid: ofCase,
    patient_id: dana.id,
    subject_kind: 'case',
    subject_uuid: ofCase,
    actor_user_id: colleague.userId,
  },
  corrected: { at: day(5), case_uuid: ofCase, patient_id: other.id, actor_user_id: doctor.userId },
  moved: { at: day(6), category: 'admin', subject_kind: 'patient', subject_uuid: dana.uuid },
  elsewhere: { at: day(7), case_uuid: ofOther, patient_id: dana.id, actor_user_id: colleague.userId },
  created: {
    at: day(8),
    category: 'admin',
    subject_kind: 'user',
    subject_uuid: account,
    actor_user_id: doctor.userId,
  },
  failed: { at: day(9), category: 'system', outcome: 'failure', case_uuid: ofCase },
} satisfies Record<string, Omit<LoggedEvent, 'action'>>;
type Name = keyof typeof logged;
await logEvents(
  app,
  Object.entries(logged).map(([name, event]) => ({ action: `trail_${name}`, ...event })),
);
// The same ids in another tenant: an import may have brought them.
await logEvents(
  app,
  [{ action: 'trail_foreign', case_uuid: ofCase, subject_kind: 'user', subject_uuid: account }],
  elsewhere,
);

const march = { from: day(1), to: day(31) };
const doctorUuid = subOf(doctor);
const found = ({ items }: TrailAnswer) => items.map(({ action }) => action.replace(/^trail_/, ''));

test.each<[string, Record<string, string>, Name[]]>([
  [
    'a case: what belongs to it, and who was refused it',
    { case_uuid: ofCase },
    ['failed', 'corrected', 'viewed', 'refused', 'signed', 'opened'],
  ],
  [
    'a patient: what concerns or is about the patient',
    { patient_uuid: dana.uuid },
    ['elsewhere', 'moved', 'viewed', 'signed', 'opened'],
  ],
  ['an account: what was done to it', { user_uuid: account }, ['created']],
  ['an actor: what was done by it', { actor_uuid: doctorUuid }, ['created', 'corrected', 'signed', 'opened']],
  [
    'ids in capitals',
    { actor_uuid: doctorUuid.toUpperCase(), case_uuid: ofCase.toUpperCase() },
    ['corrected', 'signed', 'opened'],
  ],
  [
    'a case and a patient: both',
    { case_uuid: ofCase, patient_uuid: dana.uuid },
    ['viewed', 'signed', 'opened'],
  ],
  [
    'a patient and an actor',
    { patient_uuid: dana.uuid, actor_uuid: subOf(colleague) },
    ['elsewhere', 'viewed'],
  ],
  ['categories', { case_uuid: ofCase, category: 'access,auth' }, ['viewed', 'refused']],
  ['actions', { case_uuid: ofCase, action: 'trail_failed,trail_opened' }, ['failed', 'opened']],
  ['what was refused', { case_uuid: ofCase, outcome: 'denied' }, ['refused']],
  ['what failed', { case_uuid: ofCase, outcome: 'failure' }, ['failed']],
  [
    'from a moment on, until before another',
    { case_uuid: ofCase, from: day(3), to: day(5) },
    ['viewed', 'refused'],
  ],
  [
    'a moment with another offset',
    { case_uuid: ofCase, from: day(4, '10:00:00+02:00'), to: day(5) },
    ['viewed'],
  ],
  ['a time without any event', { case_uuid: ofCase, from: day(5), to: day(5) }, []],
  ['filters that exclude each other', { case_uuid: ofOther, actor_uuid: doctorUuid }, []],
  ['a case that does not exist', { case_uuid: randomUUID() }, []],
  ['a patient that does not exist', { patient_uuid: randomUUID(), case_uuid: ofCase }, []],
  ['an actor that does not exist', { actor_uuid: randomUUID(), case_uuid: ofCase }, []],
])('%s, newest first', async (_what, query, expected) => {
  const answer = await read({ ...march, ...query });
  expect(answer.status).toBe(200);
  expect(found(answer)).toEqual(expected);
  expect(answer.next_cursor).toBeNull();
});

test.each<[string, Record<string, string>, string]>([
  ['neither a case nor a person', { outcome: 'denied' }, '/case_uuid'],
  ['an id that is none', { case_uuid: 'x' }, '/case_uuid'],
  ['a category that does not exist', { case_uuid: ofCase, category: 'case,cases' }, '/category/1'],
  ['no category', { case_uuid: ofCase, category: '' }, '/category/0'],
  ['an action that none can be', { case_uuid: ofCase, action: 'case read' }, '/action/0'],
  ['an outcome that does not exist', { case_uuid: ofCase, outcome: 'ok' }, '/outcome'],
  ['a moment without an offset', { case_uuid: ofCase, from: '2026-03-01T08:00:00' }, '/from'],
  ['an offset that no place on Earth has', { case_uuid: ofCase, from: day(4, '07:00:00-23:00') }, '/from'],
  ['a fraction of many digits', { case_uuid: ofCase, from: day(4, `07:00:00.${'1'.repeat(200)}Z`) }, '/from'],
  ['a time before there were any', { case_uuid: ofCase, from: '0001-01-01T00:00:00Z' }, '/from'],
  ['a day that does not exist', { case_uuid: ofCase, to: '2026-02-30T08:00:00Z' }, '/to'],
  ['too long a page', { case_uuid: ofCase, limit: '101' }, '/limit'],
])('%s: 400 at that field', async (_what, query, pointer) => {
  const answer = await read(query);
  expect([answer.status, answer.code]).toEqual([400, 'validation_error']);
  expect(answer.errors?.map((each) => each.pointer)).toEqual([pointer]);
});

test('an event names who, in which session and from which network, as the log of the request does', async () => {
  await tenantRows(app, 'UPDATE physicians SET settings = settings || $2 WHERE id = $1', [
    doctor.id,
    { title: 'Dr.', display_name: 'Noa Levi' },
  ]);
  const [uuid = ''] = await queueCases(app, [{}]);
  const reply = await app.request(`/api/v1/backoffice/cases/${uuid}`, {
    token: doctor.token,
    headers: from('198.51.100.77'),
  });
  expect(reply.status).toBe(200);
  const { patient } = (await reply.json()) as { patient: { uuid: string } };
  const { items } = await read({ case_uuid: uuid, action: 'case_read' });
  expect(items).toMatchObject([
    {
      category: 'access',
      outcome: 'success',
      actor: { kind: 'user', uuid: doctorUuid, role: 'physician', display_name: 'Dr. Noa Levi' },
      subject: { kind: 'case', uuid },
      case_uuid: uuid,
      patient_uuid: patient.uuid,
      session_uuid: claimsOf(doctor.token).sid,
      request_id: reply.headers.get('x-request-id'),
      ip_prefix: '198.51.100.0/24',
    },
  ]);
  expect(items[0]?.actor.email).toMatch(/^physician-.*@example\.org$/);
  expect(Math.abs(Date.now() - Date.parse(items[0]?.at ?? ''))).toBeLessThan(60_000);
});

test('what the service does by itself has no account', async () => {
  const { items } = await read({ case_uuid: ofCase, action: 'trail_failed' });
  expect(items[0]?.actor).toEqual({
    kind: 'system',
    uuid: null,
    role: null,
    display_name: null,
    email: null,
  });
});

test('reading is an event about what was read; a physician who tries leaves another', async () => {
  const [uuid = ''] = await queueCases(app, [{}]);
  const own = { case_uuid: uuid, action: 'audit_trail_read' };
  expect((await read({ case_uuid: uuid, limit: '7', outcome: 'denied' })).items).toEqual([]);
  expect((await read({ case_uuid: uuid })).items).toHaveLength(1);
  const reads = await read(own, second.access_token);
  expect(
    reads.items.map(({ category, actor, subject, detail }) => [category, actor.uuid, subject, detail]),
  ).toEqual([
    [
      'access',
      claimsOf(admin.access_token).sub,
      { kind: 'case', uuid },
      { filters: ['case_uuid'], count: 1 },
    ],
    [
      'access',
      claimsOf(admin.access_token).sub,
      { kind: 'case', uuid },
      { filters: ['case_uuid', 'outcome'], count: 0 },
    ],
  ]);
  expect(await read({ patient_uuid: dana.uuid }, doctor.token)).toMatchObject({
    status: 403,
    code: 'forbidden',
  });
  const refusal = await read({ actor_uuid: doctorUuid, outcome: 'denied' });
  expect(refusal.items).toMatchObject([{ action: 'authz_fail', category: 'auth' }]);
  // A search for a patient is found with the patient, one for an actor with the account.
  await read({ patient_uuid: other.uuid });
  await read({ actor_uuid: subOf(colleague), from: day(1) });
  const about = async (query: Record<string, string>) =>
    (await read({ ...query, action: 'audit_trail_read' })).items.at(-1)?.subject;
  expect(await about({ patient_uuid: other.uuid })).toEqual({ kind: 'patient', uuid: other.uuid });
  expect(await about({ user_uuid: subOf(colleague) })).toEqual({ kind: 'user', uuid: subOf(colleague) });
});

test('another tenant finds nothing of ours, by whatever id, and only its own staff’s attempts', async () => {
  const [uuid = ''] = await queueCases(app, [{}]);
  const theirs = { token: foreign.access_token };
  expect((await app.request(`/api/v1/backoffice/cases/${uuid}`, theirs)).status).toBe(404);
  const tried = await read({ case_uuid: uuid, category: 'auth' }, foreign.access_token);
  expect(tried.items).toMatchObject([
    { action: 'authz_fail', outcome: 'denied', actor: { uuid: claimsOf(foreign.access_token).sub } },
  ]);
  expect(found(await read({ case_uuid: uuid }))).not.toContain('authz_fail');
  for (const query of [
    { patient_uuid: dana.uuid },
    { actor_uuid: doctorUuid },
    { user_uuid: subOf(colleague) },
  ] as Record<string, string>[]) {
    const answer = await read(query, foreign.access_token);
    expect([query, answer.status, found(answer)]).toEqual([query, 200, []]);
  }
  expect(found(await read({ case_uuid: ofCase }, foreign.access_token))).toEqual(['foreign']);
});

/** Few moments, some within one millisecond, so that many events share one. */
const moment = fc.constantFrom(
  '2026-01-01T00:00:00.000000Z',
  '2026-01-01T00:00:00.000001Z',
  '2026-01-01T00:00:00.000002Z',
  '2026-01-01T00:00:00.001Z',
  '2026-01-02T00:00:00.999999Z',
);

test('a walk meets every event once and in order, while others arrive', async () => {
  const event = fc.record({
    at: moment,
    isSubject: fc.boolean(),
    category: fc.constantFrom('case', 'access', 'auth'),
  });
  const run = fc.record({
    there: fc.array(event, { minLength: 12, maxLength: 25 }),
    limit: fc.integer({ min: 2, max: 6 }),
  });
  await fc.assert(
    fc.asyncProperty(run, async ({ there, limit }) => {
      const uuid = randomUUID();
      const about = { case_uuid: uuid, subject_kind: 'case', subject_uuid: uuid };
      await logEvents(
        app,
        there.map(({ isSubject, ...each }) => ({
          action: 'walked',
          ...each,
          ...about,
          // What was refused has the case as its subject alone.
          ...(isSubject && { case_uuid: undefined }),
        })) as LoggedEvent[],
      );
      const inOrder = await tenantRows<{ uuid: string }>(
        app,
        `SELECT uuid FROM event_logs WHERE subject_uuid = $1 ORDER BY at DESC, id DESC`,
        [uuid],
      );
      const walked: string[] = [];
      let cursor: string | null = null;
      do {
        const page: TrailAnswer = await read({
          case_uuid: uuid,
          limit: String(limit),
          ...(cursor !== null && { cursor }),
        });
        expect(page.status).toBe(200);
        walked.push(...page.items.map((each) => each.uuid));
        cursor = page.next_cursor;
        await logEvents(app, [{ action: 'arrived', ...about }]);
      } while (cursor !== null);
      expect(walked).toEqual(inOrder.map((each) => each.uuid));
    }),
    { numRuns: propertyRuns(3) },
  );
});

test('a cursor fits its filters and its tenant, and nothing else', async () => {
  const asked = { ...march, case_uuid: ofCase, category: 'case,access', limit: '2' };
  const { next_cursor: cursor } = await read(asked);
  if (cursor === null) throw new Error('there is one page only');
  expect(found(await read({ ...asked, limit: '5', cursor }, second.access_token))).toEqual([
    'signed',
    'opened',
  ]);
  const [body = '', tag = ''] = cursor.split('.');
  const [at, id] = JSON.parse(Buffer.from(body, 'base64url').toString()) as [string, number];
  const altered = Buffer.from(JSON.stringify([at, id + 1])).toString('base64url');
  const { next_cursor: ofPatient } = await read({ patient_uuid: dana.uuid, limit: '2' });
  const refused: [query: Record<string, string>, token?: string][] = [
    [{ category: 'case' }],
    [{ category: 'access,case' }],
    [{ outcome: 'success' }],
    [{ from: day(2) }],
    [{ case_uuid: ofOther }],
    [{ patient_uuid: dana.uuid }],
    [{ cursor: `${altered}.${tag}` }],
    [{ cursor: body }],
    [{ cursor: `${cursor}x` }],
    [{ cursor: 'x' }],
    [{ cursor: ofPatient ?? '' }],
    [{}, foreign.access_token],
  ];
  for (const [query, token] of refused) {
    const answer = await read({ ...asked, cursor, ...query }, token);
    expect([query, answer.status, answer.code]).toEqual([query, 400, 'cursor_invalid']);
  }
});
