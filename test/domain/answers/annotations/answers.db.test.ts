import { randomUUID } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { expect, test } from 'vitest';
import { Problem } from '../../../../src/contract/problem.ts';
import { auditEvents } from '../../../../src/contract/audit.ts';
import { AnnotationCreation } from '../../../../src/domain/answers/annotations/annotation-input.schemas.ts';
import { requireAcknowledged } from '../../../../src/domain/answers/annotations/check-answer.ts';
import { createAnnotation } from '../../../../src/domain/answers/annotations/create-annotation.ts';
import { publishAnswers } from '../../../../src/domain/answers/annotations/publish-answers.ts';
import { lockCase } from '../../../../src/domain/cases/record/case.queries.ts';
import { openAudit } from '../../../../src/domain/platform/events/record-event.ts';
import { createLog } from '../../../../src/lib/telemetry/log.ts';
import { sweep } from '../../../../src/domain/records/retention/sweep.ts';
import type { Context } from '../../../../src/lib/app/context.ts';
import { inTenant } from '../../../../src/lib/db/tenant.ts';
import { accountActor } from '../../../support/account-actor.ts';
import { wholeAnswer } from '../../../support/answers.ts';
import { caseStage, type Draft } from '../../../support/case-stage.ts';
import { anamnesis } from '../../../support/diagnosis.ts';

const log = createLog(() => undefined);

// When an answer reaches its patient, by the clock and in which transaction, and for how long a draft stays.

const stage = await caseStage();
const { db, clock, draft, submit, read, rows, outbox } = stage;
const doctor = await inTenant(db, 1, async (tx) => {
  const uuid = uuidv7();
  const user = await tx
    .insertInto('users')
    .values({ uuid, tenant_id: 1, email: 'doctor@example.org', password_hash: '!', role: 'physician' })
    .returning('id')
    .executeTakeFirstOrThrow();
  const physician = await tx
    .insertInto('physicians')
    .values({ uuid: uuidv7(), tenant_id: 1, user_id: user.id })
    .returning('id')
    .executeTakeFirstOrThrow();
  const actor = accountActor({ id: user.id, uuid, tenantId: 1, sessionUuid: uuidv7() });
  return { physicianId: physician.id, actor: { ...actor, role: 'physician' as const } };
});

/** A case in the doctor's hand, with a draft of the answer; or signed. */
async function written(
  rank: 0 | 1 | 2,
  sign: boolean,
  answer: object = {},
  level = 'routine',
): Promise<Draft> {
  const one = await draft();
  await submit(one);
  await rows(
    `UPDATE request_records SET status = 'in_review', assigned_physician_id = $2, triage_rank = $3, triage_level = $5,
       urgency = CASE WHEN $5 = 'emergency' THEN 'emergency' ELSE urgency END,
       lease_expires_at = $4::timestamptz + interval '30 minutes' WHERE uuid = $1`,
    [one.uuid, doctor.physicianId, rank, clock.now(), level],
  );
  await stage.owner.query('TRUNCATE outbox_messages');
  const request = { id: randomUUID(), receivedAt: clock.now(), language: 'en' } as Context['request'];
  const audit = openAudit(auditEvents.annotationCreated, doctor.actor, request);
  const context = { ...stage.work, outbox, request, audit } as unknown as Context;
  const creation = AnnotationCreation.parse({ ...wholeAnswer, ...answer, sign });
  await createAnnotation(context, doctor.actor, one.uuid, creation);
  return one;
}
const signed = (rank: 0 | 1 | 2) => written(rank, true);

const messages = () =>
  rows<{ consumer: string; kind: string; case_uuid: string; xmin: string }>(
    `SELECT consumer, payload ->> 'kind' AS kind, payload ->> 'case_uuid' AS case_uuid, xmin::text
     FROM outbox_messages ORDER BY consumer`,
  );
const run = (at: Date) => publishAnswers({ ...stage.work, outbox }, at);
const publishAt = async (one: Draft) => (await read(one)).publish_at ?? new Date(Number.NaN);

