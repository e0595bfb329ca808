import { describe, expect, test } from 'vitest';
import { createTenant, openTransaction, register, tenantRows } from '../../../../support/accounts.ts';
import { testApp } from '../../../../support/app.ts';
import { actOnCase, createCase, getCase, updateCase } from '../../../../support/cases.ts';
import { handle } from '../../../../support/case-work.ts';
import {
  endLease,
  happened,
  newPhysician,
  type QueuedCase,
  queueCases,
  rowOf,
  takeNext,
} from '../../../../support/queue-stage.ts';

// What staff do with a case as a whole, who may, and what happens when two do it at once.

const app = await testApp();
await createTenant(app, 'elsewhere');
const [me, other, caller, foreign, patient, adminAccount] = await Promise.all([
  newPhysician(app, { adminSettings: { max_open_cases: 20 } }),
  newPhysician(app, { adminSettings: { max_open_cases: 20 } }),
  newPhysician(app, { languages: ['he'], capabilities: ['on_call'], adminSettings: { max_open_cases: 20 } }),
  newPhysician(app, { tenant: 'elsewhere' }),
  register(app),
  register(app, { role: 'admin' }),
]);
const admin = { token: adminAccount.access_token };
const run = (text: string, values: unknown[] = []) => tenantRows(app, text, values);
const queued = async (given: QueuedCase = {}) => (await queueCases(app, [given]))[0] as string;
const claim = { action: 'claim', version: 1 };

/** A case in my hand, at version 2. */
async function inHand(given: QueuedCase = {}): Promise<string> {
  const uuid = await queued(given);
  expect(await handle(app, me, uuid, claim)).toMatchObject({ status: 200, version: 2 });
  return uuid;
}

const ownCase = async () => {
  const { uuid } = await createCase(app, patient.access_token);
  await run(
    `UPDATE request_records SET status = 'queued', submitted_at = now(), queued_at = now(), due_at = now() + interval '1 day',
       triage_level = 'routine', triage_rank = 2, lane_pool = 'general', lane_language = 'en' WHERE uuid = $1`,
    [uuid],
  );
  return uuid;
};

/** Has a physician claim a case of the patient and ask something. @returns its version. */
async function askPatient(doctor: typeof me, uuid: string): Promise<number> {
  const { version } = (await rowOf(app, uuid)) as { version: number };
  await handle(app, doctor, uuid, { action: 'claim', version });
  const hold = { action: 'hold', pending_status: 'awaiting_patient', message: 'Since when?' };
  const held = await handle(app, doctor, uuid, { ...hold, version: version + 1 });
  expect(held).toMatchObject({ status: 200, pending_status: 'awaiting_patient' });
  return version + 2;
}

