import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { claimsOf, createTenant, register, tenantRows } from '../../../../support/accounts.ts';
import {
  annotate,
  cancelAnnotation,
  caseInHand,
  readAnnotations,
  readAnswers,
  saveAnnotation,
  standing,
  wholeAnswer,
} from '../../../../support/answers.ts';
import { testApp } from '../../../../support/app.ts';
import { correct } from '../../../../support/case-work.ts';
import { getCase } from '../../../../support/cases.ts';
import { mailServer } from '../../../../support/mail-server.ts';
import { endLease, happened, newPhysician, queueCases, takeNext } from '../../../../support/queue-stage.ts';

// From the draft of an answer to what its patient reads, and back.

const server = await mailServer();
const app = await testApp({ env: { ...server.settings, TRUSTED_PROXY_HOPS: '2', PG_POOL_MAX: '12' } });
await createTenant(app, 'elsewhere');
const many = { adminSettings: { max_open_cases: 20 } };
const [account, doctor, colleague, stranger, admin] = await Promise.all([
  register(app),
  newPhysician(app, many),
  newPhysician(app, many),
  newPhysician(app, { tenant: 'elsewhere' }),
  register(app, { role: 'admin' }),
]);
const patient = account.access_token;
const run = (text: string, values: unknown[] = []) => tenantRows(app, text, values);
const [{ id: accountUserId } = { id: 0 }] = await tenantRows<{ id: number }>(
  app,
  'SELECT id FROM users WHERE uuid = $1',
  [claimsOf(patient).sub],
);
const taken = (options: object = {}) => caseInHand(app, doctor, { accountUserId, ...options });
const draftsOf = (uuid: string) =>
  run('SELECT status, version, internal_note FROM dermatologist_annotations WHERE case_uuid = $1', [uuid]);
const answeredAt = async (uuid: string) =>
  (await run('SELECT answered_at FROM request_records WHERE uuid = $1', [uuid]))[0]?.['answered_at'];
/** The time for undoing has passed. */
const mature = (uuid: string) =>
  run(`UPDATE request_records SET publish_at = now() - interval '1 second' WHERE uuid = $1`, [uuid]);
const act = async (token: string, uuid: string, body: object) =>
  (await app.request(`/api/v1/backoffice/cases/${uuid}/status`, { json: body, token })).status;

beforeEach(async () => {
  server.mails.length = 0;
  await run(`UPDATE request_records SET status = 'cancelled' WHERE status IN ('queued', 'in_review')`);
});

async function published(): Promise<string> {
  const uuid = await taken();
  // Opened again, it need not be judged anew.
  await run(`UPDATE request_records SET eligibility_outcome = 'eligible' WHERE uuid = $1`, [uuid]);
  await annotate(app, doctor, uuid, { sign: true });
  await mature(uuid);
  await app.runTimer('publishAnswers');
  return uuid;
}