test('an emergency is closed, and its messages are queued, in the transaction that signs its answer', async () => {
  const one = await signed(0);
  expect(await read(one)).toMatchObject({ status: 'closed', closed_at: expect.any(Date) as Date });
  const stored = await rows<{ xmin: string }>(
    `SELECT xmin::text FROM request_records WHERE uuid = $1
     UNION ALL SELECT xmin::text FROM dermatologist_annotations WHERE case_uuid = $1 AND published_at IS NOT NULL
     UNION ALL SELECT xmin::text FROM event_logs WHERE case_uuid = $1 AND action = 'case_closed'`,
    [one.uuid],
  );
  expect(stored).toHaveLength(3);
  const queued = await messages();
  expect(queued.map(({ consumer, kind }) => `${consumer} ${kind}`)).toEqual([
    'mail answer_published',
    'push answer_published',
  ]);
  expect(new Set([...stored, ...queued].map(({ xmin }) => xmin)).size).toBe(1);
});

test('so is a case that is urgent by its rank, or an emergency by its flags alone', async () => {
  expect(await read(await signed(1))).toMatchObject({ status: 'closed' });
  const call = { recommended_action: 'call_emergency_services' };
  expect(await read(await written(2, true, call, 'emergency'))).toMatchObject({ status: 'closed' });
});

test('so is a harmless case whose answer is to call for help; one to see a doctor today can be undone', async () => {
  const call = { recommended_action: 'call_emergency_services' };
  expect(await read(await written(2, true, call))).toMatchObject({
    status: 'closed',
    answer_action: 'call_emergency_services',
  });
  const today = { recommended_action: 'same_day_medical_review' };
  const undoable = await written(2, true, today);
  expect(await read(undoable)).toMatchObject({ status: 'answered', answer_action: null });
  await run(await publishAt(undoable));
  expect(await read(undoable)).toMatchObject({ status: 'closed', answer_action: 'same_day_medical_review' });
});

test('a flag that was urgent once must be acknowledged although it is less urgent now; one that never was need not be', async () => {
  const symptoms = { ...Object(anamnesis['symptoms']), local: ['pain'], painSeverity: 8 };
  const one = await draft({ anamnesis: { ...anamnesis, symptoms } });
  await submit(one);
  expect(await read(one)).toMatchObject({ red_flags: ['severe_pain'], urgent_flags: [], urgency: 'medium' });
  const missing = async (...acknowledged: string[]) => {
    const asked = inTenant(db, 1, async (tx) => requireAcknowledged(tx, await read(one), acknowledged));
    return await asked.then(
      () => [],
      (error: unknown) => (error instanceof Problem ? error.members['missing'] : error),
    );
  };
  expect(await missing()).toEqual([]);
  await rows(`UPDATE request_records SET urgent_flags = '{severe_pain}', urgency = 'high' WHERE uuid = $1`, [
    one.uuid,
  ]);
  expect(await missing()).toEqual(['severe_pain']);
  expect(await missing('severe_pain')).toEqual([]);
});

// Never the same day.
test.each(['Pacific/Kiritimati', 'Etc/GMT+12'])(
  'the days of a text are those of a clinic in %s',
  async (zone) => {
    await stage.setRule('notify/rules/time_zone', zone);
    const one = await written(0, true, { follow_up: { in_days: 3, how: 'Call us.' } });
    const [row] = await rows<{ rendered_text: string; signed_at: Date }>(
      'SELECT rendered_text, signed_at FROM dermatologist_annotations WHERE case_uuid = $1',
      [one.uuid],
    );
    await stage.setRule('notify/rules/time_zone', 'UTC');
    const dayMs = 24 * 60 * 60 * 1000;
    const [signedOn, seenOn] = [0, 3].map((days) =>
      new Intl.DateTimeFormat('en-GB', { timeZone: zone, dateStyle: 'long' }).format(
        (row?.signed_at.getTime() ?? Number.NaN) + days * dayMs,
      ),
    );
    const text = row?.rendered_text.replaceAll(/[\u2068\u2069]/g, '') ?? '';
    expect(text).toMatch(new RegExp(`, ${signedOn}$`));
    expect(text).toContain(seenOn);
  },
);

