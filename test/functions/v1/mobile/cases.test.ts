import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { places, patientStatusOf, standingAt } from '../../../../src/domain/cases/record/case-status.ts';
import { patientActions } from '../../../../src/domain/cases/record/patient-actions.ts';
import { createTenant, register, tenantRows } from '../../../support/accounts.ts';
import { testApp } from '../../../support/app.ts';
import { actOnCase, caseAnswers, createCase, getCase, updateCase } from '../../../support/cases.ts';
import { skinPhoto } from '../../../support/images.ts';
import { storePhoto } from '../../../support/stored-images.ts';

// A case from its patient's side: drafted, changed, read, cancelled. What happens after its submission is in test/domain/cases.

const app = await testApp();
await createTenant(app, 'elsewhere');
const [owner, other, physician, stranger, foreignPhysician] = await Promise.all([
  register(app),
  register(app),
  register(app, { role: 'physician' }),
  register(app, { tenant: 'elsewhere' }),
  register(app, { role: 'physician', tenant: 'elsewhere' }),
]);
const token = owner.access_token;
const photo = await storePhoto(app, token, await skinPhoto({ width: 300, height: 200, format: 'jpeg' }));
const foreignPhoto = await storePhoto(
  app,
  other.access_token,
  await skinPhoto({ width: 200, height: 300, format: 'jpeg' }),
);
const fresh = async () => (await register(app)).access_token;
const eventsOf = (uuid: string) =>
  tenantRows<{ action: string; detail: object }>(
    app,
    'SELECT action, detail FROM event_logs WHERE case_uuid = $1 ORDER BY at, id',
    [uuid],
  );