describe('a draft', () => {
  test('of which two clients save the same version: one gets 412, and nothing is lost', async () => {
    const uuid = await taken();
    const made = await annotate(app, doctor, uuid);
    expect(made).toMatchObject({ httpStatus: 201, etag: '"1"', status: 'draft', version: 1 });
    const clients = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        saveAnnotation(app, doctor, uuid, 1, { internal_note: `client ${index}` }),
      ),
    );
    const [winner, ...others] = clients.filter(({ httpStatus }) => httpStatus === 200);
    expect(others).toEqual([]);
    expect(winner).toMatchObject({ etag: '"2"', version: 2 });
    const losers = clients.filter((each) => each !== winner);
    for (const loser of losers) {
      expect(loser).toMatchObject({ httpStatus: 412, code: 'version_conflict', current_version: 2 });
    }
    expect(await readAnnotations(app, doctor, uuid)).toMatchObject([
      { status: 'draft', version: 2, internal_note: winner?.internal_note },
    ]);
    const both = `${winner?.internal_note}, and the other's`;
    expect(await saveAnnotation(app, doctor, uuid, 2, { internal_note: both })).toMatchObject({
      version: 3,
      internal_note: both,
    });
    // What is absent is empty.
    const bare = await saveAnnotation(app, doctor, uuid, 3, { patient_message: null, diagnoses: undefined });
    expect(bare).toMatchObject({ patient_message: null, diagnoses: [] });
    expect((await happened(app, uuid)).filter((action) => action.startsWith('annotation'))).toEqual([
      'annotation_created',
      'annotation_read',
    ]);
  });

  test('extends the lease when it is saved, and is for the eyes of its author', async () => {
    const uuid = await taken();
    await run(`UPDATE request_records SET lease_expires_at = now() + interval '1 minute' WHERE uuid = $1`, [
      uuid,
    ]);
    await annotate(app, doctor, uuid);
    const [row] = await run(
      `SELECT lease_expires_at > now() + interval '29 minutes' AS long FROM request_records WHERE uuid = $1`,
      [uuid],
    );
    expect(row).toEqual({ long: true });
    expect(await readAnnotations(app, { token: admin.access_token }, uuid)).toEqual([]);
    expect(await readAnnotations(app, colleague, uuid)).toBeUndefined();
    expect(await readAnnotations(app, stranger, uuid)).toBeUndefined();
    for (const body of [{}, { sign: true }]) {
      const refused = await annotate(app, colleague, uuid, body);
      expect(refused).toMatchObject({ httpStatus: 404, code: 'case_not_found' });
    }
    const items = await app.request('/api/v1/backoffice/annotations', {
      json: { case_uuids: [uuid, randomUUID()] },
      token: doctor.token,
    });
    expect(await items.json()).toMatchObject({ items: { [uuid]: [{ status: 'draft' }] } });
    expect((await readAnswers(app, patient, uuid)).answers).toEqual([]);
    await cancelAnnotation(app, doctor, uuid, 1);
    expect(await readAnnotations(app, doctor, uuid)).toMatchObject([{ status: 'cancelled' }]);
    expect(await readAnnotations(app, { token: admin.access_token }, uuid)).toEqual([]);
  });

  test('takes texts by their characters, composed and without control characters', async () => {
    const uuid = await taken();
    const made = await annotate(app, doctor, uuid, {
      patient_message: '😀'.repeat(4000),
      internal_note: ' e\u0301\nx ',
    });
    expect(made).toMatchObject({ httpStatus: 201, internal_note: 'é\nx' });
    const [diagnosis] = wholeAnswer.diagnoses;
    const wrong = await saveAnnotation(app, doctor, uuid, 1, {
      patient_message: '😀'.repeat(4001),
      internal_note: 'a\u0007b',
      diagnoses: [{ ...diagnosis, text: 'a\nb' }],
    });
    expect(wrong.errors?.map(({ pointer }) => pointer).toSorted()).toEqual([
      '/diagnoses/0/text',
      '/internal_note',
      '/patient_message',
    ]);
  });
});

