import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createTenant, register, tenantRows } from '../../../../support/accounts.ts';
import { testApp } from '../../../../support/app.ts';
import { handle } from '../../../../support/case-work.ts';
import { happened, newPhysician, queueCases, rowOf } from '../../../../support/queue-stage.ts';

// Routes about many cases at once: batches, pending statuses; and the check of eligibility.

const app = await testApp();
await createTenant(app, 'elsewhere');
const [me, other, foreign, adminAccount, patient] = await Promise.all([
  newPhysician(app, { adminSettings: { max_open_cases: 20 } }),
  newPhysician(app),
  newPhysician(app, { tenant: 'elsewhere' }),
  register(app, { role: 'admin' }),
  register(app),
]);
const admin = { token: adminAccount.access_token };
const run = (text: string, values: unknown[] = []) => tenantRows(app, text, values);

const [account] = await run('SELECT id FROM users WHERE email = $1', [patient.email]);
const accountUserId = account?.['id'] as number;

interface Caller {
  token: string;
}
interface Checked {
  case_uuid: string;
  found: boolean;
  status: string | null;
  version: number | null;
  batch: { size: number; open: number; answered: number } | null;
  allowed_actions: string[];
  blocking: string[];
}
interface Result {
  case_uuid: string;
  ok: boolean;
  version?: number;
  code?: string;
}

const check = async ({ token }: Caller, case_uuids: readonly string[]): Promise<Checked[]> => {
  const reply = await app.request('/api/v1/backoffice/cases/check-batch', { token, json: { case_uuids } });
  return ((await reply.json()) as { results: Checked[] }).results;
};

const change = async ({ token }: Caller, changes: readonly object[], headers = {}) => {
  const path = '/api/v1/backoffice/cases/changes-pending-status';
  const reply = await app.request(path, { method: 'PATCH', token, json: { changes }, headers });
  const { results } = (await reply.json()) as { results: Result[] };
  return { status: reply.status, results, replayed: reply.headers.has('idempotency-replayed') };
};

async function held(count: number, pending = 'technical'): Promise<string[]> {
  const uuids = await queueCases(
    app,
    Array.from({ length: count }, () => ({ accountUserId })),
  );
  await run(
    `UPDATE request_records SET status = 'on_hold', pending_status = $2, assigned_physician_id = $3, held_at = now(),
       lane_pool = NULL, lane_language = NULL WHERE uuid = ANY($1)`,
    [uuids, pending, me.id],
  );
  return uuids;
}

