import { describe, expect, test } from 'vitest';
import { register, tenantRows } from '../../../../support/accounts.ts';
import { testApp } from '../../../../support/app.ts';
import { createCase, getCase } from '../../../../support/cases.ts';
import { correct, handle } from '../../../../support/case-work.ts';
import { endLease, happened, newPhysician, queueCases, rowOf } from '../../../../support/queue-stage.ts';

// What staff correct in a case: answers, patient, urgency, lane.

const app = await testApp();
const [me, lowering, patient, adminAccount] = await Promise.all([
  newPhysician(app, { adminSettings: { max_open_cases: 20 } }),
  newPhysician(app, { adminSettings: { max_open_cases: 20 }, capabilities: ['triage.lower'] }),
  register(app),
  register(app, { role: 'admin' }),
]);
const admin = { token: adminAccount.access_token };
const run = (text: string, values: unknown[] = []) => tenantRows(app, text, values);
const hour = 3_600_000;

async function submitted(columns = ''): Promise<string> {
  const { uuid } = await createCase(app, patient.access_token);
  await run(
    `UPDATE request_records SET status = 'queued', version = 1, submitted_at = now(), queued_at = now(),
       due_at = now() + interval '120 hours', triage_level = 'routine', triage_rank = 2, lane_pool = 'general',
       lane_language = 'en' ${columns} WHERE uuid = $1`,
    [uuid],
  );
  return uuid;
}

async function inHand(who = me, columns = ''): Promise<string> {
  const uuid = await submitted(columns);
  expect((await handle(app, who, uuid, { action: 'claim', version: 1 })).version).toBe(2);
  return uuid;
}

const reason = { correction_reason: 'said on the phone' };
const profile = async (body: object) => {
  const token = patient.access_token;
  const json = { gender: 'female', relation: 'child', guardian_confirmed: true, ...body };
  const reply = await app.request('/api/v1/mobile/users/offsprings', { token, json });
  return ((await reply.json()) as { profile: { uuid: string } }).profile.uuid;
};