describe('a signature', () => {
  test('that is refused stores nothing', async () => {
    const uuid = await taken();
    await annotate(app, doctor, uuid, { internal_note: 'as it was' });
    await run(
      `UPDATE request_records SET urgency = 'high', has_red_flags = true, urgent_flags = '{ophthalmic_zoster}',
         red_flags = '{ophthalmic_zoster,named_by_the_service}' WHERE uuid = $1`,
      [uuid],
    );
    const [diagnosis] = wholeAnswer.diagnoses;
    const incomplete: [object, string[]][] = [
      [{ diagnoses: [], image_quality_ok: null }, ['/diagnoses', '/image_quality_ok']],
      [{ diagnoses: [diagnosis, diagnosis] }, ['/diagnoses']],
      [{ diagnoses: [{ ...diagnosis, certainty: 'excluded' }] }, ['/diagnoses/0/certainty']],
      [{ recommended_action: null }, ['/recommended_action']],
    ];
    for (const [body, pointers] of incomplete) {
      const refused = await saveAnnotation(app, doctor, uuid, 1, { ...body, sign: true });
      expect(refused).toMatchObject({ httpStatus: 400, code: 'validation_error' });
      expect(refused.errors?.map(({ pointer }) => pointer)).toEqual(pointers);
    }
    // Flags without details are as urgent as the case.
    const unseen = await saveAnnotation(app, doctor, uuid, 1, { sign: true });
    expect(unseen).toMatchObject({
      httpStatus: 409,
      code: 'red_flags_unacknowledged',
      missing: ['ophthalmic_zoster', 'named_by_the_service'],
    });
    const half = await saveAnnotation(app, doctor, uuid, 1, {
      sign: true,
      acknowledged_flags: ['ophthalmic_zoster'],
    });
    expect(half).toMatchObject({ missing: ['named_by_the_service'] });
    const mayNot = { ...many.adminSettings, can_sign: false };
    const setAdmin = 'UPDATE physicians SET admin_settings = $2 WHERE id = $1';
    await run(setAdmin, [doctor.id, mayNot]);
    const acknowledged = {
      acknowledged_flags: ['ophthalmic_zoster', 'named_by_the_service'],
      recommended_action: 'same_day_medical_review',
      sign: true,
    };
    const forbidden = await saveAnnotation(app, doctor, uuid, 1, acknowledged);
    await run(setAdmin, [doctor.id, many.adminSettings]);
    expect(forbidden).toMatchObject({ httpStatus: 403, code: 'forbidden' });
    expect(await draftsOf(uuid)).toEqual([{ status: 'draft', version: 1, internal_note: 'as it was' }]);
    expect(await standing(app, uuid)).toMatchObject({ status: 'in_review', final_annotation_uuid: null });
    expect(await saveAnnotation(app, doctor, uuid, 1, acknowledged)).toMatchObject({ status: 'final' });
  });

  test('is refused for no flag that an answer cannot name', async () => {
    const uuid = await taken();
    const codes = Array.from({ length: 201 }, (_, index) => `of_the_service_${index}`);
    await run(
      `UPDATE request_records SET urgency = 'high', has_red_flags = true, urgent_flags = $2, red_flags = $2
       WHERE uuid = $1`,
      [uuid, ['', 'x'.repeat(201), ...codes]],
    );
    const recommended_action = 'same_day_medical_review';
    const sign = (seen: string[]) =>
      annotate(app, doctor, uuid, { sign: true, acknowledged_flags: seen, recommended_action });
    expect(await sign(codes.slice(2))).toMatchObject({ httpStatus: 409, missing: ['of_the_service_0'] });
    expect(await sign(codes)).toMatchObject({ httpStatus: 400, code: 'validation_error' });
    expect(await sign(codes.slice(1))).toMatchObject({ httpStatus: 201, status: 'final' });
  });

  test('is shown to the patient once it can no longer be undone, with one message, however often the timer runs', async () => {
    const uuid = await taken();
    const signed = await annotate(app, doctor, uuid, { sign: true });
    expect(signed).toMatchObject({ httpStatus: 201, status: 'final', published_at: null });
    expect(signed.rendered_text).toContain('Atopic eczema');
    const { publish_at: at, ...answered } = await standing(app, uuid);
    expect(answered).toMatchObject({
      status: 'answered',
      final_annotation_uuid: signed.uuid,
      closed_at: null,
    });
    const minutes = ((at as Date).getTime() - Date.now()) / 60_000;
    expect(minutes).toBeGreaterThan(4);
    expect(minutes).toBeLessThan(5.1);
    await app.runTimer('publishAnswers');
    expect((await readAnswers(app, patient, uuid)).answers).toEqual([]);
    expect(await getCase(app, patient, uuid)).toMatchObject({
      patient_status: 'in_review',
      answer_available: false,
    });

    await mature(uuid);
    await Promise.all(Array.from({ length: 4 }, () => app.runTimer('publishAnswers')));
    await app.runTimer('publishAnswers');
    expect((await happened(app, uuid)).filter((action) => action === 'case_closed')).toHaveLength(1);
    const { text, answers } = await readAnswers(app, patient, uuid);
    expect(answers).toMatchObject([{ status: 'final', patient_message: wholeAnswer.patient_message }]);
    for (const hidden of ['internal_note', 'ai_agreement', 'acknowledged_flags', 'seconds_spent'])
      expect(text).not.toContain(hidden);
    expect(await getCase(app, patient, uuid)).toMatchObject({
      patient_status: 'answered',
      answer_available: true,
    });
    await server.arrived(1);
    await app.runTimer('drainOutbox');
    expect(server.mails).toHaveLength(1);
    expect(server.mails[0]?.recipients).toEqual([account.email]);
  });

  test.each([
    ['not noticed yet', async (uuid: string) => endLease(app, uuid)],
    [
      'and the case is in the queue again',
      async (uuid: string) => {
        await endLease(app, uuid);
        await app.runTimer('returnLeases');
      },
    ],
  ])('counts after the lease has run out, %s', async (_what, happens) => {
    const uuid = await taken();
    await annotate(app, doctor, uuid);
    const { version } = await standing(app, uuid);
    await happens(uuid);
    expect(await saveAnnotation(app, doctor, uuid, 1)).toMatchObject({ httpStatus: 409, code: 'lease_lost' });
    const signature = { sign: true, case_version: Number(version) };
    expect(await saveAnnotation(app, doctor, uuid, 1, signature)).toMatchObject({
      httpStatus: 200,
      status: 'final',
    });
    expect(await standing(app, uuid)).toMatchObject({ status: 'answered' });
  });

  test('does not count once more has changed than that the lease ran out', async () => {
    const uuid = await taken();
    await annotate(app, doctor, uuid);
    await endLease(app, uuid);
    await app.runTimer('returnLeases');
    const version = Number((await standing(app, uuid)).version);
    const desk = { token: admin.access_token };
    expect((await correct(app, desk, uuid, { pool: 'general', version })).status).toBe(200);
    for (const read of [version - 1, version]) {
      const late = await saveAnnotation(app, doctor, uuid, 1, { sign: true, case_version: read });
      expect(late).toMatchObject({ httpStatus: 412, code: 'case_changed', current_version: version + 1 });
    }
  });

  test('is too late when another physician has the case, or when it was put back; the draft stays', async () => {
    const uuid = await taken();
    await annotate(app, doctor, uuid, { internal_note: 'mine' });
    await endLease(app, uuid);
    expect((await takeNext(app, colleague)).case?.uuid).toBe(uuid);
    const lost = { httpStatus: 409, code: 'lease_lost' };
    expect(await saveAnnotation(app, doctor, uuid, 1, { sign: true })).toMatchObject(lost);
    expect(await draftsOf(uuid)).toEqual([{ status: 'draft', version: 1, internal_note: 'mine' }]);
    // The other has a draft of their own.
    expect(await annotate(app, colleague, uuid, { sign: true })).toMatchObject({ status: 'final' });
    expect(await saveAnnotation(app, doctor, uuid, 1, { sign: true })).toMatchObject(lost);
    const released = await taken();
    await annotate(app, doctor, released);
    expect(await act(doctor.token, released, { action: 'release', reason: 'too_complex', version: 2 })).toBe(
      200,
    );
    expect(await saveAnnotation(app, doctor, released, 1, { sign: true })).toMatchObject(lost);
  });

  test('is not for a case that is back from a hold before it is claimed, though no other physician has it', async () => {
    const uuid = await taken();
    await annotate(app, doctor, uuid);
    const hold = { action: 'hold', pending_status: 'awaiting_result' };
    for (const body of [hold, { action: 'resume' }]) {
      const version = Number((await standing(app, uuid)).version);
      expect(await act(doctor.token, uuid, { ...body, version })).toBe(200);
    }
    const lost = { httpStatus: 409, code: 'lease_lost' };
    expect(await saveAnnotation(app, doctor, uuid, 1, { sign: true })).toMatchObject(lost);
    expect((await takeNext(app, doctor)).case?.uuid).toBe(uuid);
    expect(await saveAnnotation(app, doctor, uuid, 1, { sign: true })).toMatchObject({ httpStatus: 200 });
  });

  test('under an emergency: claimed from another lane by who is on call, and with the patient at once', async () => {
    // Exempt, since a share of all other answers is drawn for an audit by chance.
    const adminSettings = { audit_exempt: true };
    const onCall = await newPhysician(app, { languages: ['es'], capabilities: ['on_call'], adminSettings });
    const [uuid = ''] = await queueCases(app, [{ rank: 0, accountUserId }]);
    expect(await act(doctor.token, uuid, { action: 'claim', version: 1 })).toBe(200);
    expect(await act(doctor.token, uuid, { action: 'release', reason: 'other', version: 2 })).toBe(200);
    expect(await act(onCall.token, uuid, { action: 'claim', version: 3 })).toBe(200);
    const recommended_action = 'call_emergency_services';
    const signed = await annotate(app, onCall, uuid, { recommended_action, sign: true });
    expect(signed).toMatchObject({
      httpStatus: 201,
      status: 'final',
      published_at: expect.any(String) as string,
    });
    expect(await standing(app, uuid)).toMatchObject({ status: 'closed', audit_state: 'none' });
    expect((await readAnswers(app, patient, uuid)).answers).toMatchObject([{ uuid: signed.uuid }]);
    expect((await happened(app, uuid)).filter((action) => /answered|closed|signed/.test(action))).toEqual([
      'annotation_signed',
      'case_answered',
      'case_closed',
    ]);
    await server.arrived(1);
  });

  test('rests on the case as it was read: a signature of an earlier version stores nothing', async () => {
    const uuid = await taken();
    const { version: read } = await standing(app, uuid);
    const signature = { sign: true, case_version: Number(read) };
    const changed = { httpStatus: 412, code: 'case_changed', current_version: Number(read) + 1 };
    const desk = { token: admin.access_token };
    expect((await correct(app, desk, uuid, { pool: 'general', version: Number(read) })).status).toBe(200);
    expect(await annotate(app, doctor, uuid, signature)).toMatchObject(changed);
    expect(await draftsOf(uuid)).toEqual([]);
    // Reading the case and saving a draft renew the lease, and change nothing.
    await annotate(app, doctor, uuid, { internal_note: 'as it was', case_version: changed.current_version });
    expect((await app.request(`/api/v1/backoffice/cases/${uuid}`, { token: doctor.token })).status).toBe(200);
    expect(await saveAnnotation(app, doctor, uuid, 1, signature)).toMatchObject(changed);
    expect(await draftsOf(uuid)).toEqual([{ status: 'draft', version: 1, internal_note: 'as it was' }]);
    expect(await standing(app, uuid)).toMatchObject({ status: 'in_review', final_annotation_uuid: null });
    // As it was read before the timer put it back, and the signature takes it once more.
    await endLease(app, uuid);
    const { version: waiting } = await standing(app, uuid);
    const signed = await saveAnnotation(app, doctor, uuid, 1, {
      ...signature,
      case_version: Number(waiting),
    });
    expect(signed).toMatchObject({ httpStatus: 200, status: 'final' });
  });

  test('that is sent again with its Idempotency-Key gets the first reply, and a second draft is refused', async () => {
    const uuid = await taken();
    const headers = { 'idempotency-key': randomUUID() };
    const first = await annotate(app, doctor, uuid, {}, headers);
    expect(await annotate(app, doctor, uuid, {}, headers)).toEqual({ ...first, replayed: true });
    expect(await annotate(app, doctor, uuid)).toMatchObject({ httpStatus: 409, code: 'annotation_exists' });
    expect(await draftsOf(uuid)).toHaveLength(1);
    // The key of an answer to one case answers no other.
    const other = await taken();
    expect(await annotate(app, doctor, other, {}, headers)).toMatchObject({
      httpStatus: 409,
      code: 'idempotency_key_reused',
    });
    expect(await draftsOf(other)).toEqual([]);
  });
});