describe('creating a case', () => {
  test('makes a draft of the own profile, with answers, photos and an event of ids and codes', async () => {
    const made = await createCase(app, token, { images: [{ name: photo.uuid, kind: 'close_up' }] });
    expect(made).toMatchObject({
      status: 201,
      etag: '"1"',
      version: 1,
      patient_status: 'draft',
      allowed_actions: ['update', 'submit', 'cancel'],
      advice: null,
      images: [{ uuid: photo.uuid, kind: 'close_up', quality: null }],
      submitted_at: null,
    });
    expect(made.anamnesis).toMatchObject({ ...caseAnswers, images: [{ url: photo.url, kind: 'close_up' }] });
    const events = await eventsOf(made.uuid);
    expect(events).toEqual([{ action: 'case_created', detail: { to: 'draft', version: 1 } }]);
    expect(await getCase(app, token, made.uuid)).toEqual({ ...made, status: 200 });
  });

  test('a retry of a create that found the case by its client_case_id has the status of the first', async () => {
    const me = await fresh();
    const body = { client_case_id: 'ios-known' };
    const key = (name: string) => ({ headers: { 'idempotency-key': `create-known-${name}` } });
    expect(await createCase(app, me, body, key('1'))).toMatchObject({ status: 201, replayed: false });
    expect(await createCase(app, me, body, key('1'))).toMatchObject({ status: 201, replayed: true });
    expect(await createCase(app, me, body, key('2'))).toMatchObject({ status: 200, replayed: false });
    expect(await createCase(app, me, body, key('2'))).toMatchObject({ status: 200, replayed: true });
  });

  test('twenty at once with one client_case_id make one case', async () => {
    const me = await fresh();
    const body = { client_case_id: 'ios-7731' };
    const made = await Promise.all(Array.from({ length: 20 }, () => createCase(app, me, body)));
    const answered = made.filter(({ status }) => status !== 503);
    expect(answered.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(new Set(answered.map(({ uuid }) => uuid)).size).toBe(1);
    const again = await createCase(app, me, body);
    expect(again).toMatchObject({ status: 200, uuid: answered[0]?.uuid });
    const different = await createCase(app, me, { ...body, language: 'es' });
    expect(different).toMatchObject({ status: 409, code: 'client_case_id_reused' });
    // Another account has ids of its own.
    expect((await createCase(app, await fresh(), body)).status).toBe(201);
  });

  test('an Idempotency-Key gives a retry the same reply', async () => {
    const options = { headers: { 'idempotency-key': randomUUID() } };
    const first = await createCase(app, token, {}, options);
    const second = await createCase(app, token, {}, options);
    expect(second).toEqual({ ...first, replayed: true });
    const changed = await createCase(app, token, { language: 'ar' }, options);
    expect(changed).toMatchObject({ status: 409, code: 'idempotency_key_reused' });
  });

  test('the twenty-first open draft is refused, and one that ends makes room', async () => {
    const me = await fresh();
    const made = await Promise.all(Array.from({ length: 4 }, () => createCase(app, me)));
    for (let count = made.length; count < 20; count += 1) await createCase(app, me);
    expect(await createCase(app, me)).toMatchObject({ status: 409, code: 'draft_limit' });
    await actOnCase(app, me, made[0]?.uuid ?? '', { action: 'cancel' });
    expect((await createCase(app, me)).status).toBe(201);
  });

  test('cases of one batch share it', async () => {
    const batch = { client_batch_id: 'visit-1', expected_size: 2 };
    const [first, second] = [
      await createCase(app, token, { batch }),
      await createCase(app, token, { batch }),
    ];
    expect(first).toMatchObject({ batch_uuid: expect.any(String) as string });
    expect((second as unknown as { batch_uuid: string }).batch_uuid).toBe(
      (first as unknown as { batch_uuid: string }).batch_uuid,
    );
    expect(await createCase(app, token, { batch: { uuid: randomUUID() } })).toMatchObject({
      status: 400,
      errors: [{ pointer: '/batch/uuid' }],
    });
    // Of another account: its uuid is as unknown, and its own id names another batch.
    const { batch_uuid: uuid } = first as unknown as { batch_uuid: string };
    const me = await fresh();
    expect(await createCase(app, me, { batch: { uuid } })).toMatchObject({
      status: 400,
      errors: [{ pointer: '/batch/uuid' }],
    });
    const mine = await createCase(app, me, { batch });
    expect(mine.status).toBe(201);
    expect((mine as unknown as { batch_uuid: string }).batch_uuid).not.toBe(uuid);
  });

  test('what is wrong is named, and nothing is stored', async () => {
    const me = await fresh();
    const wrong: [body: object, status: number, code: string, pointers?: string[]][] = [
      [{ anamnesis: { mole: 1 } }, 422, 'anamnesis_invalid', ['/anamnesis/mole']],
      [
        { anamnesis: { ...caseAnswers, reporter: 'parent_guardian' } },
        422,
        'anamnesis_invalid',
        ['/anamnesis/reporter'],
      ],
      [
        { anamnesis: { ...caseAnswers, images: [{ url: photo.url }] } },
        422,
        'anamnesis_invalid',
        ['/anamnesis/images'],
      ],
      [{ anamnesis: [] }, 400, 'validation_error', ['/anamnesis']],
      [{ language: 'fr' }, 400, 'validation_error', ['/language']],
      [{ images: [{ name: foreignPhoto.uuid }] }, 404, 'image_not_found'],
      [{ images: [{ name: randomUUID() }] }, 404, 'image_not_found'],
      [{ images: [{ name: '../photo.jpg' }] }, 404, 'image_not_found'],
      [{ patient_uuid: randomUUID() }, 404, 'patient_not_found'],
      [{ consent: { version: '0', accepted: true } }, 409, 'consent_outdated'],
    ];
    for (const [body, status, code, pointers] of wrong) {
      const refused = await createCase(app, me, body);
      expect([body, refused.status, refused.code]).toEqual([body, status, code]);
      if (pointers !== undefined) expect(refused.errors?.map(({ pointer }) => pointer)).toEqual(pointers);
    }
    const strange = await app.request('/api/v1/mobile/cases/create', {
      body: '{"anamnesis": {}, "__proto__": {"submit": true}}',
      headers: { 'content-type': 'application/json' },
      method: 'POST',
      token: me,
    });
    expect(strange.status).toBe(400);
    const list = await app.request('/api/v1/mobile/cases', { token: me });
    expect(await list.json()).toMatchObject({ items: [] });
  });

  test('a body over 96 KiB is 413, and so are answers over 64 KiB', async () => {
    const complaint = (length: number) => ({ complaint: { description: 'x'.repeat(length) } });
    expect((await createCase(app, token, { anamnesis: complaint(97 * 1024) })).status).toBe(413);
    expect((await createCase(app, token, { anamnesis: complaint(70 * 1024) })).status).toBe(413);
  });

  test('the age comes from the birth date of the profile, and may not differ from it by more than a year', async () => {
    const me = await fresh();
    await tenantRows(
      app,
      `UPDATE patients SET birth_date = now() - interval '6 years 2 months' WHERE account_user_id =
         (SELECT id FROM users WHERE uuid = (SELECT sub::uuid FROM (SELECT $1::text AS sub) AS s))`,
      [JSON.parse(Buffer.from(me.split('.')[1] ?? '', 'base64url').toString()).sub],
    );
    const { ageYears: _age, ...rest } = caseAnswers['patient'] as { ageYears: number };
    const without = await createCase(app, me, { anamnesis: { ...caseAnswers, patient: rest } });
    expect(without.anamnesis).toMatchObject({ patient: { ageYears: 6 } });
    const refused = await createCase(app, me, {
      anamnesis: { ...caseAnswers, patient: { ...rest, ageYears: 8 } },
    });
    expect(refused).toMatchObject({ status: 422, code: 'age_mismatch' });
  });
});

describe('changing a case', () => {
  test('stores the answers as a new revision and keeps the earlier ones', async () => {
    const made = await createCase(app, token);
    const changed = {
      ...caseAnswers,
      complaint: { ...(caseAnswers['complaint'] as object), description: 'new words' },
    };
    const updated = await updateCase(
      app,
      token,
      { uuid: made.uuid, anamnesis: changed, images: [{ name: photo.uuid }] },
      { headers: { 'if-match': made.etag ?? '' } },
    );
    expect(updated).toMatchObject({ status: 200, version: 2, etag: '"2"', images: [{ uuid: photo.uuid }] });
    const revisions = await tenantRows<{ said: string | null }>(
      app,
      `SELECT anamnesis -> 'complaint' ->> 'description' AS said FROM request_anamneses WHERE case_uuid = $1 ORDER BY revision`,
      [made.uuid],
    );
    expect(revisions).toHaveLength(2);
    expect(revisions[1]?.said).toBe('new words');
    // All photos are named anew: one that is not is taken off.
    const bare = await updateCase(app, token, { uuid: made.uuid, version: 2, images: [] });
    expect(bare.images).toEqual([]);
    expect((await eventsOf(made.uuid)).map(({ action }) => action)).toEqual([
      'case_created',
      'case_updated',
      'case_updated',
    ]);
  });

  test('two devices at once: one gets 412, and nothing is overwritten', async () => {
    const made = await createCase(app, token);
    const write = (description: string) =>
      updateCase(app, token, {
        uuid: made.uuid,
        version: 1,
        anamnesis: { ...caseAnswers, complaint: { ...(caseAnswers['complaint'] as object), description } },
      });
    const both = await Promise.all([write('phone'), write('tablet')]);
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 412]));
    expect(both.find(({ status }) => status === 412)).toMatchObject({
      code: 'version_conflict',
      current_version: 2,
    });
    const winner = both.find(({ status }) => status === 200);
    expect((await getCase(app, token, made.uuid)).anamnesis).toEqual(winner?.anamnesis);
  });

  test('about another profile: reporter and age that the gateway filled in follow it, those of the client must fit', async () => {
    const me = await fresh();
    const profile = async (body: object) => {
      const json = { gender: 'female', guardian_confirmed: true, ...body };
      const reply = await app.request('/api/v1/mobile/users/offsprings', { token: me, json });
      return ((await reply.json()) as { profile: { uuid: string } }).profile.uuid;
    };
    const child = await profile({ relation: 'child', birth_date: '2020-03-01' });
    const { reporter: _reporter, patient: _patient, ...others } = caseAnswers;
    const { uuid } = await createCase(app, me, { anamnesis: others });
    const move = async (patientUuid: string, more = {}) => {
      const { version } = await getCase(app, me, uuid);
      return await updateCase(app, me, { uuid, version, patient_uuid: patientUuid, ...more });
    };
    const ofChild = await move(child);
    expect(ofChild).toMatchObject({ status: 200, anamnesis: { reporter: 'parent_guardian' } });
    expect(ofChild.anamnesis).toMatchObject({ patient: { ageYears: expect.any(Number) as number } });
    const other = await profile({ relation: 'other', birth_date: '2021-03-01' });
    await tenantRows(app, 'UPDATE patients SET birth_date = NULL WHERE uuid = $1', [other]);
    const undated = await move(other);
    expect(undated).toMatchObject({ status: 200, anamnesis: { reporter: 'caregiver', patient: {} } });
    expect(undated.anamnesis).not.toHaveProperty('patient.ageYears');
    const adult = { anamnesis: { ...others, patient: { ageYears: 34 } } };
    expect(await move(child, adult)).toMatchObject({ status: 422, code: 'age_mismatch' });
    const myself = { anamnesis: { ...others, reporter: 'self' } };
    expect(await move(child, myself)).toMatchObject({
      status: 422,
      errors: [{ pointer: '/anamnesis/reporter' }],
    });
  });

  test('without a version it is 428, and with two that differ 400', async () => {
    const { uuid } = await createCase(app, token);
    expect(await updateCase(app, token, { uuid })).toMatchObject({ status: 428, code: 'version_required' });
    const options = { headers: { 'if-match': '"1"' } };
    expect((await updateCase(app, token, { uuid, version: 2 }, options)).status).toBe(400);
  });
});