describe('a batch', () => {
  test('is checked case by case, in the order asked, with what keeps the caller from each', async () => {
    const batch = randomUUID();
    const [open = '', mine = '', closed = '', elsewhere = ''] = await queueCases(app, [
      { batch },
      { batch },
      { batch },
      { pool: 'hand-clinic' },
    ]);
    await handle(app, me, mine, { action: 'claim', version: 1 });
    await run(
      `UPDATE request_records SET status = 'closed', closed_at = now(), assigned_physician_id = $2 WHERE uuid = $1`,
      [closed, me.id],
    );
    const unknown = randomUUID();
    const asked = [closed, unknown, open, mine, elsewhere, open.toUpperCase()];
    const results = await check(me, asked);
    expect(results.map((result) => result.case_uuid)).toEqual(asked);
    const counts = { size: 3, open: 2, answered: 1 };
    const nothing = {
      found: false,
      status: null,
      version: null,
      batch: null,
      allowed_actions: [],
      blocking: [],
    };
    expect(results).toMatchObject([
      { found: true, status: 'closed', batch: counts, blocking: [] },
      nothing,
      {
        found: true,
        status: 'queued',
        batch: counts,
        allowed_actions: ['claim', 'check_eligibility'],
        blocking: [],
      },
      { found: true, status: 'in_review', version: 2, blocking: [] },
      nothing,
      { found: true, status: 'queued' },
    ]);
    expect(await check(foreign, asked)).toMatchObject(asked.map(() => nothing));
    const ofAdmin = await check(admin, [open, mine, elsewhere]);
    expect(ofAdmin.map(({ blocking }) => blocking)).toEqual([
      ['physician_profile_required'],
      ['taken'],
      ['physician_profile_required'],
    ]);
    const busy = await newPhysician(app);
    const [first = ''] = await queueCases(app, [{}]);
    await handle(app, busy, first, { action: 'claim', version: 1 });
    await run('UPDATE physicians SET vacation_mode = true WHERE id = $1', [busy.id]);
    expect((await check(busy, [open]))[0]?.blocking).toEqual(['physician_away', 'lease_limit']);
  });

  test('waits for the analysis of no case that was cancelled meanwhile', async () => {
    const uuids = await queueCases(app, [{}, {}]);
    await run(
      `UPDATE request_records SET status = CASE uuid WHEN $1 THEN 'submitted' ELSE 'cancelled' END, analysis_state = 'pending',
         queued_at = NULL, lane_pool = NULL, lane_language = NULL WHERE uuid = ANY($2)`,
      [uuids[0], uuids],
    );
    const results = await check(admin, uuids);
    expect(results.map(({ blocking }) => blocking)).toEqual([['analysis_pending'], ['cancelled']]);
  });

  test('is read with the cases that the caller may see, page by page, and names of those who only wait left out', async () => {
    const batch = randomUUID();
    const uuids = await queueCases(app, [{ batch }, { batch }, { batch }, { batch, pool: 'hand-clinic' }]);
    interface Batch {
      cases: { uuid: string; patient: { display_name: string | null } }[];
      next_cursor: string | null;
      complete: boolean;
      expected_size: number;
    }
    const read = async ({ token }: Caller, query = '') => {
      const reply = await app.request(`/api/v1/backoffice/cases/batch/${batch}${query}`, { token });
      return { ...((await reply.json()) as Batch), status: reply.status };
    };
    const first = await read(me, '?limit=2');
    const second = await read(me, `?limit=2&cursor=${first.next_cursor}`);
    expect(first).toMatchObject({ status: 200, expected_size: 10, complete: false });
    const seen = [...first.cases, ...second.cases];
    expect(seen.map(({ uuid }) => uuid).toSorted()).toEqual(uuids.slice(0, 3).toSorted());
    expect(second.next_cursor).toBeNull();
    expect(seen.every(({ patient }) => patient.display_name === null)).toBe(true);
    const whole = await read(admin);
    expect(whole.cases.map(({ patient }) => patient.display_name)).toEqual(Array(4).fill('Rivka'));
    // Another caller's cursor, a batch of which nothing can be seen, another tenant's, a malformed one.
    expect(await read(other, `?limit=2&cursor=${first.next_cursor}`)).toMatchObject({
      code: 'cursor_invalid',
    });
    const hebrew = await newPhysician(app, { languages: ['he'] });
    for (const who of [hebrew, foreign]) {
      expect(await read(who)).toMatchObject({ status: 404, code: 'batch_not_found' });
    }
    const malformed = await app.request('/api/v1/backoffice/cases/batch/7', { token: me.token });
    expect(malformed.status).toBe(404);
  });
});