describe('a signed answer', () => {
  test('is taken back by its signer until the patient can read it', async () => {
    const uuid = await taken();
    const signed = await annotate(app, doctor, uuid, { sign: true });
    const isAdmin = { token: admin.access_token };
    expect(await cancelAnnotation(app, isAdmin, uuid, signed.version)).toMatchObject({
      code: 'case_state_conflict',
      current_status: 'answered',
    });
    const draft = await cancelAnnotation(app, doctor, uuid, signed.version, { reason: 'Wrong photo.' });
    expect(draft).toMatchObject({
      httpStatus: 200,
      uuid: signed.uuid,
      status: 'draft',
      rendered_text: null,
      cancel_reason: 'Wrong photo.',
    });
    expect(await standing(app, uuid)).toMatchObject({
      status: 'in_review',
      final_annotation_uuid: null,
      publish_at: null,
    });
    await app.runTimer('publishAnswers');
    const again = await saveAnnotation(app, doctor, uuid, draft.version, { sign: true });
    expect(again).toMatchObject({ uuid: signed.uuid, status: 'final', cancel_reason: null });
    // The time is over, though the timer has not come by yet.
    await mature(uuid);
    const late = { httpStatus: 409, code: 'annotation_published' };
    expect(await cancelAnnotation(app, doctor, uuid, again.version)).toMatchObject(late);
    await app.runTimer('publishAnswers');
    expect(await cancelAnnotation(app, doctor, uuid, again.version + 1)).toMatchObject(late);
  });

  test('that was published in error is withdrawn from the patient, and its case waits for another', async () => {
    const uuid = await published();
    const [answer] = (await readAnswers(app, patient, uuid)).answers;
    const cancelled = await cancelAnnotation(app, { token: admin.access_token }, uuid, answer?.version ?? 0);
    expect(cancelled).toMatchObject({ httpStatus: 200, status: 'cancelled' });
    expect((await readAnswers(app, patient, uuid)).answers).toEqual([]);
    expect(await getCase(app, patient, uuid)).toMatchObject({
      patient_status: 'waiting',
      answer_available: false,
    });
    // It does not count among the answers of the last hour.
    expect(await answeredAt(uuid)).toBeNull();
    expect((await takeNext(app, colleague)).case?.uuid).toBe(uuid);
    expect(await annotate(app, colleague, uuid, { sign: true })).toMatchObject({ amends_uuid: null });
    // Signed, and not published yet.
    expect(await getCase(app, patient, uuid)).toMatchObject({ answer_available: false });
  });

  test('that is published is what holders of case.reopen cancel, even beside a draft they have left; until then their draft is', async () => {
    const chief = await newPhysician(app, { ...many, capabilities: ['case.reopen', 'case.audit'] });
    const left = async () => {
      const uuid = await caseInHand(app, chief, { accountUserId });
      const draft = await annotate(app, chief, uuid);
      await run(
        `UPDATE request_records SET assigned_physician_id = $2, eligibility_outcome = 'eligible' WHERE uuid = $1`,
        [uuid, doctor.id],
      );
      return { uuid, draft, signed: await annotate(app, doctor, uuid, { sign: true }) };
    };
    const unpublished = await left();
    const gone = await cancelAnnotation(app, chief, unpublished.uuid, unpublished.draft.version);
    expect(gone).toMatchObject({ httpStatus: 200, uuid: unpublished.draft.uuid, status: 'cancelled' });
    const { uuid, signed } = await left();
    await mature(uuid);
    await app.runTimer('publishAnswers');
    const [answer] = (await readAnswers(app, patient, uuid)).answers;
    const cancelled = await cancelAnnotation(app, chief, uuid, answer?.version ?? 0);
    expect(cancelled).toMatchObject({ httpStatus: 200, uuid: signed.uuid, status: 'cancelled' });
    expect(await standing(app, uuid)).toMatchObject({ status: 'queued', final_annotation_uuid: null });
  });

  test('lets none but its signer open the case again without a capability, and not once an admin has cancelled it', async () => {
    const uuid = await published();
    const change = async (token: string, body: object) => {
      const { version } = (await standing(app, uuid)) as { version: number };
      return await act(token, uuid, { ...body, version });
    };
    const reopen = { action: 'reopen', reason: 'new_information' };
    expect(await change(doctor.token, reopen)).toBe(200);
    await run(
      `UPDATE request_records SET lane_pool = 'general', lane_language = 'en', lane_until = NULL WHERE uuid = $1`,
      [uuid],
    );
    expect((await takeNext(app, colleague)).case?.uuid).toBe(uuid);
    expect(await change(admin.access_token, { action: 'cancel', reason: 'other' })).toBe(200);
    expect(await change(colleague.token, reopen)).toBe(403);
    expect(await standing(app, uuid)).toMatchObject({ status: 'cancelled' });
  });

  test('is amended by its author with a reason, and the patient reads both at once', async () => {
    const uuid = await published();
    await server.arrived(1);
    const [earlier] = (await readAnnotations(app, doctor, uuid)) ?? [];
    const version = earlier?.version ?? 0;
    const body = {
      patient_message: 'Use the cream for ten days.',
      sign: true,
      amend_reason: 'Typing error.',
    };
    expect(await saveAnnotation(app, colleague, uuid, version, body)).toMatchObject({ httpStatus: 404 });
    expect(await saveAnnotation(app, doctor, uuid, version - 1, body)).toMatchObject({ httpStatus: 412 });
    const refused = await saveAnnotation(app, doctor, uuid, version, { sign: true });
    expect(refused.errors?.map(({ pointer }) => pointer)).toEqual(['/amend_reason']);
    const { version: current } = await standing(app, uuid);
    const unread = { ...body, case_version: Number(current) - 1 };
    expect(await saveAnnotation(app, doctor, uuid, version, unread)).toMatchObject({
      httpStatus: 412,
      code: 'case_changed',
      current_version: current,
    });
    const amended = await saveAnnotation(app, doctor, uuid, version, body);
    expect(amended).toMatchObject({
      httpStatus: 200,
      status: 'final',
      version: version + 2,
      amends_uuid: earlier?.uuid,
    });
    await server.arrived(2);
    // On another device, from the amendment of before: a number that was read never becomes that of another answer.
    const again = { ...body, patient_message: 'Use the cream for a week.' };
    const newest = await saveAnnotation(app, doctor, uuid, amended.version, again);
    expect(newest).toMatchObject({ httpStatus: 200, amends_uuid: amended.uuid });
    for (const read of [version, amended.version]) {
      expect(await saveAnnotation(app, doctor, uuid, read, body)).toMatchObject({ httpStatus: 412 });
    }
    expect((await readAnswers(app, patient, uuid)).answers).toMatchObject([
      { uuid: newest.uuid, status: 'final', patient_message: again.patient_message },
      { uuid: amended.uuid, status: 'amended', patient_message: body.patient_message },
      { uuid: earlier?.uuid, status: 'amended', patient_message: wholeAnswer.patient_message },
    ]);
    expect(await standing(app, uuid)).toMatchObject({
      status: 'closed',
      final_annotation_uuid: newest.uuid,
    });
    await server.arrived(3);
    expect((await happened(app, uuid)).at(-2)).toBe('case_amended');
  });

  test('that was amended takes what it had replaced with it when it is withdrawn', async () => {
    const uuid = await published();
    const [wrong] = (await readAnswers(app, patient, uuid)).answers;
    const body = { patient_message: 'Use half of it.', sign: true, amend_reason: 'Wrong dose.' };
    const amended = await saveAnnotation(app, doctor, uuid, wrong?.version ?? 0, body);
    const readable = async () => (await readAnswers(app, patient, uuid)).answers.map((each) => each.uuid);
    expect(await readable()).toEqual([amended.uuid, wrong?.uuid]);
    const cancelled = await cancelAnnotation(app, { token: admin.access_token }, uuid, amended.version);
    expect(cancelled).toMatchObject({ httpStatus: 200, status: 'cancelled' });
    expect(await readable()).toEqual([]);
    expect((await takeNext(app, colleague)).case?.uuid).toBe(uuid);
    const next = await annotate(app, colleague, uuid, { sign: true });
    expect(await readable()).toEqual([]);
    await mature(uuid);
    await app.runTimer('publishAnswers');
    expect((await readable())[0]).toBe(next.uuid);
  });

  test('of a case that was opened again is replaced by the next one, when that is published', async () => {
    const uuid = await published();
    const { version } = (await standing(app, uuid)) as { version: number };
    const reopened = { action: 'reopen', reason: 'quality_review', version };
    expect(await act(admin.access_token, uuid, reopened)).toBe(200);
    expect((await takeNext(app, colleague)).case?.uuid).toBe(uuid);
    const answered = await answeredAt(uuid);
    const [earlier] = (await readAnswers(app, patient, uuid)).answers;
    const next = await annotate(app, colleague, uuid, { sign: true });
    expect(next).toMatchObject({ amends_uuid: earlier?.uuid });
    const readable = async () =>
      (await readAnswers(app, patient, uuid)).answers.map((each) => [each.uuid, each.status]);
    expect(await readable()).toEqual([[earlier?.uuid, 'final']]);
    expect(await getCase(app, patient, uuid)).toMatchObject({ answer_available: true });
    const draft = await cancelAnnotation(app, colleague, uuid, next.version);
    expect(await standing(app, uuid)).toMatchObject({ final_annotation_uuid: earlier?.uuid });
    expect([answered, await answeredAt(uuid)]).toEqual([expect.any(Date), answered]);
    await saveAnnotation(app, colleague, uuid, draft.version, { sign: true });
    await mature(uuid);
    await app.runTimer('publishAnswers');
    expect(await readable()).toEqual([
      [next.uuid, 'final'],
      [earlier?.uuid, 'amended'],
    ]);
  });
});