describe('walls', () => {
  test('another account, another tenant, staff, a malformed and an unknown id: one and the same 404', async () => {
    const made = await createCase(app, token);
    const bodies = new Set<string>();
    for (const [caller, uuid] of [
      [other, made.uuid],
      [physician, made.uuid],
      [stranger, made.uuid],
      [foreignPhysician, made.uuid],
      [owner, randomUUID()],
      [owner, 'malformed'],
      [owner, '..%2f'],
    ] as const) {
      const as = { token: caller.access_token };
      const replies = [
        await app.request(`/api/v1/mobile/cases/${uuid}`, as),
        await app.request(`/api/v1/mobile/cases/${uuid}/annotations`, as),
        await app.request(`/api/v1/mobile/cases/${uuid}/status`, { ...as, json: { action: 'cancel' } }),
        await app.request('/api/v1/mobile/cases/update', { ...as, json: { uuid, version: 1 } }),
      ];
      for (const reply of replies) {
        expect([uuid, reply.url, reply.status]).toEqual([uuid, reply.url, 404]);
        const { requestId: _id, ...body } = (await reply.json()) as { requestId: string };
        bodies.add(JSON.stringify(body));
      }
    }
    expect([...bodies]).toHaveLength(1);
    expect((await getCase(app, token, made.uuid)).patient_status).toBe('draft');
  });
});