describe('answers', () => {
  test('a merge patch makes a new revision by staff, checked as a whole; the first one stays', async () => {
    const uuid = await inHand();
    const patch = { lesion: { size: null, sizeMm: 60 }, medications: null, locations: [{ primary: 'leg' }] };
    const corrected = await correct(app, me, uuid, { anamnesis_patch: patch, ...reason, version: 2 });
    expect(corrected).toMatchObject({ status: 200, etag: '"3"', anamnesis_revision: 2 });
    expect(corrected.anamnesis).toMatchObject({ lesion: { sizeMm: 60 }, locations: [{ primary: 'leg' }] });
    expect(corrected.anamnesis).not.toHaveProperty('medications');
    expect(corrected.anamnesis['lesion']).not.toHaveProperty('size');
    const revisions = await run(
      `SELECT revision, author_kind, correction_reason, anamnesis ? 'medications' AS complete FROM request_anamneses
       WHERE case_uuid = $1 ORDER BY revision`,
      [uuid],
    );
    expect(revisions).toEqual([
      { revision: 1, author_kind: 'patient', correction_reason: null, complete: true },
      { revision: 2, author_kind: 'staff', correction_reason: reason.correction_reason, complete: false },
    ]);
    const { anamnesis } = await getCase(app, patient.access_token, uuid);
    expect(anamnesis).not.toHaveProperty('medications');
    expect((await happened(app, uuid)).at(-1)).toBe('case_record_updated');
  });

  test('what does not fit, contradicts or is required is refused with its pointer, and nothing is stored', async () => {
    const uuid = await inHand();
    for (const [patch, pointer] of [
      [{ complaint: { category: null } }, '/anamnesis/complaint/category'],
      [{ complaint: null }, '/anamnesis/complaint'],
      [{ symptoms: { emergency: ['none', 'confusion'] } }, '/anamnesis/symptoms/emergency'],
      [{ hairColor: 'red' }, '/anamnesis/hairColor'],
      [{ reporter: 'parent_guardian' }, '/anamnesis/reporter'],
      [JSON.parse('{"__proto__": {"isAdmin": true}}') as object, '/anamnesis/__proto__'],
    ] as const) {
      const answer = await correct(app, me, uuid, { anamnesis_patch: patch, ...reason, version: 2 });
      expect([patch, answer.status, answer.errors?.map((error) => error.pointer)]).toEqual([
        patch,
        422,
        [pointer],
      ]);
      expect(await rowOf(app, uuid)).toMatchObject({ version: 2, anamnesis_revision: 1 });
    }
  });

  test('our own rules judge them: flags only grow, an emergency is due within the hour and someone is told', async () => {
    const uuid = await inHand();
    const worse = { symptoms: { emergency: ['difficulty_breathing'] } };
    const first = await correct(app, me, uuid, { anamnesis_patch: worse, ...reason, version: 2 });
    expect(first).toMatchObject({ status: 200, triage_level: 'emergency' });
    expect(first.red_flags.length).toBeGreaterThan(0);
    expect(Date.parse(first.due_at) - Date.now()).toBeLessThan(hour + 1000);
    expect(await happened(app, uuid)).toContain('case_emergency');
    const better = { symptoms: { emergency: ['none'] } };
    const second = await correct(app, me, uuid, { anamnesis_patch: better, ...reason, version: 3 });
    expect(second).toMatchObject({ status: 200, triage_level: 'emergency', red_flags: first.red_flags });
    const lower = { triage_level: 'routine', triage_reason: 'misunderstood', version: 4 };
    for (const who of [me, admin]) {
      const refused = await correct(app, who, uuid, lower);
      expect(refused).toMatchObject({
        status: 400,
        errors: [{ pointer: '/triage_level', code: 'below_red_flags' }],
      });
    }
  });

  test('about another person of the same account, whose age and reporter must fit', async () => {
    const uuid = await inHand();
    const child = await profile({ birth_date: '2020-03-01' });
    const move = { patient_uuid: child, ...reason, version: 2 };
    expect(await correct(app, me, uuid, move)).toMatchObject({
      status: 422,
      errors: [{ pointer: '/anamnesis/reporter' }],
    });
    const byParent = { reporter: 'parent_guardian' };
    const older = await correct(app, me, uuid, { ...move, anamnesis_patch: byParent });
    expect(older).toMatchObject({ status: 422, code: 'age_mismatch' });
    const patch = { ...byParent, patient: { ageYears: null } };
    const moved = await correct(app, me, uuid, { ...move, anamnesis_patch: patch });
    expect(moved).toMatchObject({ status: 200, patient: { uuid: child } });
    const ageYears = moved.anamnesis['patient']?.['ageYears'] as number;
    expect(ageYears).toBeLessThan(20);
    const sibling = await profile({ birth_date: '2021-03-01' });
    const again = await correct(app, me, uuid, { patient_uuid: sibling, ...reason, version: 3 });
    expect(again).toMatchObject({ status: 200, anamnesis: { patient: { ageYears: ageYears - 1 } } });
    const other = await register(app);
    const reply = await app.request('/api/v1/mobile/users/profiles', { token: other.access_token });
    const foreign = ((await reply.json()) as { profiles: { uuid: string }[] }).profiles[0]?.uuid;
    for (const who of [me, admin]) {
      const refused = await correct(app, who, uuid, { patient_uuid: foreign, ...reason, version: 4 });
      expect(refused).toMatchObject({ status: 404, code: 'patient_not_found' });
    }
  });

  test('a case without an account is moved between patients without one, by admins alone', async () => {
    const [uuid = '', another = ''] = await queueCases(app, [{}, {}]);
    const [target] = await run(
      'SELECT p.uuid FROM patients p JOIN request_records r ON r.patient_id = p.id WHERE r.uuid = $1',
      [another],
    );
    await handle(app, me, uuid, { action: 'claim', version: 1 });
    const move = {
      patient_uuid: target?.['uuid'],
      ...reason,
      anamnesis_patch: { reporter: 'caregiver' },
      version: 2,
    };
    expect(await correct(app, me, uuid, move)).toMatchObject({ status: 404, code: 'patient_not_found' });
    expect(await correct(app, admin, uuid, move)).toMatchObject({
      status: 200,
      patient: { uuid: target?.['uuid'] },
    });
  });
});