test('a disease that is no longer in use stays in old answers, drafts and amendments, and no new answer names it', async () => {
  const id = 900_100;
  await app.db.query(
    `INSERT INTO disease_catalog (id, slug, names, category, urgency)
     VALUES ($1, 'old_rash', '{"en":"Old rash"}', 'other', 'routine')`,
    [id],
  );
  await run(
    `INSERT INTO vendor_disease_catalog (tenant_id, vendor, code, names) VALUES (1, 'acme', 'OLD', '{}')`,
  );
  const [eczema] = wholeAnswer.diagnoses;
  const rash = { ...eczema, disease_id: id, code: 'old_rash', code_system: 'dermagate', text: 'Old rash' };
  const ofVendor = { ...eczema, code: 'OLD', code_system: 'vendor:acme', is_primary: false };
  const body = { diagnoses: [rash, ofVendor] };
  const answered = await taken();
  await run(`UPDATE request_records SET eligibility_outcome = 'eligible' WHERE uuid = $1`, [answered]);
  expect(await annotate(app, doctor, answered, { ...body, sign: true })).toMatchObject({ httpStatus: 201 });
  await mature(answered);
  await app.runTimer('publishAnswers');
  const [drafted, other] = [await taken(), await taken()];
  expect(await annotate(app, doctor, drafted, body)).toMatchObject({ httpStatus: 201 });
  await app.db.query(`UPDATE disease_catalog SET active = false WHERE id = $1`, [id]);
  await run(`UPDATE vendor_disease_catalog SET active = false WHERE vendor = 'acme'`);

  const refused = {
    httpStatus: 400,
    code: 'disease_unknown',
    errors: [
      { pointer: '/diagnoses/0/disease_id', code: 'disease_retired' },
      { pointer: '/diagnoses/1/code', code: 'disease_retired' },
    ],
  };
  expect(await annotate(app, doctor, other, body)).toMatchObject(refused);
  // A draft is saved with what it names, so that nothing else is lost; it cannot be signed so.
  const more = { ...body, internal_note: 'More' };
  expect(await saveAnnotation(app, doctor, drafted, 1, more)).toMatchObject({ httpStatus: 200, version: 2 });
  const named = { diagnoses: [eczema, { ...rash, is_primary: false, text: 'Another' }] };
  expect(await saveAnnotation(app, doctor, drafted, 2, named)).toMatchObject({ httpStatus: 200 });
  expect(await saveAnnotation(app, doctor, drafted, 3, { ...body, sign: true })).toMatchObject(refused);
  expect(await saveAnnotation(app, doctor, drafted, 3, {})).toMatchObject({ httpStatus: 200 });
  expect(await saveAnnotation(app, doctor, drafted, 4, named)).toMatchObject({
    httpStatus: 400,
    errors: [{ pointer: '/diagnoses/1/disease_id', code: 'disease_retired' }],
  });
  const [old] = (await readAnnotations(app, doctor, answered)) ?? [];
  expect(old).toMatchObject(body);
  const amendment = { ...body, sign: true, amend_reason: 'A typing mistake.' };
  expect(await saveAnnotation(app, doctor, answered, old?.version ?? 0, amendment)).toMatchObject({
    httpStatus: 200,
  });
});

