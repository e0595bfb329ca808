import { expect, test } from 'vitest';
import { claimsOf, register, tenantRows } from '../../../../support/accounts.ts';
import {
  annotate,
  cancelAnnotation,
  caseInHand,
  readAnnotations,
  readAnswers,
  saveAnnotation,
  standing,
} from '../../../../support/answers.ts';
import { testApp } from '../../../../support/app.ts';
import { mailServer } from '../../../../support/mail-server.ts';
import { happened, newPhysician, queueCases, takeNext } from '../../../../support/queue-stage.ts';

// A second reader's review of a published answer: who writes it, who reads it, and what follows.

const server = await mailServer();
const app = await testApp({ env: server.settings });
const many = { adminSettings: { max_open_cases: 20 } };
const capabilities = ['case.audit'];
const [account, doctor, auditor, second, colleague, admin] = await Promise.all([
  register(app),
  newPhysician(app, many),
  newPhysician(app, { ...many, capabilities }),
  newPhysician(app, { ...many, capabilities }),
  newPhysician(app, many),
  register(app, { role: 'admin' }),
]);
const run = (text: string, values: unknown[] = []) => tenantRows(app, text, values);
const [{ id: accountUserId } = { id: 0 }] = await tenantRows<{ id: number }>(
  app,
  'SELECT id FROM users WHERE uuid = $1',
  [claimsOf(account.access_token).sub],
);
const review = { kind: 'audit', agreement: 'major', comment: 'comment-5521', requires_correction: true };
/** Only these members: an audit has none of an answer. */
const bare = {
  diagnoses: undefined,
  recommended_action: undefined,
  patient_message: undefined,
  internal_note: undefined,
  image_quality_ok: undefined,
  ai_agreement: undefined,
};
const audit = { ...bare, ...review };

/** Published at once, because it is urgent. */
async function published(by = doctor, body: object = { ai_agreement: 'disagree' }): Promise<string> {
  const uuid = await caseInHand(app, by, { rank: 1, accountUserId });
  await annotate(app, by, uuid, { sign: true, ...body });
  return uuid;
}

test('an auditor reviews the published answer of another, who learns what to correct; the patient learns nothing', async () => {
  const uuid = await published();
  expect(await standing(app, uuid)).toMatchObject({ status: 'closed', audit_state: 'pending' });
  const { version } = await standing(app, uuid);
  const incomplete = await annotate(app, auditor, uuid, { ...audit, agreement: null, sign: true });
  expect(incomplete.errors?.map(({ pointer }) => pointer)).toEqual(['/agreement']);
  const draft = await annotate(app, auditor, uuid, audit);
  expect(draft).toMatchObject({ httpStatus: 201, kind: 'audit', status: 'draft', version: 1 });
  expect(await annotate(app, auditor, uuid, audit)).toMatchObject({ code: 'annotation_exists' });
  const kinds = async (who: { token: string }) =>
    (await readAnnotations(app, who, uuid))?.map(({ kind, status }) => `${kind} ${status}`);
  // A draft is its author's.
  expect(await kinds(doctor)).toEqual(['dermatologist final']);
  const [once, twice] = await Promise.all([
    saveAnnotation(app, auditor, uuid, 1, { ...audit, sign: true }),
    saveAnnotation(app, auditor, uuid, 1, { ...audit, sign: true }),
  ]);
  expect(new Set([once.httpStatus, twice.httpStatus])).toEqual(new Set([200, 412]));
  expect(await saveAnnotation(app, auditor, uuid, 2, audit)).toMatchObject({ code: 'annotation_published' });
  // The case itself has not changed.
  expect(await standing(app, uuid)).toMatchObject({ version, audit_state: 'done', status: 'closed' });
  expect((await happened(app, uuid)).filter((action) => action === 'audit_correction_required')).toHaveLength(
    1,
  );
  const notices = await run(`SELECT kind FROM user_notices WHERE user_id = $1`, [doctor.userId]);
  expect(notices).toEqual([{ kind: 'audit.correction_required' }]);

  const both = ['dermatologist final', 'audit final'];
  for (const reader of [doctor, auditor, second, { token: admin.access_token }])
    expect(await kinds(reader)).toEqual(both);
  expect(await kinds(colleague)).toBeUndefined();
  const ofDoctor = await readAnnotations(app, doctor, uuid);
  expect(ofDoctor?.at(-1)).toMatchObject({ comment: review.comment });
  const { text } = await readAnswers(app, account.access_token, uuid);
  expect(text).not.toContain(review.comment);
  const [row] = await run(
    `SELECT count(*)::integer AS count FROM event_logs WHERE detail::text LIKE '%comment-5521%'`,
  );
  expect(row).toEqual({ count: 0 });

  // The amended answer is another one: it is audited anew, by who has read it.
  const [answer] = ofDoctor ?? [];
  await saveAnnotation(app, doctor, uuid, answer?.version ?? 0, {
    sign: true,
    amend_reason: 'As the audit demands.',
    ai_agreement: 'disagree',
  });
  expect(await standing(app, uuid)).toMatchObject({ audit_state: 'pending' });
  const agreed = { ...audit, agreement: 'agree', sign: true, case_version: Number(version) };
  expect(await annotate(app, second, uuid, agreed)).toMatchObject({
    httpStatus: 412,
    code: 'case_changed',
    current_version: Number(version) + 1,
  });
  expect(await annotate(app, second, uuid, { ...agreed, case_version: Number(version) + 1 })).toMatchObject({
    httpStatus: 201,
    status: 'final',
  });
});

