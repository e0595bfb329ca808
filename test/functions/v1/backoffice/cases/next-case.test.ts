import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { createTenant, openTransaction, register, tenantRows } from '../../../../support/accounts.ts';
import { testApp } from '../../../../support/app.ts';
import {
  endLease,
  happened,
  newPhysician,
  type PhysicianOptions,
  queueCases,
  rowOf,
  takeNext,
} from '../../../../support/queue-stage.ts';

// Which case a physician gets, what happens to it, and that no case is in two hands.

const app = await testApp();
const physician = (options?: PhysicianOptions) => newPhysician(app, options);
const run = (text: string, values: unknown[] = []) => tenantRows(app, text, values);

// What one test leaves in the queue is not offered in the next.
beforeEach(
  async () =>
    void (await run(
      `UPDATE request_records SET status = 'cancelled' WHERE status IN ('queued', 'in_review')`,
    )),
);

describe('the next case', () => {
  test('is the most urgent one, then the reserved, private and general, then the one due first', async () => {
    const me = await physician({ pool: 'hand-clinic', adminSettings: { max_open_cases: 10 } });
    const mine = { lanePool: `physician:${me.id}`, laneLanguage: 'any' };
    const order = await queueCases(app, [
      { rank: 0, dueIn: 90 },
      { rank: 1, pool: 'hand-clinic', dueIn: 900 },
      { rank: 1, dueIn: 100 },
      { rank: 2, ...mine, dueIn: 9000 },
      { rank: 2, pool: 'hand-clinic', dueIn: 20 },
      { rank: 2, pool: 'hand-clinic', dueIn: 30 },
      { rank: 2, dueIn: 5 },
      { rank: 2, dueIn: 10, language: 'he', laneLanguage: 'any' },
    ]);
    // None of these is offered: another's, of another pool, in another language.
    await queueCases(app, [
      { rank: 0, lanePool: 'physician:999999' },
      { rank: 0, pool: 'feet' },
      { rank: 0, language: 'he' },
    ]);
    const taken: (string | undefined)[] = [];
    for (const _ of order) taken.push((await takeNext(app, me)).case?.uuid);
    expect(taken).toEqual(order);
    expect(await takeNext(app, me)).toMatchObject({
      case: null,
      resumed: false,
      batch: [],
      lease: null,
      queue: { waiting: 0, waiting_urgent: 0, oldest_due_at: null },
      retry_after_seconds: 30,
    });
  });

  test('is leased for half an hour, with an event, a lane no more, and the time of the last activity', async () => {
    const me = await physician();
    const [uuid = '', other = ''] = await queueCases(app, [
      { rank: 1, dueIn: 60 },
      { dueIn: 300 },
      { rank: 1, dueIn: 400 },
      { rank: 0, lanePool: 'physician:999999' },
    ]);
    const before = Date.now();
    const answer = await takeNext(app, me);
    expect(answer).toMatchObject({
      status: 200,
      case: { uuid, version: 2, status: 'in_review' },
      resumed: false,
      batch: [],
      queue: {
        waiting: 2,
        waiting_urgent: 1,
        oldest_due_at: ((await rowOf(app, other))['due_at'] as Date).toISOString(),
      },
      retry_after_seconds: 0,
    });
    expect(answer.case?.allowed_actions).toEqual(expect.arrayContaining(['annotate', 'sign']));
    const minutes = (Date.parse(answer.lease?.expires_at ?? '') - before) / 60_000;
    expect(minutes).toBeGreaterThan(29.9);
    expect(minutes).toBeLessThan(31);
    expect(await rowOf(app, uuid)).toMatchObject({
      assigned_physician_id: me.id,
      lane_pool: null,
      lane_language: null,
      lane_until: null,
    });
    const events = await run(`SELECT action, actor_user_id, detail FROM event_logs WHERE case_uuid = $1`, [
      uuid,
    ]);
    expect(events).toEqual([
      {
        action: 'case_taken',
        actor_user_id: me.userId,
        detail: {
          from: 'queued',
          to: 'in_review',
          version: 2,
          lane_pool: 'general',
          lane_language: 'en',
          triage_rank: 1,
        },
      },
    ]);
    const active = await run('SELECT FROM physicians WHERE id = $1 AND last_active_at >= $2', [
      me.id,
      new Date(before - 1000),
    ]);
    expect(active).toHaveLength(1);
  });

  test('is the one in hand as long as no further one is allowed, with one more row for who has read it', async () => {
    const me = await physician();
    await queueCases(app, [{}, {}]);
    const first = await takeNext(app, me);
    const uuid = first.case?.uuid ?? '';
    await run(`UPDATE request_records SET lease_expires_at = now() + interval '1 minute' WHERE uuid = $1`, [
      uuid,
    ]);
    const again = await takeNext(app, me);
    expect(again).toMatchObject({ case: { uuid, version: 2 }, resumed: true });
    // Work on the case puts the end of its lease off.
    expect(Date.parse(again.lease?.expires_at ?? '')).toBeGreaterThan(Date.now() + 29 * 60_000);
    await takeNext(app, me);
    expect(await happened(app, uuid)).toEqual(['case_taken', 'case_read']);
  });

  test('is the last taken of several in hand; work on it shortens no lease, and renews that of no colleague', async () => {
    const me = await physician({ adminSettings: { max_open_cases: 2 } });
    const colleague = await physician();
    const batch = randomUUID();
    const [first = '', second = '', theirs = ''] = await queueCases(app, [
      { dueIn: 10 },
      { dueIn: 20, batch },
      { batch, lanePool: `physician:${colleague.id}`, laneLanguage: 'any' },
    ]);
    expect(await takeNext(app, me)).toMatchObject({ case: { uuid: first } });
    expect(await takeNext(app, me)).toMatchObject({ case: { uuid: second }, resumed: false });
    expect(await takeNext(app, colleague)).toMatchObject({ case: { uuid: theirs } });
    const ends = { [second]: 120, [theirs]: 5 };
    for (const [uuid, minutes] of Object.entries(ends)) {
      await run(
        `UPDATE request_records SET lease_expires_at = now() + make_interval(mins => $2) WHERE uuid = $1`,
        [uuid, minutes],
      );
    }
    const [mine, before] = [await rowOf(app, second), await rowOf(app, theirs)];
    const again = await takeNext(app, me);
    expect(again).toMatchObject({ case: { uuid: second }, batch: [], resumed: true });
    expect(again.lease?.expires_at).toBe((mine['lease_expires_at'] as Date).toISOString());
    expect((await rowOf(app, theirs))['lease_expires_at']).toEqual(before['lease_expires_at']);
  });

  test('is taken anew by a physician whose own lease has run out', async () => {
    const me = await physician();
    const [uuid = ''] = await queueCases(app, [{}]);
    await takeNext(app, me);
    await endLease(app, uuid);
    const again = await takeNext(app, me);
    expect(again).toMatchObject({ case: { uuid }, resumed: false });
    expect(Date.parse(again.lease?.expires_at ?? '')).toBeGreaterThan(Date.now() + 29 * 60_000);
    expect(await happened(app, uuid)).toEqual(['case_taken', 'case_lease_expired', 'case_taken']);
  });

  test('is found behind more cases than are read at first, while others have those locked', async () => {
    const me = await physician();
    const uuids = await queueCases(
      app,
      Array.from({ length: 17 }, (_, index) => ({ dueIn: index + 1 })),
    );
    const holder = await openTransaction(app);
    await holder.run('SELECT FROM request_records WHERE uuid = ANY ($1) FOR UPDATE', [uuids.slice(0, 16)]);
    try {
      expect(await takeNext(app, me)).toMatchObject({ case: { uuid: uuids[16] } });
      expect(await takeNext(app, await physician())).toMatchObject({
        case: null,
        queue: { waiting: 16 },
        retry_after_seconds: 2,
      });
    } finally {
      await holder.rollback();
    }
  });

  test('replaces the one in hand on request, which this physician is then not offered for a day', async () => {
    const [me, colleague] = [await physician(), await physician()];
    const [first = '', second = ''] = await queueCases(app, [{ dueIn: 10 }, { dueIn: 20 }]);
    await takeNext(app, me);
    const answer = await takeNext(app, me, { current: 'release', release_reason: 'not_my_field' });
    expect(answer).toMatchObject({ case: { uuid: second }, resumed: false, queue: { waiting: 0 } });
    expect(await rowOf(app, first)).toMatchObject({
      status: 'queued',
      status_reason: 'not_my_field',
      assigned_physician_id: null,
      lease_expires_at: null,
      lane_pool: 'general',
      lane_language: 'en',
    });
    expect(await happened(app, first)).toEqual(['case_taken', 'case_released']);
    expect(await takeNext(app, colleague)).toMatchObject({ case: { uuid: first } });
    await takeNext(app, colleague, { current: 'release' });
    // The day is over.
    await run(`UPDATE case_skips SET until = now() WHERE physician_id = $1`, [me.id]);
    expect(await takeNext(app, me, { current: 'release' })).toMatchObject({ case: { uuid: first } });
    // Put back once more, it begins again.
    expect(await takeNext(app, me, { current: 'release' })).toMatchObject({ case: null });
  });

  test('is offered again to a physician who has put it back and for whom it is reserved since', async () => {
    const me = await physician();
    const [uuid = ''] = await queueCases(app, [{}]);
    await takeNext(app, me);
    expect(await takeNext(app, me, { current: 'release', release_reason: 'other' })).toMatchObject({
      case: null,
    });
    await run(
      `UPDATE request_records SET lane_pool = $2, lane_language = 'any', lane_until = now() + interval '1 day' WHERE uuid = $1`,
      [uuid, `physician:${me.id}`],
    );
    expect(await takeNext(app, me)).toMatchObject({ case: { uuid } });
  });

  test('is never one of the physician’s own account, and none of another tenant', async () => {
    const me = await physician();
    await createTenant(app, 'next-case-elsewhere');
    const foreign = await newPhysician(app, { tenant: 'next-case-elsewhere' });
    await queueCases(app, [{ rank: 0, accountUserId: me.userId }]);
    expect(await takeNext(app, me)).toMatchObject({ case: null, queue: { waiting: 0 } });
    expect(await takeNext(app, foreign)).toMatchObject({ case: null, queue: { waiting: 0 } });
  });

  test('can be narrowed to languages, which adds none', async () => {
    const me = await physician({ languages: ['en', 'he'] });
    const [, hebrew = '', opened = ''] = await queueCases(app, [
      { rank: 0 },
      { language: 'he' },
      { rank: 2, dueIn: 9000, language: 'es', laneLanguage: 'any' },
      { rank: 0, language: 'ar' },
    ]);
    const counted = { waiting: 0, waiting_urgent: 0 };
    expect(await takeNext(app, me, { languages: ['he', 'ar'] })).toMatchObject({
      case: { uuid: hebrew },
      queue: counted,
    });
    expect(await takeNext(app, me, { languages: ['es'], current: 'release' })).toMatchObject({
      case: { uuid: opened },
    });
  });

  test('brings the queued rest of its batch along, which counts once and goes back together', async () => {
    const me = await physician();
    const [batch, another] = [randomUUID(), randomUUID()];
    const [first = '', , third = '', elsewhere = '', hebrew = '', own = '', skipped = '', single = ''] =
      await queueCases(app, [
        { rank: 1, batch },
        { batch, dueIn: 50 },
        { batch, dueIn: 60 },
        { batch, lanePool: 'physician:999999' },
        { batch, language: 'he' },
        { batch, accountUserId: me.userId },
        { batch },
        { batch: another, dueIn: 10_000 },
      ]);
    await run(
      `INSERT INTO case_skips (physician_id, case_uuid, tenant_id, reason, until)
       VALUES ($1, $2, 1, 'other', now() + interval '1 hour')`,
      [me.id, skipped],
    );
    const taken = await takeNext(app, me);
    expect(taken).toMatchObject({ case: { uuid: first }, queue: { waiting: 1 } });
    expect(taken.batch).toHaveLength(2);
    expect(taken.batch[1]).toMatchObject({ uuid: third, status: 'in_review' });
    for (const uuid of [elsewhere, hebrew, own, skipped])
      expect(await rowOf(app, uuid)).toMatchObject({ status: 'queued', assigned_physician_id: null });
    const resumed = await takeNext(app, me);
    expect(resumed).toMatchObject({ case: { uuid: first }, resumed: true });
    expect(resumed.batch.map(({ uuid }) => uuid)).toEqual(taken.batch.map(({ uuid }) => uuid));
    expect(await takeNext(app, me, { current: 'release' })).toMatchObject({
      case: { uuid: single },
      batch: [],
    });
    expect(await rowOf(app, third)).toMatchObject({ status: 'queued', assigned_physician_id: null });
  });

  test('may be one whose lease has just run out; the third time leaves a sign for admins', async () => {
    const [me, colleague] = [await physician(), await physician()];
    const [uuid = ''] = await queueCases(app, [{}]);
    for (const holder of [me, colleague, me]) {
      expect(await takeNext(app, holder)).toMatchObject({ case: { uuid }, resumed: false });
      await endLease(app, uuid);
    }
    expect(await takeNext(app, colleague)).toMatchObject({ case: { uuid } });
    expect(await rowOf(app, uuid)).toMatchObject({ lease_count: 3, assigned_physician_id: colleague.id });
    expect((await happened(app, uuid)).slice(-4)).toEqual([
      'case_taken',
      'case_lease_expired',
      'case_leases_wasted',
      'case_taken',
    ]);
  });

  test('is refused to a physician who is away, and to an admin without a profile', async () => {
    const me = await physician();
    await run('UPDATE physicians SET vacation_mode = true WHERE id = $1', [me.id]);
    await queueCases(app, [{}]);
    expect(await takeNext(app, me)).toMatchObject({ status: 409, code: 'physician_away' });
    const { access_token: token } = await register(app, { role: 'admin' });
    expect(await takeNext(app, { token })).toMatchObject({ status: 403, code: 'physician_profile_required' });
  });
});

