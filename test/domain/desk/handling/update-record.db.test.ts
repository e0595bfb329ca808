import { v7 as uuidv7 } from 'uuid';
import { beforeEach, expect, test } from 'vitest';
import { handleCase } from '../../../../src/domain/desk/handling/handle-case.ts';
import type { RecordUpdate } from '../../../../src/domain/desk/handling/record-update.schemas.ts';
import { updateRecord } from '../../../../src/domain/desk/handling/update-record.ts';
import { watchQueue } from '../../../../src/domain/cases/queue/watch-queue.ts';
import { createThrottleKey } from '../../../../src/lib/auth/throttle-key.ts';
import type { Context } from '../../../../src/lib/app/context.ts';
import { accountActor } from '../../../support/account-actor.ts';
import { caseStage, type Draft } from '../../../support/case-stage.ts';
import { json, text } from '../../../support/fake-ai.ts';

// An admin hears of a danger on the telephone, and corrects a case that no physician would see.

const stage = await caseStage();
const { service, read } = stage;

async function account(role: 'admin' | 'physician') {
  const uuid = uuidv7();
  const [user] = await stage.rows<{ id: number }>(
    `INSERT INTO users (uuid, tenant_id, email, password_hash, role) VALUES ($1, 1, $2, '!', $3) RETURNING id`,
    [uuid, `${uuid}@example.org`, role],
  );
  return { ...accountActor({ id: user?.id as number, uuid, tenantId: 1, sessionUuid: uuidv7() }), role };
}

const admin = await account('admin');
const contextOf = (actor: typeof admin): Context => ({
  ...stage.contextOf(actor),
  throttleKey: createThrottleKey('pepper'),
});

beforeEach(async () => {
  service.reset();
  // What earlier tests left would be counted.
  await stage.rows(`UPDATE request_records SET status = 'cancelled', pending_status = NULL`);
  await stage.setRule('eligibility/rules/membership', 'none');
});

const correction = {
  anamnesis_patch: { symptoms: { emergency: ['difficulty_breathing'] } },
  correction_reason: 'said on the phone',
} as RecordUpdate;

async function correct(one: Draft, update: RecordUpdate = correction) {
  await stage.owner.query('TRUNCATE outbox_messages');
  const shown = await updateRecord(contextOf(admin), admin, one.uuid, update, (await read(one)).version);
  const news = await stage.rows<{ kind: string }>(
    `SELECT payload ->> 'kind' AS kind FROM outbox_messages WHERE payload ->> 'case_uuid' = $1`,
    [one.uuid],
  );
  return { shown, news: new Set(news.map(({ kind }) => kind)) };
}

const emergency = {
  status: 'queued',
  urgency: 'emergency',
  triage_level: 'emergency',
  triage_rank: 0,
  lane_pool: 'general',
  held_at: null,
};

test('an emergency in a case that was refused puts it into the queue, and its patient hears of it', async () => {
  await stage.setRule('eligibility/rules/membership', 'external_id');
  const one = await stage.draft();
  await stage.submit(one);
  expect(await read(one)).toMatchObject({ status: 'ineligible' });
  const { shown, news } = await correct(one);
  expect(shown).toMatchObject({ status: 'queued', urgency: 'emergency' });
  expect(await read(one)).toMatchObject({
    ...emergency,
    eligibility_outcome: 'eligible',
    eligibility_reasons: ['not_a_member', 'emergency_override'],
  });
  expect(news).toEqual(new Set(['emergency', 'flags_found']));
});

test('an emergency in a case that waits for better photos waits for them no longer', async () => {
  service.on('image_validity', json({ isValid: false, score: 0.1, issues: ['blurry'] }));
  const one = await stage.draft();
  await stage.submit(one);
  expect(await read(one)).toMatchObject({ status: 'on_hold', queued_at: null });
  const { news } = await correct(one);
  expect(await read(one)).toMatchObject(emergency);
  expect(news).toEqual(new Set(['emergency', 'flags_found', 'patient_asked']));
  stage.later(61);
  expect(await watchQueue(stage.db, stage.work.log, stage.clock.now())).toMatchObject({ emergencies: 1 });
});