describe('urgency and lane', () => {
  test('more urgent at once; less urgent with a capability and a reason, later by the difference', async () => {
    const uuid = await inHand(lowering);
    const raised = await correct(app, lowering, uuid, { triage_level: 'urgent_24h', version: 2 });
    expect(raised).toMatchObject({ status: 200, triage_level: 'urgent_24h' });
    expect((Date.parse(raised.due_at) - Date.now()) / hour).toBeCloseTo(24, 1);
    expect(await rowOf(app, uuid)).toMatchObject({ triage_rank: 1 });
    const lower = { triage_level: 'soon_2_weeks', version: 3 };
    expect(await correct(app, lowering, uuid, lower)).toMatchObject({
      status: 400,
      errors: [{ pointer: '/triage_reason', code: 'required' }],
    });
    const lowered = await correct(app, lowering, uuid, { ...lower, triage_reason: 'seen on the photo' });
    expect(lowered).toMatchObject({ status: 200, triage_level: 'soon_2_weeks' });
    expect((Date.parse(lowered.due_at) - Date.now()) / hour).toBeCloseTo(72, 1);
    expect(await rowOf(app, uuid)).toMatchObject({
      triage_rank: 2,
      triage_override_reason: 'seen on the photo',
    });
  });

  test('without the capability a level is not lowered, even one that the same physician has raised', async () => {
    const uuid = await inHand();
    await correct(app, me, uuid, { triage_level: 'emergency', version: 2 });
    const refused = await correct(app, me, uuid, {
      triage_level: 'routine',
      triage_reason: 'a mistake',
      version: 3,
    });
    expect(refused).toMatchObject({ status: 403, code: 'capability_required', capability: 'triage.lower' });
  });

  test('a case that waits changes its lane with pool and language; one that is reserved stays so', async () => {
    const uuid = await submitted();
    const change = { pool: 'hand-clinic', language: 'he', is_test: true };
    expect(await correct(app, admin, uuid, { ...change, version: 1 })).toMatchObject({
      status: 200,
      pool: 'hand-clinic',
      language: 'he',
    });
    const lane = { lane_pool: 'hand-clinic', lane_language: 'he' };
    expect(await rowOf(app, uuid)).toMatchObject({ ...lane, is_test: true });
    const reserved = { lane_pool: `physician:${me.id}`, lane_language: 'any' };
    await run(`UPDATE request_records SET lane_pool = $2, lane_language = 'any' WHERE uuid = $1`, [
      uuid,
      reserved.lane_pool,
    ]);
    await correct(app, admin, uuid, { language: 'es', version: 2 });
    expect(await rowOf(app, uuid)).toMatchObject({ ...reserved, language: 'es' });
    // What has become urgent waits for no single physician.
    await correct(app, admin, uuid, { triage_level: 'urgent_24h', version: 3 });
    expect(await rowOf(app, uuid)).toMatchObject({ lane_pool: 'hand-clinic', lane_language: 'es' });
  });
});

test('only the physician who has the case in hand, and admins; two with one version: one is 412', async () => {
  const uuid = await inHand();
  const raise = { triage_level: 'urgent_24h', version: 2 };
  expect(await correct(app, lowering, uuid, raise)).toMatchObject({ status: 404 });
  const answers = await Promise.all([correct(app, me, uuid, raise), correct(app, admin, uuid, raise)]);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 412]);
  await endLease(app, uuid);
  expect(await correct(app, me, uuid, raise)).toMatchObject({ status: 409, code: 'lease_lost' });
  const waiting = await submitted();
  expect(await correct(app, me, waiting, { ...raise, version: 1 })).toMatchObject({
    status: 409,
    code: 'case_state_conflict',
    allowed_actions: ['claim', 'check_eligibility'],
  });
});