describe('pending statuses in bulk', () => {
  test('each change succeeds or fails alone, in the order given, and what succeeds is stored with its message', async () => {
    const [a = '', b = '', c = '', d = ''] = await held(4);
    const [waiting = ''] = await queueCases(app, [{}]);
    const unknown = randomUUID();
    const at = { version: 1 };
    const changes = [
      { case_uuid: b, ...at, pending_status: 'awaiting_patient', message: 'Which cream was it?' },
      { case_uuid: unknown, ...at, pending_status: null },
      { case_uuid: a, version: 7, pending_status: 'awaiting_result' },
      { case_uuid: waiting, ...at, pending_status: 'technical' },
      { case_uuid: c, ...at, pending_status: 'awaiting_patient' },
      { case_uuid: d, ...at, pending_status: null },
      // The same case twice: the second change has an old version.
      { case_uuid: b, ...at, pending_status: 'technical' },
    ];
    const { status, results } = await change(me, changes);
    expect(status).toBe(200);
    expect(results.map(({ case_uuid: uuid, ok, code }) => [uuid, ok, code])).toEqual([
      [b, true, undefined],
      [unknown, false, 'case_not_found'],
      [a, false, 'version_conflict'],
      [waiting, false, 'case_state_conflict'],
      [c, false, 'message_required'],
      [d, true, undefined],
      [b, false, 'version_conflict'],
    ]);
    expect(await rowOf(app, b)).toMatchObject({
      status: 'on_hold',
      pending_status: 'awaiting_patient',
      version: 2,
    });
    expect((await rowOf(app, b))['remind_at']).toBeInstanceOf(Date);
    expect(await rowOf(app, d)).toMatchObject({ status: 'queued', lane_pool: `physician:${me.id}` });
    for (const uuid of [a, c]) expect(await rowOf(app, uuid)).toMatchObject({ version: 1 });
    const messages = await run('SELECT text, direction FROM case_messages WHERE case_uuid = ANY($1)', [
      [a, b, c, d],
    ]);
    expect(messages).toEqual([{ text: 'Which cream was it?', direction: 'to_patient' }]);
    expect(await happened(app, b)).toEqual(['case_pending_changed']);
  });

  test('of an erased account cannot wait for its patient: refused, and the hold stays', async () => {
    const [uuid = ''] = await held(1);
    await run('UPDATE request_records SET account_user_id = NULL WHERE uuid = $1', [uuid]);
    const asked = { case_uuid: uuid, version: 1, pending_status: 'awaiting_patient', message: 'Since when?' };
    expect((await change(me, [asked])).results).toMatchObject([
      { ok: false, code: 'case_state_conflict', detail: expect.stringContaining('was erased') as string },
    ]);
    expect(await rowOf(app, uuid)).toMatchObject({ pending_status: 'technical', version: 1 });
  });

  test('a hundred at once, twice with one key: done once; with other content 409', async () => {
    const uuids = await held(100);
    const changes = uuids.map((case_uuid) => ({ case_uuid, version: 1, pending_status: 'awaiting_result' }));
    const key = { 'idempotency-key': `bulk-${randomUUID().slice(0, 8)}` };
    const first = await change(me, changes, key);
    expect(first.results.every(({ ok, version }) => ok && version === 2)).toBe(true);
    expect(await change(me, changes, key)).toEqual({ ...first, replayed: true });
    expect((await change(me, changes.slice(1), key)).status).toBe(409);
    const tooMany = [...changes, { case_uuid: randomUUID(), version: 1, pending_status: null }];
    expect((await change(me, tooMany)).status).toBe(400);
  });

  test('two requests with the same cases in opposite order do not block each other', async () => {
    const uuids = await held(20);
    const changes = uuids.map((case_uuid) => ({ case_uuid, version: 1, pending_status: 'awaiting_result' }));
    const both = await Promise.all([change(me, changes), change(admin, changes.toReversed())]);
    const done = both.map(({ results }) => results.filter(({ ok }) => ok).length).toSorted((a, b) => a - b);
    expect(done).toEqual([0, 20]);
  });

  test('a question to the patient outlives a change to another hold: it can be answered from the queue', async () => {
    const [uuid = ''] = await held(1, 'awaiting_patient');
    const then = async (version: number, pending_status: string | null) =>
      (await change(me, [{ case_uuid: uuid, version, pending_status }])).results;
    expect(await then(1, 'awaiting_result')).toMatchObject([{ ok: true, version: 2 }]);
    expect(await then(2, null)).toMatchObject([{ ok: true, version: 3 }]);
    expect(await rowOf(app, uuid)).toMatchObject({
      status: 'queued',
      eligibility_reasons: ['physician_asked'],
    });
  });

  test('by the physician of the case and by admins', async () => {
    const [uuid = ''] = await held(1);
    const one = [{ case_uuid: uuid, version: 1, pending_status: 'awaiting_result' }];
    for (const who of [other, foreign]) {
      expect((await change(who, one)).results).toMatchObject([{ ok: false, code: 'case_not_found' }]);
    }
    expect((await change(admin, one)).results).toMatchObject([{ ok: true, version: 2 }]);
  });
});

