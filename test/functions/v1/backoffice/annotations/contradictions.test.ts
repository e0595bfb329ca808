import { beforeEach, expect, test } from 'vitest';
import { claimsOf, register, tenantRows } from '../../../../support/accounts.ts';
import {
  annotate,
  caseInHand,
  readAnnotations,
  readAnswers,
  saveAnnotation,
  standing,
  wholeAnswer,
} from '../../../../support/answers.ts';
import { testApp } from '../../../../support/app.ts';
import { actOnCase, getCase } from '../../../../support/cases.ts';
import { newPhysician, takeNext } from '../../../../support/queue-stage.ts';

// An answer that contradicts the danger of its case, from the refusal to the auditor.

const app = await testApp();
const many = { adminSettings: { max_open_cases: 20, audit_exempt: true } };
const [account, doctor] = await Promise.all([register(app), newPhysician(app, many)]);
const run = (text: string, values: unknown[] = []) => tenantRows(app, text, values);
const [{ id: accountUserId } = { id: 0 }] = await run('SELECT id FROM users WHERE uuid = $1', [
  claimsOf(account.access_token).sub,
]);
const [diagnosis] = wholeAnswer.diagnoses;
const meningococcal = { ...diagnosis, code: 'A39.2', text: 'Meningococcal disease' };
const rash = 'non_blanching_rash_unwell';

beforeEach(async () => {
  await run(`UPDATE request_records SET status = 'cancelled' WHERE status IN ('queued', 'in_review')`);
});

/** In the physician's hand, with a flag that is met. */
async function emergency(): Promise<string> {
  const uuid = await caseInHand(app, doctor, { accountUserId: Number(accountUserId) });
  await run(
    `UPDATE request_records SET urgency = 'emergency', triage_level = 'emergency', triage_rank = 0,
       has_red_flags = true, red_flags = $2, urgent_flags = $2 WHERE uuid = $1`,
    [uuid, [rash]],
  );
  return uuid;
}

async function signedEvents(uuid: string): Promise<Record<string, unknown>[]> {
  const rows = await run(
    `SELECT detail FROM event_logs WHERE case_uuid = $1 AND action = 'annotation_signed' ORDER BY id`,
    [uuid],
  );
  return rows.map(({ detail }) => detail as Record<string, unknown>);
}

const atHome = {
  diagnoses: [meningococcal],
  recommended_action: 'self_care_advice',
  acknowledged_flags: [rash],
  sign: true,
};
const expected = [
  { code: 'action_below_red_flags', is_emergency: true },
  { code: 'emergency_diagnosis_not_urgent', is_emergency: true },
];
const reasons = expected.map(({ code }) => ({ code, reason: `Seen in person: ${code}.` }));

test('home care in an emergency is refused until it has every reason and the confirmation; then it is audited', async () => {
  const uuid = await emergency();
  const unseen = await annotate(app, doctor, uuid, { ...atHome, acknowledged_flags: [] });
  expect(unseen).toMatchObject({ httpStatus: 409, code: 'red_flags_unacknowledged' });
  for (const given of [
    {},
    { contradiction_reasons: reasons },
    { confirm_emergency: true },
    { contradiction_reasons: reasons.slice(1), confirm_emergency: true },
  ]) {
    const refused = await annotate(app, doctor, uuid, { ...atHome, ...given });
    expect(refused).toMatchObject({
      httpStatus: 409,
      code: 'answer_contradicts_urgency',
      contradictions: expected,
    });
  }
  expect(await standing(app, uuid)).toMatchObject({ status: 'in_review', final_annotation_uuid: null });

  const unneeded = { code: 'confirmed_on_poor_photos', reason: 'Not needed.' };
  const signed = await annotate(app, doctor, uuid, {
    ...atHome,
    contradiction_reasons: [unneeded, ...reasons],
    confirm_emergency: true,
    urgency_explanation: 'The child was seen in the clinic an hour ago and is well.',
  });
  expect(signed).toMatchObject({ httpStatus: 201, status: 'final', contradiction_reasons: reasons });
  expect(await standing(app, uuid)).toMatchObject({ status: 'closed', audit_state: 'pending' });
  const [event] = await signedEvents(uuid);
  expect(event?.['contradictions']).toEqual(reasons.map(({ code, reason }) => `${code}: ${reason}`));
  const { text, answers } = await readAnswers(app, account.access_token, uuid);
  expect(answers).toMatchObject([
    { urgency_explanation: 'The child was seen in the clinic an hour ago and is well.' },
  ]);
  expect(text).not.toContain('Seen in person');
  expect(await getCase(app, account.access_token, uuid)).toMatchObject({ answer_action: 'self_care_advice' });
});