describe('at the same moment', () => {
  test('five requests of one physician take one case', async () => {
    const me = await physician();
    await queueCases(app, [{}, {}, {}, {}, {}, {}]);
    const answers = await Promise.all(Array.from({ length: 5 }, () => takeNext(app, me)));
    expect(new Set(answers.map((answer) => answer.case?.uuid)).size).toBe(1);
    expect(answers.filter(({ resumed }) => !resumed)).toHaveLength(1);
    expect(await run(`SELECT FROM request_records WHERE assigned_physician_id = $1`, [me.id])).toHaveLength(
      1,
    );
  });

  test('twenty physicians take five cases once each, the most urgent ones among them', async () => {
    const physicians = await Promise.all(Array.from({ length: 20 }, () => physician()));
    const uuids = await queueCases(app, [{ rank: 0 }, { rank: 1 }, {}, {}, {}]);
    const answers = await Promise.all(physicians.map((each) => takeNext(app, each)));
    const taken = answers.flatMap((answer) => answer.case?.uuid ?? []);
    expect(taken.toSorted()).toEqual(uuids.toSorted());
    expect(answers.every(({ status }) => status === 200)).toBe(true);
  });
});

const diagnosis = {
  disease_id: null,
  code: 'L20.9',
  code_system: 'icd10',
  text: 'Atopic dermatitis',
  certainty: 'probable',
  is_primary: true,
};