test('an answer that must be corrected, or can harm, is mailed to its author, who has no stream open', async () => {
  const author = await newPhysician(app, many);
  const mailsToAuthor = async (body: object) => {
    server.mails.length = 0;
    const uuid = await published(author);
    await annotate(app, auditor, uuid, { ...audit, ...body, sign: true });
    const [event] = await run(
      `SELECT detail ->> 'safety_issue' AS harm FROM event_logs WHERE case_uuid = $1 AND action = 'audit_correction_required'`,
      [uuid],
    );
    expect(event).toEqual({ harm: String('safety_issue' in body) });
    const ofAuthor = () => server.mails.filter((mail) => mail.recipients.includes(author.account.email));
    await expect.poll(() => ofAuthor().length, { timeout: 10_000 }).toBe(1);
    return ofAuthor();
  };
  for (const body of [{}, { requires_correction: false, safety_issue: true }]) {
    const mails = await mailsToAuthor(body);
    expect(mails.map(({ subject }) => subject)).toEqual(['An answer must be corrected']);
    expect(mails[0]?.text).not.toContain(review.comment);
  }
});

test('no auditor reviews an answer of their own, or one that is not published; no other physician any', async () => {
  const own = await published(auditor);
  expect(await annotate(app, auditor, own, audit)).toMatchObject({ httpStatus: 409, code: 'own_annotation' });
  expect(await annotate(app, { token: admin.access_token }, own, audit)).toMatchObject({
    httpStatus: 403,
    code: 'physician_profile_required',
  });
  const answered = await caseInHand(app, doctor, { accountUserId });
  await annotate(app, doctor, answered, { sign: true });
  expect(await annotate(app, auditor, answered, audit)).toMatchObject({
    httpStatus: 409,
    code: 'case_state_conflict',
    current_status: 'answered',
  });
  const other = await published();
  expect(await annotate(app, doctor, other, audit)).toMatchObject({
    httpStatus: 403,
    code: 'capability_required',
  });
});