test('an analysis that is under way goes on, and its judgement counts the emergency', async () => {
  service.on('image_validity', json({ isValid: false, score: 0.1, issues: ['blurry'] }));
  const one = await stage.draft();
  await stage.submit(one);
  for (const route of ['predict_diagnosis', 'red_flags', 'image_validity', 'triage'] as const) {
    service.on(route, text('down', 503));
  }
  await stage.attachPhoto(one, `better of ${one.uuid}`);
  await stage.submit(one);
  expect(await read(one)).toMatchObject({ status: 'on_hold', analysis_state: 'pending' });
  await correct(one);
  expect(await read(one)).toMatchObject({
    status: 'on_hold',
    analysis_state: 'pending',
    urgency: 'emergency',
  });
  stage.later(16);
  await stage.tick();
  expect(await read(one)).toMatchObject({ ...emergency, analysis_state: 'degraded' });
});

test('without a consent to the current text it is asked for, and nothing else holds the case back', async () => {
  await stage.setRule('eligibility/rules/membership', 'external_id');
  const one = await stage.draft();
  await stage.submit(one);
  await stage.rows(`UPDATE request_records SET consent_version = '0' WHERE uuid = $1`, [one.uuid]);
  await correct(one);
  expect(await read(one)).toMatchObject({
    status: 'on_hold',
    pending_status: 'awaiting_patient',
    urgency: 'emergency',
    status_reason: 'consent_outdated',
  });
});

test('an emergency in a case that a physician has on hold goes back into the queue', async () => {
  const physician = await account('physician');
  await stage.rows(`INSERT INTO physicians (uuid, tenant_id, user_id) VALUES ($1, 1, $2)`, [
    uuidv7(),
    physician.id,
  ]);
  const one = await stage.draft();
  await stage.submit(one);
  const act = async (action: Parameters<typeof handleCase>[3]) =>
    await handleCase(contextOf(physician), physician, one.uuid, action, (await read(one)).version);
  await act({ action: 'claim' });
  await act({ action: 'hold', pending_status: 'technical' });
  const { news } = await correct(one);
  expect(await read(one)).toMatchObject(emergency);
  expect(news).toEqual(new Set(['emergency', 'flags_found']));
});

test('an emergency in a case that waits in the queue, of which its patient hears too', async () => {
  const one = await stage.draft();
  await stage.submit(one);
  const { version } = await read(one);
  const { news } = await correct(one);
  expect(await read(one)).toMatchObject({ ...emergency, version: version + 1 });
  expect(news).toEqual(new Set(['emergency', 'flags_found']));
});

test('a case in the queue that staff make an emergency by its level alone: physicians on call get the news, once', async () => {
  const one = await stage.draft();
  await stage.submit(one);
  const raised = { triage_level: 'emergency' } as RecordUpdate;
  expect((await correct(one, raised)).news).toEqual(new Set(['emergency']));
  expect(await read(one)).toMatchObject({ ...emergency, urgency: 'low', red_flags: [] });
  expect(await stage.actions(one)).toContain('case_emergency');
  expect((await correct(one, raised)).news).toEqual(new Set());
});

test('the patient hears of a flag on record that becomes an emergency', async () => {
  const one = await stage.draft();
  await stage.submit(one);
  const flag = 'airway_or_breathing';
  await stage.rows(
    `UPDATE request_records SET red_flags = ARRAY[$2], urgent_flags = ARRAY[$2], urgency = 'high' WHERE uuid = $1`,
    [one.uuid, flag],
  );
  const { news } = await correct(one);
  expect(await read(one)).toMatchObject({ urgent_flags: [flag], urgency: 'emergency' });
  expect(news).toEqual(new Set(['emergency', 'flags_found']));
  // Once more, nothing is new.
  expect((await correct(one)).news).toEqual(new Set());
});