test('the queue of audits shows the reasons, also of an author whom the sample leaves out', async () => {
  const uuid = await caseInHand(app, doctor, { accountUserId: Number(accountUserId) });
  const poor = {
    diagnoses: [{ ...diagnosis, certainty: 'confirmed' }],
    image_quality_ok: false,
    contradiction_reasons: [{ code: 'confirmed_on_poor_photos', reason: 'Biopsy of last year.' }],
    sign: true,
  };
  expect(await annotate(app, doctor, uuid, poor)).toMatchObject({ httpStatus: 201 });
  await run(`UPDATE request_records SET publish_at = now() - interval '1 second' WHERE uuid = $1`, [uuid]);
  await app.runTimer('publishAnswers');
  const { access_token: token } = await register(app, { role: 'admin' });
  const reply = await app.request('/api/v1/backoffice/cases/search', {
    json: { audit_state: ['pending'] },
    token,
  });
  const { items } = (await reply.json()) as { items: { uuid: string; diagnosis: object }[] };
  expect(items.find((each) => each.uuid === uuid)?.diagnosis).toMatchObject({
    recommended_action: 'routine_physician_review',
    contradiction_reasons: poor.contradiction_reasons,
  });
});

test('a draft keeps the reasons, and its signature asks for the confirmation again', async () => {
  const uuid = await emergency();
  const draft = { ...atHome, sign: false, contradiction_reasons: reasons, confirm_emergency: true };
  expect(await annotate(app, doctor, uuid, draft)).toMatchObject({ status: 'draft' });
  const [kept] = (await readAnnotations(app, doctor, uuid)) ?? [];
  expect(kept).toMatchObject({ contradiction_reasons: reasons });
  const signing = { ...draft, sign: true, confirm_emergency: false };
  expect(await saveAnnotation(app, doctor, uuid, 1, signing)).toMatchObject({ httpStatus: 409 });
  expect(await saveAnnotation(app, doctor, uuid, 1, { ...signing, confirm_emergency: true })).toMatchObject({
    status: 'final',
  });
});

test('an amendment is judged as a signature is, and what it says counts for the patient at once', async () => {
  const uuid = await emergency();
  const first = await annotate(app, doctor, uuid, {
    ...atHome,
    recommended_action: 'call_emergency_services',
  });
  expect(first).toMatchObject({ httpStatus: 201, contradiction_reasons: [] });
  expect(await getCase(app, account.access_token, uuid)).toMatchObject({
    answer_action: 'call_emergency_services',
  });
  const amendment = { ...atHome, amend_reason: 'Seen in person.' };
  const refused = await saveAnnotation(app, doctor, uuid, first.version, amendment);
  expect(refused).toMatchObject({ httpStatus: 409, contradictions: expected });
  const amended = await saveAnnotation(app, doctor, uuid, first.version, {
    ...amendment,
    contradiction_reasons: reasons,
    confirm_emergency: true,
  });
  expect(amended).toMatchObject({ httpStatus: 200, status: 'final', contradiction_reasons: reasons });
  expect(await getCase(app, account.access_token, uuid)).toMatchObject({ answer_action: 'self_care_advice' });
});