describe('what a patient does with a case', () => {
  const actions = ['submit', 'cancel', 'reply', 'acknowledge'] as const;

  async function caseAt(place: (typeof places)[number], me: string): Promise<string> {
    const { uuid } = await createCase(app, me);
    const { status, pendingStatus } = standingAt(place);
    await tenantRows(
      app,
      `UPDATE request_records SET status = $2, pending_status = $3, submitted_at = CASE WHEN $2 <> 'draft' THEN now() END,
         assigned_physician_id = (SELECT id FROM physicians LIMIT 1), lease_expires_at = now(), lane_pool = 'general',
         lane_language = 'en', triage_rank = 2, due_at = now(), queued_at = now() WHERE uuid = $1`,
      [uuid, status, pendingStatus],
    );
    return uuid;
  }

  test.each(places)('%s: every action that is no edge is 409, with what is possible', async (place) => {
    const me = await fresh();
    const { status, pendingStatus } = standingAt(place);
    const unanswered = { closed_at: null, reopened_by_patient_at: null };
    const record = {
      status,
      pending_status: pendingStatus,
      analysis_state: 'none' as const,
      eligibility_outcome: null,
      eligibility_reasons: [],
      queued_at: new Date(),
      ...unanswered,
    };
    const allowed = patientActions(record, new Date());
    for (const action of actions) {
      const isReply = place === 'on_hold/awaiting_patient' && action === 'submit';
      if (allowed.includes(action) || isReply) continue;
      const uuid = await caseAt(place, me);
      const refused = await actOnCase(app, me, uuid, { action });
      expect([place, action, refused.status, refused.code]).toEqual([
        place,
        action,
        409,
        'case_state_conflict',
      ]);
      expect(refused).toMatchObject({ current_status: patientStatusOf(record), allowed_actions: allowed });
    }
    if (allowed.includes('update')) return;
    const uuid = await caseAt(place, me);
    const refused = await updateCase(app, me, { uuid, version: 1 });
    expect(refused).toMatchObject({ status: 409, current_status: patientStatusOf(record) });
  });

  test('cancelling ends a case once; one with an urgent flag repeats the advice and leaves an event', async () => {
    const { uuid } = await createCase(app, token);
    await tenantRows(
      app,
      `UPDATE request_records SET urgency = 'emergency', red_flags = $2, has_red_flags = true WHERE uuid = $1`,
      // An AI service may send anything as a flag.
      [uuid, ['anaphylaxis', 'Noa has swollen lips']],
    );
    const cancelled = await actOnCase(app, token, uuid, { action: 'cancel', reason: 'feeling better' });
    expect(cancelled).toMatchObject({
      status: 200,
      patient_status: 'cancelled',
      allowed_actions: [],
      advice: { urgency: 'emergency', recommendedAction: 'call_emergency_services' },
    });
    const events = await eventsOf(uuid);
    expect(events.map(({ action }) => action)).toEqual([
      'case_created',
      'case_cancelled',
      'case_cancelled_with_red_flag',
    ]);
    expect(events.at(-1)?.detail).toEqual({ urgency: 'emergency', flags: ['anaphylaxis'] });
    expect(JSON.stringify(events)).not.toMatch(/feeling better|Noa|swollen/);
    expect((await actOnCase(app, token, uuid, { action: 'cancel' })).status).toBe(409);
  });

  test('an Idempotency-Key gives a retry of an action its reply, and refuses the same action on another case', async () => {
    const me = await fresh();
    const [one, other] = [await createCase(app, me), await createCase(app, me)];
    const options = { headers: { 'idempotency-key': randomUUID() } };
    const cancel = (uuid: string) => actOnCase(app, me, uuid, { action: 'cancel' }, options);
    const first = await cancel(one.uuid);
    expect(first).toMatchObject({ status: 200, patient_status: 'cancelled', replayed: false });
    expect(await cancel(one.uuid)).toEqual({ ...first, replayed: true });
    expect(await cancel(other.uuid)).toMatchObject({ status: 409, code: 'idempotency_key_reused' });
    expect(await getCase(app, me, other.uuid)).toMatchObject({ patient_status: 'draft' });
  });

  test('an answer takes one reply, which must ask something, within 14 days: its physician gets the case again', async () => {
    const me = await fresh();
    const uuid = await caseAt('closed', me);
    const setClosed = (days: number) =>
      tenantRows(
        app,
        `UPDATE request_records SET status = 'closed', analysis_state = 'done', eligibility_outcome = 'eligible',
           eligibility_reasons = '{quota_exceeded,retake_photos,physician_asked,emergency_override}',
           closed_at = now() - make_interval(days => $2), read_at = now() WHERE uuid = $1`,
        [uuid, days],
      );
    const reply = { action: 'reply', message: 'Must I avoid the sun?' };
    await setClosed(15);
    expect((await getCase(app, me, uuid)).allowed_actions).toEqual(['acknowledge']);
    expect(await actOnCase(app, me, uuid, reply)).toMatchObject({ status: 409, code: 'case_state_conflict' });
    await setClosed(13);
    expect((await getCase(app, me, uuid)).allowed_actions).toEqual(['reply', 'acknowledge']);
    const mute = await actOnCase(app, me, uuid, { action: 'reply' });
    expect(mute).toMatchObject({ status: 422, code: 'message_required' });
    const again = await actOnCase(app, me, uuid, reply);
    expect(again).toMatchObject({
      status: 200,
      patient_status: 'waiting',
      // What was asked for before the answer is asked for no more.
      allowed_actions: ['cancel'],
      messages: [{ direction: 'from_patient', text: reply.message }],
      // It asks about that answer: there is no new one.
      answer_read_at: expect.any(String) as string,
    });
    const [lane] = await tenantRows(
      app,
      `SELECT lane_pool = 'physician:' || assigned_physician_id AS reserved, lane_language, status_reason,
         due_at > now() AS due FROM request_records WHERE uuid = $1`,
      [uuid],
    );
    const reserved = { reserved: true, lane_language: 'any', status_reason: 'patient_question', due: true };
    expect(lane).toEqual(reserved);
    expect((await eventsOf(uuid)).at(-1)).toMatchObject({ action: 'case_reopened' });
    await setClosed(1);
    expect((await getCase(app, me, uuid)).allowed_actions).toEqual(['acknowledge']);
    expect(await actOnCase(app, me, uuid, reply)).toMatchObject({ status: 409, code: 'case_state_conflict' });
  });

  test('a reply to a physician goes back to that physician, and the time on hold does not count', async () => {
    const me = await fresh();
    const uuid = await caseAt('on_hold/awaiting_patient', me);
    await tenantRows(
      app,
      `UPDATE request_records SET status_changed_at = now() - interval '3 hours' WHERE uuid = $1`,
      [uuid],
    );
    await tenantRows(
      app,
      `INSERT INTO case_messages (uuid, tenant_id, case_uuid, direction, codes, language)
       VALUES (gen_random_uuid(), 1, $1, 'to_patient', '{retake_photos:blurry}', 'en')`,
      [uuid],
    );
    expect((await getCase(app, me, uuid)).messages).toMatchObject([{ read_at: null }]);
    expect((await getCase(app, me, uuid)).messages).toMatchObject([
      { read_at: expect.any(String) as string },
    ]);
    const replied = await actOnCase(app, me, uuid, { action: 'submit', message: 'Here is a sharper one.' });
    expect(replied).toMatchObject({ status: 200, patient_status: 'waiting' });
    expect(replied.messages).toMatchObject([{ direction: 'to_patient' }, { text: 'Here is a sharper one.' }]);
    const [row] = await tenantRows<{ lane_pool: string; later: boolean }>(
      app,
      `SELECT lane_pool, due_at > now() + interval '2 hours' AS later FROM request_records WHERE uuid = $1`,
      [uuid],
    );
    expect(row).toEqual({ lane_pool: expect.stringMatching(/^physician:\d+$/) as string, later: true });
  });

  test('a reply to a physician with a new danger: advice at once, anybody’s case, due within the hour', async () => {
    const me = await fresh();
    const uuid = await caseAt('on_hold/awaiting_patient', me);
    const { version } = await getCase(app, me, uuid);
    const anamnesis = { ...caseAnswers, symptoms: { emergency: ['difficulty_breathing'] } };
    const replied = await updateCase(app, me, { uuid, version, anamnesis, submit: true });
    expect(replied).toMatchObject({
      status: 200,
      patient_status: 'waiting',
      advice: { urgency: 'emergency', recommendedAction: 'call_emergency_services' },
    });
    const [row] = await tenantRows(
      app,
      `SELECT lane_pool, triage_level, triage_rank, due_at <= queued_at + interval '1 hour' AS soon,
         (SELECT count(*)::integer FROM event_logs e WHERE e.case_uuid = c.uuid AND e.action = 'case_emergency') AS events
       FROM request_records c WHERE uuid = $1`,
      [uuid],
    );
    expect(row).toEqual({
      lane_pool: 'general',
      triage_level: 'emergency',
      triage_rank: 0,
      soon: true,
      events: 1,
    });
  });

  test('an answer is acknowledged, and again without a new version of the case', async () => {
    const me = await fresh();
    const uuid = await caseAt('closed', me);
    const first = await actOnCase(app, me, uuid, { action: 'acknowledge' });
    expect(first.status).toBe(200);
    expect(await actOnCase(app, me, uuid, { action: 'acknowledge' })).toEqual(first);
    const events = (await eventsOf(uuid)).filter(({ action }) => action === 'case_acknowledged');
    expect(events).toHaveLength(1);
    const rows = await tenantRows(
      app,
      'SELECT FROM request_records WHERE uuid = $1 AND read_at IS NOT NULL',
      [uuid],
    );
    expect(rows).toHaveLength(1);
  });

  test('an action takes only what it uses: words that no physician would read are refused', async () => {
    const me = await fresh();
    const uuid = await caseAt('closed', me);
    const message = 'I cannot breathe since I took the cream';
    const consent = { version: '1', accepted: true };
    for (const [action, unused] of [
      ['acknowledge', { message }],
      ['acknowledge', { reason: 'read' }],
      ['acknowledge', { consent }],
      ['cancel', { message }],
      ['cancel', { consent }],
      ['reply', { reason: message }],
      ['submit', { reason: message }],
    ] as const) {
      expect(await actOnCase(app, me, uuid, { action, ...unused })).toMatchObject({
        status: 400,
        code: 'validation_error',
        errors: [{ pointer: `/${Object.keys(unused)[0]}` }],
      });
    }
    expect((await getCase(app, me, uuid)).messages).toEqual([]);
  });

  describe('a question of a physician takes one reply, and nothing is none', () => {
    async function askedCase(me: string) {
      const uuid = await caseAt('on_hold/awaiting_patient', me);
      await tenantRows(
        app,
        `INSERT INTO case_messages (uuid, tenant_id, case_uuid, direction, text, language)
         VALUES (gen_random_uuid(), 1, $1, 'to_patient', 'Since when?', 'en')`,
        [uuid],
      );
      return uuid;
    }
    const change = async (me: string, uuid: string, input: object) => {
      const { version } = await getCase(app, me, uuid);
      return await updateCase(app, me, { uuid, version, ...input });
    };
    const missing = { status: 422, code: 'message_required' };
    const taken = { status: 200, patient_status: 'waiting' };

    test('an empty one leaves the question open', async () => {
      const me = await fresh();
      const uuid = await askedCase(me);
      expect(await actOnCase(app, me, uuid, { action: 'reply' })).toMatchObject(missing);
      expect(await actOnCase(app, me, uuid, { action: 'submit' })).toMatchObject(missing);
      expect(await change(me, uuid, { submit: true })).toMatchObject(missing);
      const { anamnesis } = await getCase(app, me, uuid);
      const { images: _photos, ...same } = anamnesis as Record<string, unknown>;
      expect(await change(me, uuid, { anamnesis: same, submit: true })).toMatchObject(missing);
      const reply = { action: 'reply', message: 'Three days' };
      expect(await actOnCase(app, me, uuid, reply)).toMatchObject(taken);
    });

    test('words, a photo or changed answers that came before it are enough', async () => {
      const me = await fresh();
      const own = await storePhoto(app, me, await skinPhoto({ width: 301, height: 200, format: 'jpeg' }));
      for (const addition of [
        { message: 'Three days' },
        { images: [{ name: own.uuid }] },
        {
          anamnesis: {
            ...caseAnswers,
            symptoms: { ...(caseAnswers['symptoms'] as object), itchSeverity: 3 },
          },
        },
      ]) {
        const uuid = await askedCase(me);
        expect(await change(me, uuid, addition)).toMatchObject({ status: 200 });
        expect(await actOnCase(app, me, uuid, { action: 'reply' })).toMatchObject(taken);
      }
    });

    test('an edit removes no required answer and not every photo that physicians have read, unless it brings a danger', async () => {
      const me = await fresh();
      const own = await storePhoto(app, me, await skinPhoto({ width: 302, height: 200, format: 'jpeg' }));
      const asked = async () => {
        const uuid = await askedCase(me);
        expect(await change(me, uuid, { images: [{ name: own.uuid }] })).toMatchObject({ status: 200 });
        return uuid;
      };
      const uuid = await asked();
      const { complaint: _complaint, ...shorter } = caseAnswers;
      expect(await change(me, uuid, { anamnesis: shorter, images: [], message: 'Here' })).toMatchObject({
        status: 422,
        code: 'case_incomplete',
        errors: [{ pointer: '/anamnesis/complaint' }, { pointer: '/images' }],
      });
      expect(await change(me, uuid, { images: [], submit: true, message: 'Here' })).toMatchObject({
        status: 422,
        errors: [{ pointer: '/images', code: 'required' }],
      });
      expect(await getCase(app, me, uuid)).toMatchObject({
        anamnesis: { complaint: caseAnswers['complaint'] },
        images: [{ uuid: own.uuid }],
        messages: [{ text: 'Since when?' }],
      });
      const danger = { symptoms: { emergency: ['difficulty_breathing'] } };
      expect(await change(me, await asked(), { anamnesis: danger })).toMatchObject({
        status: 200,
        patient_status: 'waiting',
        advice: { urgency: 'emergency' },
      });
    });

    test('also of one that is in the queue again without it', async () => {
      const me = await fresh();
      const uuid = await askedCase(me);
      await tenantRows(
        app,
        `UPDATE request_records SET status = 'queued', pending_status = NULL,
           eligibility_reasons = '{physician_asked}' WHERE uuid = $1`,
        [uuid],
      );
      expect(await change(me, uuid, { submit: true })).toMatchObject(missing);
      expect((await getCase(app, me, uuid)).allowed_actions).toContain('update');
      expect(await change(me, uuid, { submit: true, message: 'Three days' })).toMatchObject(taken);
      expect((await getCase(app, me, uuid)).allowed_actions).not.toContain('update');
    });
  });
});