test('a draft is saved with its template that is gone or has no text in its language, and is not signed so', async () => {
  const made = async (name: string) => {
    const json = { kind: 'diagnosis_text', scope: 'physician', name, bodies: { en: '{{ diagnosis.name }}' } };
    const reply = await app.request('/api/v1/backoffice/templates', { json, token: doctor.token });
    return ((await reply.json()) as { id: number }).id;
  };
  const [gone, other] = [await made('Gone'), await made('Other')];
  const uuid = await taken();
  await annotate(app, doctor, uuid, { template_id: gone });
  const hebrew = { template_id: gone, language: 'he', internal_note: 'Another language' };
  expect(await saveAnnotation(app, doctor, uuid, 1, hebrew)).toMatchObject({ httpStatus: 200, version: 2 });
  const refused = { httpStatus: 404, code: 'template_not_found' };
  expect(await saveAnnotation(app, doctor, uuid, 2, { ...hebrew, sign: true })).toMatchObject(refused);
  await app.request(`/api/v1/backoffice/templates/${gone}`, { method: 'DELETE', token: doctor.token });
  await app.request(`/api/v1/backoffice/templates/${other}`, { method: 'DELETE', token: doctor.token });
  const more = { template_id: gone, internal_note: 'Written since' };
  expect(await saveAnnotation(app, doctor, uuid, 2, more)).toMatchObject({ httpStatus: 200, version: 3 });
  expect(await draftsOf(uuid)).toEqual([{ status: 'draft', version: 3, internal_note: 'Written since' }]);
  expect(await saveAnnotation(app, doctor, uuid, 3, { ...more, sign: true })).toMatchObject(refused);
  expect(await saveAnnotation(app, doctor, uuid, 3, { template_id: other })).toMatchObject(refused);
  expect(await saveAnnotation(app, doctor, uuid, 3, { sign: true })).toMatchObject({ httpStatus: 200 });
});