test('an answer is published when its time has come, once, however many run at that moment', async () => {
  const one = await signed(2);
  const due = await publishAt(one);
  expect(await run(new Date(due.getTime() - 1))).toEqual({ published: 0, failed: 0 });
  expect(await messages()).toEqual([]);
  const runs = await Promise.all(Array.from({ length: 5 }, () => run(due)));
  expect(runs.filter(({ published }) => published === 1)).toHaveLength(1);
  expect(runs.filter(({ published }) => published === 0)).toHaveLength(4);
  expect(await run(due)).toEqual({ published: 0, failed: 0 });
  expect(await read(one)).toMatchObject({ status: 'closed', closed_at: due });
  expect((await messages()).map(({ consumer }) => consumer)).toEqual(['mail', 'push']);
  expect((await stage.actions(one)).filter((action) => action === 'case_closed')).toHaveLength(1);
});

test('what a signer takes back at this moment is left alone, and holds up no other', async () => {
  const [held, other] = [await signed(2), await signed(2)];
  const due = new Date(Math.max((await publishAt(held)).getTime(), (await publishAt(other)).getTime()));
  await inTenant(db, 1, async (tx) => {
    await lockCase(tx, held.uuid);
    expect(await run(due)).toEqual({ published: 1, failed: 0 });
  });
  expect((await read(held)).status).toBe('answered');
  expect((await read(other)).status).toBe('closed');
  expect(await run(due)).toEqual({ published: 1, failed: 0 });
});

test('a patient without an account is told nothing, and the case is closed', async () => {
  const one = await signed(2);
  await rows('UPDATE request_records SET account_user_id = NULL WHERE uuid = $1', [one.uuid]);
  expect(await run(await publishAt(one))).toEqual({ published: 1, failed: 0 });
  expect(await messages()).toEqual([]);
});

test('an expired skip of a case is deleted', async () => {
  const [over, lasting] = [await draft(), await draft()];
  for (const [one, hours] of [
    [over, -1],
    [lasting, 1],
  ] as const) {
    await rows(
      `INSERT INTO case_skips (physician_id, case_uuid, tenant_id, reason, until) VALUES ($1, $2, 1, 'other', $3)`,
      [doctor.physicianId, one.uuid, new Date(clock.now().getTime() + hours * 60 * 60 * 1000)],
    );
  }
  expect(await sweep({ db, log }, clock.now(), AbortSignal.timeout(60_000))).toMatchObject({ skips: 1 });
  expect(await rows('SELECT case_uuid FROM case_skips')).toEqual([{ case_uuid: lasting.uuid }]);
});

test('a draft, also a cancelled one, goes seven days after its last change, unless its author still has the case', async () => {
  const [kept, lost] = [await written(2, false), await written(2, false)];
  const takenBack = await written(2, false);
  await rows(
    `UPDATE dermatologist_annotations SET status = 'cancelled', cancelled_at = now() WHERE case_uuid = $1`,
    [takenBack.uuid],
  );
  await rows(
    `UPDATE request_records SET status = 'queued', assigned_physician_id = NULL, lane_pool = 'general', lane_language = 'en'
     WHERE uuid = ANY ($1)`,
    [[lost.uuid, takenBack.uuid]],
  );
  const week = clock.now().getTime() + 7 * 24 * 60 * 60 * 1000;
  const sweepAt = async (at: number) =>
    (await sweep({ db, log }, new Date(at), AbortSignal.timeout(60_000))).drafts;
  expect(await sweepAt(week - 60 * 60 * 1000)).toBe(0);
  expect(await sweepAt(week)).toBe(2);
  const left = await rows<{ case_uuid: string }>(
    `SELECT case_uuid FROM dermatologist_annotations WHERE signed_at IS NULL`,
  );
  expect(left).toEqual([{ case_uuid: kept.uuid }]);
});