describe('the list', () => {
  interface Page {
    items: { uuid: string }[];
    next_cursor: string | null;
    code?: string;
  }
  const list = async (me: string, query = '') =>
    (await (await app.request(`/api/v1/mobile/cases${query}`, { token: me })).json()) as Page;

  test('has the own cases, the newest first, page by page, unmoved by what arrives meanwhile', async () => {
    const me = await fresh();
    const made: string[] = [];
    for (let count = 0; count < 5; count += 1) made.unshift((await createCase(app, me)).uuid);
    const first = await list(me, '?limit=2');
    await createCase(app, me);
    const second = await list(me, `?limit=2&cursor=${first.next_cursor}`);
    const third = await list(me, `?limit=2&cursor=${second.next_cursor}`);
    expect([first, second, third].flatMap(({ items }) => items.map(({ uuid }) => uuid))).toEqual(made);
    expect(third.next_cursor).toBeNull();
  });

  test('takes no cursor of another account or another filter', async () => {
    const me = await fresh();
    for (let count = 0; count < 2; count += 1) await createCase(app, me);
    const { next_cursor: cursor } = await list(me, '?limit=1');
    expect((await list(await fresh(), `?limit=1&cursor=${cursor}`)).code).toBe('cursor_invalid');
    expect((await list(me, `?limit=1&cursor=${cursor}&patient_uuid=${randomUUID()}`)).code).toBe(
      'cursor_invalid',
    );
    expect((await list(me, '?cursor=abc')).code).toBe('cursor_invalid');
  });

  test('has no answers yet', async () => {
    const { uuid } = await createCase(app, token);
    const reply = await app.request(`/api/v1/mobile/cases/${uuid}/annotations`, { token });
    expect(await reply.json()).toEqual({ case_uuid: uuid, annotations: [] });
  });
});