test('an answer from a template is judged as any other: what the template says is not read', async () => {
  const bodies = { en: 'Call the emergency services now. {{ diagnosis.name }}' };
  const json = { kind: 'diagnosis_text', scope: 'physician', name: 'Call', bodies };
  const made = await app.request('/api/v1/backoffice/templates', { json, token: doctor.token });
  const { id } = (await made.json()) as { id: number };
  const uuid = await emergency();
  const answer = { ...atHome, template_id: id };
  const refused = { httpStatus: 409, code: 'answer_contradicts_urgency', contradictions: expected };
  expect(await annotate(app, doctor, uuid, answer)).toMatchObject(refused);
  const given = { contradiction_reasons: reasons, confirm_emergency: true };
  const signed = await annotate(app, doctor, uuid, { ...answer, ...given });
  expect(signed).toMatchObject({ httpStatus: 201, status: 'final', contradiction_reasons: reasons });
  expect(signed.rendered_text).toContain('Call the emergency services now.');
});

test.each([
  { disease_id: 32, code: 'meningococcal_disease', code_system: 'dermagate' },
  { disease_id: null, code: 'meningococcal_disease', code_system: 'dermagate' },
  { disease_id: 32, code: '', code_system: 'icd10' },
])('the catalogue knows which diseases are emergencies: %j', async (named) => {
  const uuid = await caseInHand(app, doctor, { accountUserId: Number(accountUserId) });
  const stated = {
    diagnoses: [{ ...diagnosis, ...named }],
    recommended_action: 'self_care_advice',
    sign: true,
  };
  expect(await annotate(app, doctor, uuid, stated)).toMatchObject({ contradictions: [expected[1]] });
  const excluded = [diagnosis, { ...diagnosis, ...named, certainty: 'excluded', is_primary: false }];
  expect(await annotate(app, doctor, uuid, { ...stated, diagnoses: excluded })).toMatchObject({
    status: 'final',
  });
});

test('while a question about an answer waits, advice counts first only where danger was found since', async () => {
  const uuid = await emergency();
  const seen = { contradiction_reasons: reasons, confirm_emergency: true };
  expect(await annotate(app, doctor, uuid, { ...atHome, ...seen })).toMatchObject({ status: 'final' });
  const { access_token: token } = account;
  const read = async () => await getCase(app, token, uuid);
  expect(await read()).toMatchObject({ advice: { urgency: 'emergency' }, advice_is_newer: false });
  await actOnCase(app, token, uuid, { action: 'reply', message: 'May he go to school?' });
  expect(await read()).toMatchObject({
    patient_status: 'waiting',
    answer_action: 'self_care_advice',
    advice_is_newer: false,
  });

  await run(
    `UPDATE request_records SET urgent_flags = urgent_flags || '{sepsis}', red_flags = red_flags || '{sepsis}' WHERE uuid = $1`,
    [uuid],
  );
  expect(await read()).toMatchObject({ answer_available: true, advice_is_newer: true });
});

test('danger of a case that had none counts from when it is found until it is answered', async () => {
  const uuid = await caseInHand(app, doctor, { accountUserId: Number(accountUserId) });
  expect(await annotate(app, doctor, uuid, { sign: true })).toMatchObject({ status: 'final' });
  await run(
    `UPDATE request_records SET publish_at = now() - interval '1 second', analysis_state = 'done',
       eligibility_outcome = 'eligible' WHERE uuid = $1`,
    [uuid],
  );
  await app.runTimer('publishAnswers');
  const { access_token: token } = account;
  const read = async () => await getCase(app, token, uuid);
  expect(await read()).toMatchObject({ answer_available: true, advice_is_newer: false });
  await actOnCase(app, token, uuid, { action: 'reply', message: 'It has spread.' });
  await run(
    `UPDATE request_records SET urgency = 'high', triage_level = 'urgent_24h', triage_rank = 1,
       has_red_flags = true, red_flags = '{sepsis}' WHERE uuid = $1`,
    [uuid],
  );
  expect(await read()).toMatchObject({ patient_status: 'waiting', advice_is_newer: true });
  const taken = await takeNext(app, doctor);
  expect(taken.case).toMatchObject({ uuid });
  const amended = await annotate(app, doctor, uuid, {
    recommended_action: 'same_day_medical_review',
    acknowledged_flags: ['sepsis'],
    sign: true,
  });
  expect(amended).toMatchObject({ status: 'final' });
  expect(await read()).toMatchObject({ patient_status: 'answered', advice_is_newer: false });
});