describe('the next audit', () => {
  test('is the answer that has waited longest, never one’s own, not one that another is writing', async () => {
    const auditor = await physician({ capabilities: ['case.audit'] });
    const signer = await physician({ capabilities: ['case.audit'] });
    const uuids = await queueCases(app, [{}, {}, {}, {}]);
    const [own = '', begun = '', oldest = '', newest = ''] = uuids;
    await run(
      `UPDATE request_records SET status = 'closed', audit_state = 'pending', assigned_physician_id = $2,
         answered_at = now() - make_interval(mins => array_position($1::uuid[], uuid))
       WHERE uuid = ANY ($1)`,
      [[newest, oldest, begun, own], signer.id],
    );
    await run(
      `INSERT INTO dermatologist_annotations (uuid, tenant_id, case_uuid, physician_id, status, language, signed_at,
         recommended_action, diagnoses, rendered_text)
       SELECT uuid, 1, uuid, CASE uuid WHEN $2 THEN $3::integer ELSE $4 END, 'final', 'en', now(), 'self_care_advice', $5::jsonb, ''
       FROM unnest($1::uuid[]) uuid`,
      [uuids, own, auditor.id, signer.id, JSON.stringify([diagnosis])],
    );
    await run(
      `INSERT INTO audit_annotations (uuid, tenant_id, case_uuid, annotation_uuid, auditor_id, status)
       VALUES (gen_random_uuid(), 1, $1, $1, $2, 'draft')`,
      [begun, signer.id],
    );
    const answer = await takeNext(app, auditor, { queue: 'audit' });
    expect(answer).toMatchObject({
      case: { uuid: oldest, status: 'closed' },
      resumed: false,
      lease: null,
      queue: { waiting: 2 },
      retry_after_seconds: 0,
    });
    expect(await happened(app, oldest)).toEqual(['case_read']);
    expect(await takeNext(app, signer, { queue: 'audit' })).toMatchObject({ case: { uuid: own } });
    // Begun by one who has not gone on for a day, and one that was given up.
    await run(`UPDATE audit_annotations SET updated_at = now() - interval '25 hours' WHERE case_uuid = $1`, [
      begun,
    ]);
    expect(await takeNext(app, auditor, { queue: 'audit' })).toMatchObject({ queue: { waiting: 3 } });
    await run(
      `UPDATE audit_annotations SET updated_at = now(), status = 'cancelled', cancelled_at = now() WHERE case_uuid = $1`,
      [begun],
    );
    expect(await takeNext(app, auditor, { queue: 'audit' })).toMatchObject({ queue: { waiting: 3 } });
    await run(`UPDATE request_records SET language = 'he' WHERE uuid = $1`, [newest]);
    const hebrew = { queue: 'audit', languages: ['he'] };
    expect(await takeNext(app, auditor, hebrew)).toMatchObject({
      case: { uuid: newest },
      queue: { waiting: 1 },
    });
    // Not signed, it is no answer of the auditor's.
    await run(
      `INSERT INTO dermatologist_annotations (uuid, tenant_id, case_uuid, physician_id, status, language)
       VALUES (gen_random_uuid(), 1, $1, $2, 'draft', 'en')`,
      [newest, auditor.id],
    );
    expect(await takeNext(app, auditor, hebrew)).toMatchObject({ case: { uuid: newest } });
    expect(await takeNext(app, await physician(), { queue: 'audit' })).toMatchObject({
      status: 403,
      code: 'capability_required',
    });
  });
});