test('an audit of an answer that has been amended meanwhile leaves the amended one to be audited', async () => {
  const uuid = await published();
  await annotate(app, auditor, uuid, audit);
  const [answer] = (await readAnnotations(app, doctor, uuid)) ?? [];
  const better = { sign: true, amend_reason: 'Seen again.', ai_agreement: 'disagree' };
  expect(await saveAnnotation(app, doctor, uuid, answer?.version ?? 0, better)).toMatchObject({
    httpStatus: 200,
  });
  expect(await saveAnnotation(app, auditor, uuid, 1, { ...audit, sign: true })).toMatchObject({
    httpStatus: 200,
    status: 'final',
  });
  expect(await standing(app, uuid)).toMatchObject({ audit_state: 'pending' });
  expect(await annotate(app, auditor, uuid, { ...audit, sign: true })).toMatchObject({ httpStatus: 201 });
  expect(await standing(app, uuid)).toMatchObject({ audit_state: 'done' });
});

test('a draft of an audit is taken back, which its author alone can read, and another can be written', async () => {
  const uuid = await published();
  const draft = await annotate(app, auditor, uuid, audit);
  const cancelled = await cancelAnnotation(app, auditor, uuid, draft.version, { kind: 'audit' });
  expect(cancelled).toMatchObject({ httpStatus: 200, status: 'cancelled' });
  const kinds = async (who: { token: string }) =>
    (await readAnnotations(app, who, uuid))?.map(({ kind, status }) => `${kind} ${status}`);
  expect(await kinds(auditor)).toEqual(['dermatologist final', 'audit cancelled']);
  for (const reader of [doctor, second, { token: admin.access_token }])
    expect(await kinds(reader)).toEqual(['dermatologist final']);
  expect(await annotate(app, auditor, uuid, audit)).toMatchObject({ httpStatus: 201 });
});

test('an auditor’s own diagnosis names no disease that is no longer in use, but in a draft that has it', async () => {
  await app.db.query(
    `INSERT INTO disease_catalog (id, slug, names, category, urgency)
     VALUES (900100, 'old_rash', '{"en":"Old rash"}', 'other', 'routine')`,
  );
  const own_diagnosis = {
    disease_id: 900_100,
    code: 'old_rash',
    code_system: 'dermagate',
    text: 'Old rash',
    certainty: 'probable',
    is_primary: true,
  };
  const [drafted, other] = [await published(), await published()];
  await annotate(app, auditor, drafted, { ...audit, own_diagnosis });
  await app.db.query(`UPDATE disease_catalog SET active = false WHERE id = 900100`);
  const refused = {
    httpStatus: 400,
    errors: [{ pointer: '/own_diagnosis/disease_id', code: 'disease_retired' }],
  };
  expect(await annotate(app, auditor, other, { ...audit, own_diagnosis })).toMatchObject(refused);
  const body = { ...audit, own_diagnosis, comment: 'More' };
  expect(await saveAnnotation(app, auditor, drafted, 1, body)).toMatchObject({ httpStatus: 200 });
  expect(await saveAnnotation(app, auditor, drafted, 2, { ...body, sign: true })).toMatchObject(refused);
});

test('the queue of audits offers what the rules demand, and to its author never', async () => {
  await run(`UPDATE request_records SET audit_state = 'none'`);
  const [flagged = ''] = await queueCases(app, [{ rank: 0, accountUserId }]);
  await run(`UPDATE request_records SET urgency = 'emergency' WHERE uuid = $1`, [flagged]);
  expect((await takeNext(app, auditor)).case?.uuid).toBe(flagged);
  await annotate(app, auditor, flagged, { recommended_action: 'call_emergency_services', sign: true });
  expect(await standing(app, flagged)).toMatchObject({ audit_state: 'pending' });
  expect((await takeNext(app, auditor, { queue: 'audit' })).case).toBeNull();
  expect((await takeNext(app, second, { queue: 'audit' })).case?.uuid).toBe(flagged);
  await annotate(app, second, flagged, { ...audit, sign: true });
  expect((await takeNext(app, second, { queue: 'audit' })).case).toBeNull();
});