describe('claiming', () => {
  test('twenty physicians at once: one has the case, and the others do not even see it any more', async () => {
    const crowd = await Promise.all(Array.from({ length: 18 }, () => newPhysician(app)));
    const uuid = await queued();
    const all = [me, other, ...crowd];
    const answers = await Promise.all(all.map((each) => handle(app, each, uuid, claim)));
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([200, ...Array.from({ length: 19 }, () => 404)]);
    const winner = all[answers.findIndex(({ status }) => status === 200)];
    expect(await rowOf(app, uuid)).toMatchObject({ status: 'in_review', assigned_physician_id: winner?.id });
    expect((await happened(app, uuid)).filter((action) => action === 'case_taken')).toHaveLength(1);
  });

  test('a case of the own lanes only, but on call an emergency of any lane', async () => {
    const [routine, emergency] = await queueCases(app, [{ rank: 2 }, { rank: 0, pool: 'hand-clinic' }]);
    for (const uuid of [routine, emergency] as string[]) {
      expect(await handle(app, foreign, uuid, claim)).toMatchObject({ status: 404, code: 'case_not_found' });
    }
    expect(await handle(app, caller, routine as string, claim)).toMatchObject({ status: 404 });
    expect(await handle(app, me, emergency as string, claim)).toMatchObject({ status: 404 });
    const read = await app.request(`/api/v1/backoffice/cases/${emergency}`, { token: caller.token });
    expect(read.status).toBe(404);
    expect(await handle(app, caller, emergency as string, claim)).toMatchObject({
      status: 200,
      case_status: 'in_review',
    });
  });

  test('on call without a version, which cannot be read before; of a case that can be read it is required', async () => {
    const [emergency = '', own = '', changed = ''] = await queueCases(app, [
      { rank: 0, pool: 'hand-clinic' },
      { rank: 0, language: 'he' },
      { rank: 0, pool: 'hand-clinic' },
    ]);
    const unversioned = { action: 'claim' };
    expect(await handle(app, me, emergency, unversioned)).toMatchObject({ status: 404 });
    expect(await handle(app, caller, own, unversioned)).toMatchObject({
      status: 428,
      code: 'version_required',
    });
    expect(await handle(app, caller, emergency, unversioned)).toMatchObject({
      status: 200,
      case_status: 'in_review',
      version: 2,
    });
    expect(await handle(app, caller, emergency, { action: 'renew_lease' })).toMatchObject({ status: 428 });
    // One that is named counts.
    expect(await handle(app, caller, changed, { ...claim, version: 7 })).toMatchObject({ status: 412 });
  });

  test('never a case of an own account, whatever the lane and urgency, and not by assignment either', async () => {
    const doctor = await newPhysician(app, { capabilities: ['on_call', 'case.assign'] });
    const uuid = await queued({ rank: 0, accountUserId: doctor.userId });
    expect(await handle(app, doctor, uuid, claim)).toMatchObject({ status: 404 });
    const assign = { action: 'assign', physician_uuid: doctor.uuid, version: 1 };
    expect(await handle(app, admin, uuid, assign)).toMatchObject({
      status: 404,
      code: 'physician_not_found',
    });
    expect(await handle(app, doctor, uuid, assign)).toMatchObject({ status: 404, code: 'case_not_found' });
  });

  test('as many as the settings allow, a batch counting once; two claims at once are counted too', async () => {
    const doctor = await newPhysician(app, { adminSettings: { max_open_cases: 2 } });
    const batch = crypto.randomUUID();
    const cases = [{ batch }, { batch }, {}, {}];
    const [first = '', second = '', single = '', last = ''] = await queueCases(app, cases);
    for (const uuid of [first, second, single])
      expect((await handle(app, doctor, uuid, claim)).status).toBe(200);
    expect(await handle(app, doctor, last, claim)).toMatchObject({ status: 409, code: 'lease_limit' });
    await endLease(app, single);
    expect((await handle(app, doctor, last, claim)).status).toBe(200);
    const twice = await newPhysician(app);
    const pair = await queueCases(app, [{}, {}]);
    const answers = await Promise.all(pair.map((uuid) => handle(app, twice, uuid, claim)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  });

  test('a case whose lease has ended, though no timer has put it back yet', async () => {
    const uuid = await inHand();
    await endLease(app, uuid);
    expect(await handle(app, me, uuid, { ...claim, version: 2 })).toMatchObject({
      status: 200,
      case_status: 'in_review',
      version: 4,
    });
    expect((await happened(app, uuid)).slice(-2)).toEqual(['case_lease_expired', 'case_taken']);
  });
});

describe('what the physician does who has it', () => {
  test('without the lease: 409 before any version is looked at; another physician: 404', async () => {
    const uuid = await inHand();
    await endLease(app, uuid);
    for (const body of [
      { action: 'renew_lease' },
      { action: 'release', reason: 'other' },
      { action: 'hold', pending_status: 'technical' },
    ]) {
      const refused = await handle(app, me, uuid, { ...body, version: 1 });
      expect(refused).toMatchObject({ status: 409, code: 'lease_lost' });
      expect(await handle(app, other, uuid, { ...body, version: 2 })).toMatchObject({ status: 404 });
    }
    expect(await rowOf(app, uuid)).toMatchObject({ status: 'in_review', version: 2 });
  });

  test('two devices with one version: one is done, one is 412; without a version 428', async () => {
    const uuid = await inHand();
    const hold = { action: 'hold', pending_status: 'awaiting_result', version: 2 };
    const answers = await Promise.all([handle(app, me, uuid, hold), handle(app, me, uuid, hold)]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 412]);
    expect(answers.find(({ status }) => status === 412)).toMatchObject({ current_version: 3 });
    expect(await handle(app, me, uuid, { action: 'resume' })).toMatchObject({ status: 428 });
    const resumed = await handle(app, me, uuid, { action: 'resume' }, { 'if-match': '"3"' });
    expect(resumed).toMatchObject({ status: 200, case_status: 'queued', etag: '"4"' });
  });

  test('a retry with the same key is not done twice', async () => {
    const uuid = await inHand();
    const key = { 'idempotency-key': `renew-${uuid.slice(0, 8)}` };
    const renew = { action: 'renew_lease', version: 2 };
    expect(await handle(app, me, uuid, renew, key)).toMatchObject({
      status: 200,
      version: 3,
      replayed: false,
    });
    expect(await handle(app, me, uuid, renew, key)).toMatchObject({
      status: 200,
      version: 3,
      replayed: true,
    });
    // Another case, or another version of this one, is another request.
    for (const [of, body] of [
      [await inHand(), renew],
      [uuid, { ...renew, version: 3 }],
    ] as const) {
      expect(await handle(app, me, of, body, key)).toMatchObject({
        status: 409,
        code: 'idempotency_key_reused',
      });
    }
  });

  test('a retry with the same key gets its reply, although the first request gave the case away', async () => {
    const doctor = await newPhysician(app, { capabilities: ['case.assign', 'case.cancel'] });
    const narrow = await newPhysician(app, { adminSettings: { general_pool: false } });
    for (const [by, body] of [
      [doctor, { action: 'assign', physician_uuid: other.uuid, version: 1 }],
      [doctor, { action: 'cancel', reason: 'duplicate', version: 1 }],
      [narrow, { action: 'release', reason: 'other', version: 2 }],
    ] as const) {
      const uuid = await queued();
      const key = { 'idempotency-key': `${body.action}-${uuid.slice(0, 8)}` };
      if (by === narrow) {
        await run(`UPDATE request_records SET lane_pool = $2 WHERE uuid = $1`, [uuid, `physician:${by.id}`]);
        await handle(app, by, uuid, claim);
      }
      const first = await handle(app, by, uuid, body, key);
      expect(first).toMatchObject({ status: 200, replayed: false });
      expect(await handle(app, by, uuid, body, key)).toEqual({ ...first, replayed: true });
      expect(await handle(app, by, uuid, body)).toMatchObject({ status: 404, code: 'case_not_found' });
    }
  });

  test('a retry of a caller who has lost the capability since gets 404', async () => {
    const doctor = await newPhysician(app, { capabilities: ['case.assign'] });
    const uuid = await queued();
    const key = { 'idempotency-key': `assign-${uuid.slice(0, 8)}` };
    const assign = { action: 'assign', physician_uuid: other.uuid, version: 1 };
    expect(await handle(app, doctor, uuid, assign, key)).toMatchObject({ status: 200 });
    await run('DELETE FROM user_group_members WHERE user_id = $1', [doctor.userId]);
    expect(await handle(app, doctor, uuid, assign, key)).toMatchObject({ status: 404 });
  });

  test('release while the lease ends: one of the two, never both', async () => {
    const doctor = await newPhysician(app);
    const uuid = await queued();
    expect((await handle(app, doctor, uuid, claim)).status).toBe(200);
    const lock = await openTransaction(app);
    await lock.run('SELECT FROM request_records WHERE uuid = $1 FOR UPDATE', [uuid]);
    const release = handle(app, doctor, uuid, { action: 'release', reason: 'end_of_shift', version: 2 });
    await lock.awaited(1);
    await lock.run(
      `UPDATE request_records SET lease_expires_at = now() - interval '1 second' WHERE uuid = $1`,
      [uuid],
    );
    await lock.commit();
    await app.runTimer('returnLeases');
    expect(await release).toMatchObject({ status: 409, code: 'lease_lost' });
    expect((await happened(app, uuid)).slice(1)).toEqual(['case_lease_expired']);
    expect(await rowOf(app, uuid)).toMatchObject({ status: 'queued', lane_pool: 'general', lease_count: 1 });
  });

  test('released with a reason it is not offered to the same physician again, and is to others', async () => {
    await run(`UPDATE request_records SET status = 'cancelled' WHERE status = 'queued'`);
    const doctor = await newPhysician(app);
    const uuid = await queued();
    await handle(app, doctor, uuid, claim);
    const released = await handle(app, doctor, uuid, {
      action: 'release',
      reason: 'too_complex',
      version: 2,
    });
    expect(released).toMatchObject({ status: 200, case_status: 'queued', status_reason: 'too_complex' });
    expect((await takeNext(app, doctor)).case).toBeNull();
    expect((await takeNext(app, other)).case?.uuid).toBe(uuid);
  });
});

describe('on hold', () => {
  test('the patient of a case whose account was erased cannot be asked; it can wait for something else', async () => {
    const uuid = await inHand();
    const hold = { action: 'hold', version: 2 };
    expect(
      await handle(app, me, uuid, { ...hold, pending_status: 'awaiting_patient', message: 'Since when?' }),
    ).toMatchObject({
      status: 409,
      code: 'case_state_conflict',
      detail: expect.stringContaining('was erased') as string,
    });
    expect(await rowOf(app, uuid)).toMatchObject({ status: 'in_review', version: 2 });
    expect(await handle(app, me, uuid, { ...hold, pending_status: 'awaiting_result' })).toMatchObject({
      status: 200,
    });
  });

  test('its patient is asked in the words of the physician, replies, and the due time has stood still', async () => {
    const uuid = await ownCase();
    const before = await rowOf(app, uuid);
    const version = before['version'] as number;
    await handle(app, me, uuid, { action: 'claim', version });
    const text = 'צילום חד יותר, בבקשה';
    const held = await handle(app, me, uuid, {
      action: 'hold',
      pending_status: 'awaiting_patient',
      message: text,
      version: version + 1,
    });
    expect(held).toMatchObject({
      status: 200,
      case_status: 'on_hold',
      pending_status: 'awaiting_patient',
      messages: [{ direction: 'to_patient', text }],
    });
    expect(await getCase(app, patient.access_token, uuid)).toMatchObject({
      patient_status: 'action_needed',
      messages: [{ direction: 'to_patient', text }],
    });
    const [message] = await run('SELECT language, author_user_id FROM case_messages WHERE case_uuid = $1', [
      uuid,
    ]);
    expect(message).toEqual({ language: 'en', author_user_id: me.userId });
    await run(`UPDATE request_records SET status_changed_at = now() - interval '3 hours' WHERE uuid = $1`, [
      uuid,
    ]);
    const reply = { action: 'reply', message: 'It does not get any sharper.' };
    expect((await actOnCase(app, patient.access_token, uuid, reply)).patient_status).toBe('waiting');
    const row = await rowOf(app, uuid);
    expect(row).toMatchObject({ lane_pool: `physician:${me.id}`, lane_language: 'any' });
    const moved = (row['due_at'] as Date).getTime() - (before['due_at'] as Date).getTime();
    expect(moved / 3_600_000).toBeCloseTo(3, 1);
  });

  test('a reply waits for no physician who is away by then', async () => {
    const [uuid, doctor] = [await ownCase(), await newPhysician(app)];
    await askPatient(doctor, uuid);
    await run('UPDATE physicians SET vacation_mode = true WHERE id = $1', [doctor.id]);
    const reply = { action: 'reply', message: 'Since Monday.' };
    expect(await actOnCase(app, patient.access_token, uuid, reply)).toMatchObject({ status: 200 });
    expect(await rowOf(app, uuid)).toMatchObject({
      status: 'queued',
      lane_pool: 'general',
      lane_until: null,
    });
  });

  test('assigned to another without the reply, its patient can still send what was asked', async () => {
    const uuid = await ownCase();
    const version = await askPatient(me, uuid);
    const assign = { action: 'assign', physician_uuid: other.uuid, version };
    expect(await handle(app, admin, uuid, assign)).toMatchObject({ status: 200, case_status: 'queued' });
    const { allowed_actions: allowed, ...waiting } = await getCase(app, patient.access_token, uuid);
    expect([waiting.patient_status, allowed]).toEqual(['waiting', ['update', 'cancel']]);
    const words = { uuid, version: waiting.version, message: 'Since Monday.', submit: true };
    expect(await updateCase(app, patient.access_token, words)).toMatchObject({
      status: 200,
      allowed_actions: ['cancel'],
    });
    expect(await rowOf(app, uuid)).toMatchObject({ lane_pool: `physician:${other.id}` });
  });

  test('until a day that lies within three months, and never with a message that no patient gets', async () => {
    const uuid = await inHand();
    const hold = { action: 'hold', pending_status: 'awaiting_result', version: 2 };
    const at = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
    for (const [extra, pointer] of [
      [{ remind_at: at(-1) }, '/remind_at'],
      [{ remind_at: at(91) }, '/remind_at'],
      [{ message: 'Please wait.' }, '/message'],
    ] as const) {
      const refused = await handle(app, me, uuid, { ...hold, ...extra });
      expect(refused).toMatchObject({ status: 400, errors: [{ pointer }] });
    }
    expect((await handle(app, me, uuid, { ...hold, remind_at: at(7) })).status).toBe(200);
    await run(`UPDATE request_records SET remind_at = now() - interval '1 minute' WHERE uuid = $1`, [uuid]);
    await app.runTimer('remindAndExpire');
    expect(await rowOf(app, uuid)).toMatchObject({ status: 'queued', lane_pool: `physician:${me.id}` });
  });

  test('a case that the service has asked its patient about is neither queued nor assigned past the check', async () => {
    const uuid = await queued();
    await run(
      `UPDATE request_records SET status = 'on_hold', pending_status = 'awaiting_patient', queued_at = NULL WHERE uuid = $1`,
      [uuid],
    );
    for (const body of [{ action: 'resume' }, { action: 'assign', physician_uuid: me.uuid }]) {
      expect(await handle(app, admin, uuid, { ...body, version: 1 })).toMatchObject({
        status: 409,
        code: 'case_state_conflict',
        allowed_actions: ['cancel', 'check_eligibility', 'update_record'],
      });
    }
  });
});

describe('handed on, ended and opened again', () => {
  test('assigned: the lease of another ends, and it waits for that physician in any language', async () => {
    const uuid = await inHand({ language: 'en' });
    const assign = { action: 'assign', physician_uuid: caller.uuid, version: 2 };
    const refused = await handle(app, me, uuid, assign);
    expect(refused).toMatchObject({ status: 403, code: 'capability_required', capability: 'case.assign' });
    expect(await handle(app, admin, uuid, assign)).toMatchObject({
      status: 200,
      case_status: 'queued',
      assigned_physician: { uuid: caller.uuid },
    });
    expect(await rowOf(app, uuid)).toMatchObject({
      lane_pool: `physician:${caller.id}`,
      lane_language: 'any',
      lease_expires_at: null,
    });
    const late = await handle(app, me, uuid, { action: 'renew_lease', version: 3 });
    expect(late).toMatchObject({ status: 404 });
    expect((await handle(app, caller, uuid, { ...claim, version: 3 })).status).toBe(200);
  });

  test('from a lease that has ended, notices of both physicians are locked by id, so that no two such requests block', async () => {
    const [first, second] = [me, other].toSorted((a, b) => a.id - b.id) as [typeof me, typeof me];
    const uuid = await queued();
    await handle(app, second, uuid, claim);
    await endLease(app, uuid);
    const lock = await openTransaction(app);
    await lock.run('SELECT pg_advisory_xact_lock(1070, $1)', [first.userId]);
    const assigned = handle(app, admin, uuid, { action: 'assign', physician_uuid: first.uuid, version: 2 });
    await lock.awaited(1);
    const { rows } = await lock.run('SELECT pg_try_advisory_xact_lock(1070, $1) AS taken', [second.userId]);
    await lock.commit();
    expect(rows).toEqual([{ taken: true }]);
    expect((await assigned).status).toBe(200);
  });

  test('not to one who is away, inactive, of another tenant or a patient', async () => {
    const uuid = await queued();
    const assign = async (physicianUuid: string) =>
      await handle(app, admin, uuid, { action: 'assign', physician_uuid: physicianUuid, version: 1 });
    const away = await newPhysician(app);
    await run('UPDATE physicians SET vacation_mode = true WHERE id = $1', [away.id]);
    expect(await assign(away.uuid)).toMatchObject({ status: 409, code: 'physician_away' });
    const gone = await newPhysician(app);
    await run('UPDATE users SET is_active = false WHERE id = $1', [gone.userId]);
    const patient = await newPhysician(app);
    await run(`UPDATE users SET role = 'patient' WHERE id = $1`, [patient.userId]);
    for (const uuidOf of [gone.uuid, foreign.uuid, patient.uuid]) {
      expect(await assign(uuidOf)).toMatchObject({ status: 404, code: 'physician_not_found' });
    }
    expect(await rowOf(app, uuid)).toMatchObject({ version: 1, lane_pool: 'general' });
  });

  test('not to one who goes away at this moment', async () => {
    const [uuid, doctor] = [await queued(), await newPhysician(app)];
    const leaving = await openTransaction(app);
    await leaving.run('UPDATE physicians SET vacation_mode = true WHERE id = $1', [doctor.id]);
    const assigned = handle(app, admin, uuid, { action: 'assign', physician_uuid: doctor.uuid, version: 1 });
    await leaving.awaited(1);
    await leaving.commit();
    expect(await assigned).toMatchObject({ status: 409, code: 'physician_away' });
    expect(await rowOf(app, uuid)).toMatchObject({ version: 1, lane_pool: 'general' });
  });

  test('cancelled and opened again by an admin: due from then on, in its own lane', async () => {
    const uuid = await queued({ dueIn: -600, pool: 'hand-clinic' });
    const cancelled = await handle(app, admin, uuid, { action: 'cancel', reason: 'duplicate', version: 1 });
    expect(cancelled).toMatchObject({ status: 200, case_status: 'cancelled', status_reason: 'duplicate' });
    const none = await handle(app, admin, uuid, { action: 'cancel', reason: 'test', version: 2 });
    expect(none).toMatchObject({ status: 409, current_status: 'cancelled', allowed_actions: ['reopen'] });
    await run(`UPDATE request_records SET eligibility_outcome = 'eligible' WHERE uuid = $1`, [uuid]);
    const reopened = await handle(app, admin, uuid, {
      action: 'reopen',
      reason: 'new_information',
      version: 2,
    });
    expect(reopened).toMatchObject({ status: 200, case_status: 'queued' });
    expect(Date.parse(reopened.due_at)).toBeGreaterThan(Date.now() + 100 * 3_600_000);
    expect(await rowOf(app, uuid)).toMatchObject({ lane_pool: 'hand-clinic', lane_language: 'en' });
  });

  test('cancelled in the hand of a physician, it is in no hand any more', async () => {
    const uuid = await inHand();
    await handle(app, admin, uuid, { action: 'cancel', reason: 'test', version: 2 });
    expect(await rowOf(app, uuid)).toMatchObject({ status: 'cancelled', lease_expires_at: null });
    const late = await handle(app, me, uuid, { action: 'renew_lease', version: 3 });
    expect(late).toMatchObject({ status: 409, current_status: 'cancelled' });
  });

  test('opened again by one who has not signed it, it is reserved for no one, and its answer waits for no audit', async () => {
    const [uuid, doctor] = [await queued(), await newPhysician(app)];
    await run(
      `UPDATE request_records SET status = 'closed', analysis_state = 'done', eligibility_outcome = 'eligible',
         audit_state = 'pending', answered_at = now(), closed_at = now(), notified_at = now(),
         assigned_physician_id = $2 WHERE uuid = $1`,
      [uuid, doctor.id],
    );
    const reopen = { action: 'reopen', reason: 'quality_review', version: 1 };
    expect(await handle(app, admin, uuid, reopen)).toMatchObject({ status: 200, case_status: 'queued' });
    const record = await rowOf(app, uuid);
    expect(record).toMatchObject({
      lane_pool: record['pool'],
      lane_until: null,
      audit_state: 'none',
      notified_at: null,
    });
  });

  test('opened again before it was judged, it is submitted again, and analysed from then on', async () => {
    const uuid = await queued();
    await run(
      `UPDATE request_records SET status = 'cancelled', analysis_state = 'pending', queued_at = NULL,
         submitted_at = now() - interval '3 days' WHERE uuid = $1`,
      [uuid],
    );
    const reopen = { action: 'reopen', reason: 'other', version: 1 };
    expect(await handle(app, admin, uuid, reopen)).toMatchObject({ status: 200, case_status: 'submitted' });
    await expect.poll(async () => (await happened(app, uuid)).includes('case_analysed')).toBe(true);
    expect((await rowOf(app, uuid))['analysis_state']).toBe('done');
  });
});