test('an answer whose template makes no text of it is not signed: its patient would read nothing', async () => {
  const bodies = { en: '{% if severity_code == "mild" %}It is mild.{% endif %}' };
  const json = { kind: 'diagnosis_text', scope: 'physician', name: 'Mild only', bodies };
  const made = await app.request('/api/v1/backoffice/templates', { json, token: doctor.token });
  const { id } = (await made.json()) as { id: number };
  const uuid = await taken();
  await annotate(app, doctor, uuid, { template_id: id });
  const signed = { template_id: id, sign: true };
  expect(await saveAnnotation(app, doctor, uuid, 1, signed)).toMatchObject({
    httpStatus: 400,
    code: 'template_invalid',
  });
  expect(await draftsOf(uuid)).toMatchObject([{ status: 'draft', version: 1 }]);
  expect(await saveAnnotation(app, doctor, uuid, 1, { ...signed, severity: 'mild' })).toMatchObject({
    httpStatus: 200,
    rendered_text: 'It is mild.',
  });
});

test('what physicians write is nowhere but where it belongs', async () => {
  const marks = { text: 'Xanthelasmoid-9317', note: 'note-4471-of-Ziva', message: 'message-8812-for-Ziva' };
  const uuid = await taken();
  const [diagnosis] = wholeAnswer.diagnoses;
  const body = {
    diagnoses: [{ ...diagnosis, text: marks.text }],
    internal_note: marks.note,
    patient_message: marks.message,
  };
  await annotate(app, doctor, uuid, { ...body, sign: true });
  await mature(uuid);
  await app.runTimer('publishAnswers');
  // Of an answer that is amended already only the amendment is announced.
  await server.arrived(1);
  const [answer] = (await readAnnotations(app, doctor, uuid)) ?? [];
  await saveAnnotation(app, doctor, uuid, answer?.version ?? 0, {
    ...body,
    sign: true,
    amend_reason: marks.note,
  });
  await server.arrived(2);
  const { text } = await readAnswers(app, patient, uuid);
  expect(text).toContain(marks.text);
  expect(text).toContain(marks.message);
  expect(text).not.toContain(marks.note);
  const rows = await run(
    `SELECT to_jsonb(e)::text AS row FROM event_logs e UNION ALL SELECT to_jsonb(o)::text FROM outbox_messages o
     UNION ALL SELECT to_jsonb(n)::text FROM user_notices n UNION ALL SELECT to_jsonb(k)::text FROM idempotency_keys k
     UNION ALL SELECT to_jsonb(r)::text FROM request_records r`,
  );
  const elsewhere = [
    ...app.output,
    ...rows.map(({ row }) => String(row)),
    ...server.mails.map(({ raw, text: plain, html }) => raw + plain + html),
    JSON.stringify(await getCase(app, patient, uuid)),
  ];
  for (const mark of Object.values(marks)) {
    expect(elsewhere.filter((line) => line.includes(mark))).toEqual([]);
  }
});