describe('eligibility judged anew', () => {
  const trigger = async ({ token }: Caller, uuid: string, version: number) => {
    const path = `/api/v1/backoffice/cases/${uuid}/trigger-eligibility`;
    const reply = await app.request(path, { token, json: { reason: 'membership_changed', version } });
    const body = (await reply.json()) as {
      outcome: string;
      reasons: { code: string; text: string }[];
      case: { status: string; version: number };
      code: string;
    };
    return { ...body, status: reply.status, headers: reply.headers };
  };
  /** Cases of import have no photos and no consent; these have both. */
  async function judgeable(columns: string): Promise<string> {
    const [uuid = ''] = await queueCases(app, [{}]);
    await run(
      `UPDATE request_records SET consent_version = '1', consented_at = now(), urgency = 'high',
         urgent_flags = '{sepsis_signs}', ${columns} WHERE uuid = $1`,
      [uuid],
    );
    return uuid;
  }

  test('a case that was not eligible is queued, due from now on', async () => {
    const uuid = await judgeable(
      `status = 'ineligible', eligibility_outcome = 'ineligible', queued_at = NULL, submitted_at = now() - interval '9 days'`,
    );
    const judged = await trigger(admin, uuid, 1);
    expect(judged).toMatchObject({ status: 200, outcome: 'eligible', case: { status: 'queued' } });
    expect(judged.reasons.at(-1)).toMatchObject({ code: 'emergency_override' });
    expect((await rowOf(app, uuid))['due_at'] as Date).toSatisfy((due: Date) => due > new Date());
    expect(await happened(app, uuid)).toEqual(['case_eligibility_checked', 'case_queued']);
    const logged = await run('SELECT outcome, rule_version FROM user_check_logs WHERE case_uuid = $1', [
      uuid,
    ]);
    expect(logged).toEqual([{ outcome: 'eligible', rule_version: '1' }]);
  });

  test('a case in the queue stays there where its patient is asked for something; each standing asks once', async () => {
    const [uuid = ''] = await queueCases(app, [{}]);
    const messages = async () =>
      (await run('SELECT codes FROM case_messages WHERE case_uuid = $1', [uuid])).length;
    const first = await trigger(me, uuid, 1);
    expect([first.case.status, await messages()]).toEqual(['queued', 1]);
    const judged = await trigger(me, uuid, first.case.version);
    expect(await messages()).toBe(1);
    expect(judged).toMatchObject({ status: 200, outcome: 'needs_patient', case: { status: 'queued' } });
    await run(
      `UPDATE request_records SET status = 'ineligible', eligibility_outcome = 'ineligible' WHERE uuid = $1`,
      [uuid],
    );
    const asked = await trigger(admin, uuid, judged.case.version);
    expect(asked).toMatchObject({ outcome: 'needs_patient', case: { status: 'on_hold' } });
    // The refusal in between has ended the first request.
    expect(await messages()).toBe(2);
    await run('UPDATE request_records SET queued_at = NULL WHERE uuid = $1', [uuid]);
    const again = await trigger(admin, uuid, asked.case.version);
    expect(again).toMatchObject({ outcome: 'needs_patient', case: { status: 'on_hold' } });
    expect(await messages()).toBe(2);
  });

  test('six times an hour for each case, all callers together', async () => {
    const [uuid = '', second = ''] = await queueCases(app, [{}, {}]);
    let version = 1;
    for (let count = 0; count < 6; count += 1) {
      version = (await trigger(count % 2 === 0 ? me : admin, uuid, version)).case.version;
    }
    const refused = await trigger(other, uuid, version);
    expect([refused.status, refused.code, Number(refused.headers.get('retry-after')) > 0]).toEqual([
      429,
      'rate_limited',
      true,
    ]);
    expect((await trigger(other, second, 1)).status).toBe(200);
  });

  test('not while it is analysed, in hand, or on hold for a physician; not with an old version', async () => {
    const analysed = await judgeable(`status = 'submitted', analysis_state = 'pending', queued_at = NULL`);
    const [onHold = ''] = await held(1, 'awaiting_patient');
    for (const uuid of [analysed, onHold]) {
      expect(await trigger(admin, uuid, 1)).toMatchObject({ status: 409, code: 'case_state_conflict' });
    }
    const [uuid = ''] = await queueCases(app, [{}]);
    expect(await trigger(me, uuid, 7)).toMatchObject({ status: 412, code: 'version_conflict' });
    expect(await trigger(foreign, uuid, 1)).toMatchObject({ status: 404, code: 'case_not_found' });
  });
});
