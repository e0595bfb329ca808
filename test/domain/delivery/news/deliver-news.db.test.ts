import { beforeEach, describe, expect, test } from 'vitest';
import { cancelAnnotation } from '../../../../src/domain/answers/annotations/cancel-annotation.ts';
import { publishAnswers } from '../../../../src/domain/answers/annotations/publish-answers.ts';
import { remindAndExpire } from '../../../../src/domain/cases/queue/remind-and-expire.ts';
import { resumeCase } from '../../../../src/domain/cases/admission/resume-analysis.ts';
import { auditEvents } from '../../../../src/contract/audit.ts';
import { lockCase } from '../../../../src/domain/cases/record/case.queries.ts';
import { cancelCase } from '../../../../src/domain/cases/record/cancel-case.ts';
import { enqueueNews } from '../../../../src/domain/announce/news/enqueue-news.ts';
import { createPushWork } from '../../../../src/domain/delivery/news/push-work.ts';
import { openAudit } from '../../../../src/domain/platform/events/record-event.ts';
import { createMailWork } from '../../../../src/domain/delivery/mails/deliver-mail.ts';
import { inTenant } from '../../../../src/lib/db/tenant.ts';
import { enqueue } from '../../../../src/lib/outbox/enqueue.ts';
import { createOutbox } from '../../../../src/lib/outbox/outbox.ts';
import { collapseKey } from '../../../../src/lib/push/push-message.ts';
import type { Draft } from '../../../support/case-stage.ts';
import { emergencyAnamnesis } from '../../../support/diagnosis.ts';
import { GOOD_REPLIES, json } from '../../../support/fake-ai.ts';
import { newsStage } from '../../../support/news-stage.ts';

const stage = await newsStage();
const { server, providers, service, draft, submit, read, publish, answered, move, device, deliver, later } =
  stage;
const doctor = await stage.staff('doctor');
const day = 24 * 60;

beforeEach(async () => {
  service.reset();
  server.mails.length = 0;
  providers.messages.length = 0;
  await server.behave({ kind: 'accepts' });
  await providers.behave({ kind: 'accepts' });
  await stage.owner.query('TRUNCATE outbox_messages');
});

const subjects = () => server.mails.map(({ subject }) => subject);
const notified = async (one: Draft) => (await read(one)).notified_at !== null;

/** A case whose answer the patient can read since now, with a telephone and a browser. */
async function closed(): Promise<Draft> {
  const one = await draft();
  await submit(one);
  await device(one.actor.id, `phone-${one.uuid}`);
  await device(one.actor.id, providers.subscribe(one.uuid), 'web');
  await answered(one, doctor.physicianId);
  await stage.owner.query('TRUNCATE outbox_messages');
  await publish(one);
  return one;
}

/** A case that was asked for better photos. */
async function held(): Promise<Draft> {
  service.on('image_validity', json({ isValid: false, score: 0.1, issues: ['blurry'] }));
  const one = await draft();
  await submit(one);
  service.reset();
  return one;
}

describe('a published answer', () => {
  test('comes by mail and on each device, once, with a link and nothing else', async () => {
    const one = await closed();
    await stage.rows(`UPDATE users SET language = 'he' WHERE id = $1`, [one.actor.id]);
    expect(await notified(one)).toBe(false);
    await deliver();
    const [mail, ...others] = server.mails;
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ recipients: [await stage.emailOf(one)], subject: 'יש חדש בפנייה שלך' });
    expect(mail?.text).toContain(`\nhttps://portal.example/cases/${one.uuid}\n`);
    expect(providers.messages.map(({ to, title }) => `${to} ${title}`).toSorted()).toEqual(
      [`${one.uuid} יש חדש בפנייה שלך`, `phone-${one.uuid} יש חדש בפנייה שלך`].toSorted(),
    );
    const { version } = await read(one);
    const key = `answer_published:${one.uuid}:${version}`;
    for (const { identity } of providers.messages) expect(identity).toBe(collapseKey(`news:push:${key}`));
    expect(await stage.waiting()).toEqual([]);
    expect(await notified(one)).toBe(true);
    expect(await stage.failures(one)).toEqual([]);
    await deliver();
    expect(server.mails).toHaveLength(1);
  });

  test('that was amended before the first message left comes once, as it is now', async () => {
    const one = await closed();
    await stage.rows(`UPDATE dermatologist_annotations SET status = 'amended' WHERE case_uuid = $1`, [
      one.uuid,
    ]);
    await answered(one, doctor.physicianId);
    await stage.rows(`UPDATE request_records SET status = 'closed' WHERE uuid = $1`, [one.uuid]);
    await move(one, { transition: 'amend', by: 'physician' });
    await deliver();
    expect(server.mails).toHaveLength(1);
    expect(new Set(providers.messages.map(({ identity }) => identity)).size).toBe(1);
  });

  test('that cannot wait says to read it now, by every channel and also at night, and never why', async () => {
    const one = await closed();
    await deliver();
    server.mails.length = 0;
    providers.messages.length = 0;
    await stage.rows(`UPDATE users SET notify_channels = '{}' WHERE id = $1`, [one.actor.id]);
    await stage.rows(
      `UPDATE request_records SET status = 'closed', answer_action = 'call_emergency_services' WHERE uuid = $1`,
      [one.uuid],
    );
    await move(one, { transition: 'amend', by: 'physician' });
    await deliver();
    expect(subjects()).toEqual(['Please open your request now']);
    const [mail] = server.mails;
    expect(mail?.text).toContain('Please read it now');
    expect(mail?.text).not.toMatch(/emergency|doctor|112/i);
    expect(providers.messages).toHaveLength(2);
    for (const message of providers.messages) {
      expect(message).toMatchObject({ title: 'Please open your request now', isUrgent: true });
    }
  });

  describe('that is cancelled as entered in error', () => {
    async function cancelled(one: Draft): Promise<void> {
      const { userId } = await stage.staff(`chief-of-${one.uuid}`, ['case.reopen']);
      const [user] = await stage.rows<{ id: number; uuid: string }>(
        `UPDATE users SET role = 'admin' WHERE id = $1 RETURNING id, uuid`,
        [userId],
      );
      const actor = { ...one.actor, id: userId, uuid: user?.uuid as string, role: 'admin' } as const;
      const cancellation = { kind: 'dermatologist', reason: 'Of another patient' } as const;
      await cancelAnnotation(stage.contextOf(actor), actor, one.uuid, cancellation, 1);
    }

    test('is announced to the patient, who could read it', async () => {
      const one = await closed();
      await deliver();
      server.mails.length = 0;
      providers.messages.length = 0;
      await cancelled(one);
      expect(await read(one)).toMatchObject({ status: 'queued', final_annotation_uuid: null });
      expect(await notified(one)).toBe(false);
      await deliver();
      expect(server.mails.map(({ recipients, subject }) => [recipients, subject])).toEqual([
        [[await stage.emailOf(one)], 'An earlier answer no longer counts'],
      ]);
      expect(providers.messages.map(({ title }) => title)).toEqual([
        'An earlier answer no longer counts',
        'An earlier answer no longer counts',
      ]);
      expect(await notified(one)).toBe(true);
    });

    test('is not announced once another answer can be read, which is', async () => {
      const one = await closed();
      await deliver();
      await cancelled(one);
      await answered(one, doctor.physicianId);
      await publish(one);
      server.mails.length = 0;
      await deliver();
      expect(subjects()).toEqual(['There is news about your request']);
    });
  });

  test.each([
    ['older than two days', async () => later(2 * day + 1), 0],
    ['not quite so old', async () => later(2 * day - 1), 1],
    [
      'of a case that was reopened',
      async (one: Draft) =>
        stage.rows(`UPDATE request_records SET status = 'cancelled' WHERE uuid = $1`, [one.uuid]),
      0,
    ],
    [
      'of an account that was switched off',
      async (one: Draft) => stage.rows('UPDATE users SET is_active = false WHERE id = $1', [one.actor.id]),
      0,
    ],
    [
      'that is not wanted',
      async (one: Draft) =>
        stage.rows(`UPDATE users SET notify_channels = '{}' WHERE id = $1`, [one.actor.id]),
      0,
    ],
  ])('%s', async (_, happens, mails) => {
    const one = await closed();
    await happens(one);
    await deliver();
    expect(server.mails).toHaveLength(mails);
    expect(providers.messages).toHaveLength(2 * mails);
    expect(await stage.waiting()).toEqual([]);
  });

  test.each([
    ['has been revoked', 'revoked_at = $2, revoked_reason = $3', ['logout']],
    ['has not been used for too long', 'idle_expires_at = $2', []],
    ['has lasted too long', 'absolute_expires_at = $2', []],
  ])('does not come on a device whose session %s, before or after it was spread', async (_, set, values) => {
    const end = (one: Draft) =>
      stage.rows(`UPDATE sessions SET ${set} WHERE user_id = $1`, [
        one.actor.id,
        stage.clock.now(),
        ...values,
      ]);
    await end(await closed());
    await deliver();
    expect(server.mails).toHaveLength(1);
    expect(providers.messages).toEqual([]);

    const spread = await closed();
    await providers.behave({ kind: 'fails' });
    await deliver();
    await end(spread);
    await providers.behave({ kind: 'accepts' });
    later(5);
    await deliver();
    expect(providers.messages).toEqual([]);
    expect(await stage.waiting()).toEqual([]);
  });

  test('what is too old is a failure that shows', async () => {
    const one = await closed();
    later(2 * day + 1);
    await deliver();
    expect(
      (await stage.failures(one)).toSorted((a, b) => ((a['channel'] ?? '') < (b['channel'] ?? '') ? -1 : 1)),
    ).toEqual([
      { channel: 'mail', kind: 'answer_published', code: 'too_old' },
      { channel: 'push', kind: 'answer_published', code: 'too_old' },
    ]);
    expect(await notified(one)).toBe(false);
  });
});

test('a database that was restored from a backup tells nobody what was due long ago', async () => {
  const asked = await held();
  await deliver();
  server.mails.length = 0;
  const signed = await draft();
  await submit(signed);
  await answered(signed, doctor.physicianId);
  await stage.rows('UPDATE request_records SET publish_at = $2 WHERE uuid = $1', [
    signed.uuid,
    stage.clock.now(),
  ]);
  await stage.owner.query('TRUNCATE outbox_messages');
  later(5 * day + 1);
  // The reminder of day 3 and the answer were due more than two days ago.
  await remindAndExpire(stage.work, stage.clock.now());
  await publishAnswers({ ...stage.delivery, outbox: stage.newsOutbox }, stage.clock.now());
  expect(await read(signed)).toMatchObject({ status: 'closed' });
  await deliver();
  expect(await stage.failures(asked)).toContainEqual({
    channel: 'mail',
    kind: 'patient_reminded',
    code: 'too_old',
  });
  expect(await stage.failures(signed)).toContainEqual({
    channel: 'mail',
    kind: 'answer_published',
    code: 'too_old',
  });
  later(11 * day);
  await remindAndExpire(stage.work, stage.clock.now());
  expect(await read(asked)).toMatchObject({ status: 'expired' });
  await deliver();
  expect(await stage.failures(asked)).toContainEqual({ channel: 'mail', kind: 'expired', code: 'too_old' });
  expect(subjects()).toEqual([]);
});

test('patients whose cases end because the clinic has shortened the days learn of it', async () => {
  const asked = await held();
  const unsent = await draft();
  await stage.owner.query('TRUNCATE outbox_messages');
  later(9 * day);
  await stage.rows(
    `INSERT INTO application_parameters (tenant_id, branch, sub_branch, key, value, visibility, updated_at)
     SELECT 1, 'retention', 'rules', key, '5', 'internal', $1 FROM unnest(ARRAY['pending_days', 'draft_days']) AS key`,
    [stage.clock.now()],
  );
  await remindAndExpire(stage.work, stage.clock.now());
  await stage.rows(`DELETE FROM application_parameters WHERE tenant_id = 1 AND branch = 'retention'`);
  for (const one of [asked, unsent]) expect(await read(one)).toMatchObject({ status: 'expired' });
  await deliver();
  expect(new Set(server.mails.map(({ recipients: [to] }) => to))).toEqual(
    new Set([await stage.emailOf(asked), await stage.emailOf(unsent)]),
  );
  later(1);
});

describe('providers', () => {
  test('that are away get the message when they are back, under the same identity, and nothing counts as lost', async () => {
    const one = await closed();
    await server.behave({ kind: 'refuses_connections' });
    await providers.behave({ kind: 'fails' });
    for (let minute = 0; minute < 60; minute += 5) {
      await deliver();
      later(5);
    }
    expect(await stage.waiting()).toHaveLength(3);
    for (const { attempts, available_at: due } of await stage.waiting()) {
      expect(attempts).toBe(0);
      expect(due.getTime() - stage.clock.now().getTime()).toBeLessThan(20 * 60_000);
    }
    await server.behave({ kind: 'accepts' });
    await providers.behave({ kind: 'accepts' });
    later(20);
    await deliver();
    expect(server.mails).toHaveLength(1);
    expect(providers.messages).toHaveLength(2);
    expect(await notified(one)).toBe(true);
  });

  test('that took a message and were not heard to get it again, as the same', async () => {
    await closed();
    await server.behave({ kind: 'drops_reply' });
    await providers.behave({ kind: 'drops_reply' });
    await deliver();
    await server.behave({ kind: 'accepts' });
    await providers.behave({ kind: 'accepts' });
    later(2);
    await deliver();
    expect(server.mails).toHaveLength(2);
    expect(new Set(server.mails.map(({ messageId }) => messageId)).size).toBe(1);
    expect(providers.messages).toHaveLength(4);
    expect(new Set(providers.messages.map(({ identity }) => identity)).size).toBe(1);
  });

  test('that throttle are left alone for as long as they ask', async () => {
    await closed();
    await providers.behave({ kind: 'throttles', seconds: 1800 });
    await deliver();
    await providers.behave({ kind: 'accepts' });
    later(29);
    await deliver();
    expect(providers.messages).toEqual([]);
    later(2);
    await deliver();
    expect(providers.messages).toHaveLength(2);
  });

  test('that refuse for good end in an event, and the case shows as not notified', async () => {
    const one = await closed();
    providers.gone.add(`phone-${one.uuid}`).add(one.uuid);
    await server.behave({ kind: 'rejects_recipients', status: 550 });
    await deliver();
    expect(await stage.waiting()).toEqual([]);
    const codes = (await stage.failures(one)).map(({ channel, code }) => `${channel} ${code}`);
    expect(codes.toSorted()).toEqual(['mail rejected_550', 'push gone', 'push gone']);
    expect(await notified(one)).toBe(false);
    expect(await stage.rows('SELECT FROM push_devices WHERE user_id = $1', [one.actor.id])).toEqual([]);
  });

  test('that have got nothing because every worker died before are no failure: the news stays for an operator', async () => {
    const one = await closed();
    await stage.owner.query('UPDATE outbox_messages SET attempts = 10, locked_until = $1', [
      stage.clock.now(),
    ]);
    await deliver();
    expect(await stage.failures(one)).toEqual([]);
    const { rows } = await stage.owner.query('SELECT last_error_code, dead_at FROM outbox_messages');
    const dead = { last_error_code: 'worker_lost', dead_at: expect.any(Date) };
    expect(rows).toEqual([dead, dead]);
  });

  test('that are not configured get nothing, and nothing waits for them', async () => {
    const one = await closed();
    const none = {
      ...stage.delivery,
      mailer: undefined,
      push: { ...stage.delivery.push, serves: () => false },
    };
    const { db, log, clock } = none;
    const consumers = { mail: createMailWork(none), push: createPushWork(none) };
    const outbox = createOutbox({ db, log, clock, consumers });
    await outbox.drain();
    await outbox.close();
    expect(await stage.waiting()).toEqual([]);
    expect(await notified(one)).toBe(false);
  });
});

describe('a patient who is asked', () => {
  test('is told, reminded on days 3 and 10, and told that the case has expired', async () => {
    const one = await held();
    await deliver();
    for (let days = 1; days <= 15; days += 1) {
      later(day);
      await remindAndExpire(stage.work, stage.clock.now());
      await deliver();
    }
    expect(subjects()).toEqual([
      'We need your reply',
      'Your request is waiting for your reply',
      'Your request is waiting for your reply',
      'Your request was closed',
    ]);
    expect(new Set(server.mails.map(({ messageId }) => messageId)).size).toBe(4);
    expect(server.mails[1]?.text).toMatch(/closed on .* UTC/);
    expect(await notified(one)).toBe(true);
  });

  test('about an urgent case is reminded that a reply is awaited, and not of an end that does not come', async () => {
    const one = await held();
    await stage.rows(`UPDATE request_records SET urgency = 'high' WHERE uuid = $1`, [one.uuid]);
    await device(one.actor.id, `phone-${one.uuid}`);
    await stage.owner.query('TRUNCATE outbox_messages');
    later(3 * day + 1);
    await remindAndExpire(stage.work, stage.clock.now());
    await deliver();
    expect(subjects()).toEqual(['We need your reply']);
    expect(server.mails[0]?.text).not.toContain('closed');
    expect(providers.messages.map(({ title, body }) => [title, body])).toEqual([
      ['We need your reply', 'Open the app to see what we need.'],
    ]);
  });

  test('and has replied meanwhile is not asked again', async () => {
    const one = await held();
    await stage.attachPhoto(one, `sharp ${one.uuid}`);
    await submit(one);
    await deliver();
    expect(subjects()).toEqual([]);
  });

  test('by a physician is told as well, and of a later question again', async () => {
    const one = await draft();
    await submit(one);
    await stage.rows(
      `UPDATE request_records SET status = 'in_review', assigned_physician_id = $2, lease_expires_at = now() WHERE uuid = $1`,
      [one.uuid, doctor.physicianId],
    );
    await stage.owner.query('TRUNCATE outbox_messages');
    await move(one, {
      transition: 'hold',
      to: 'on_hold/technical',
      by: 'physician',
      set: { lease_expires_at: null },
    });
    const ask = {
      transition: 'change_pending_status',
      to: 'on_hold/awaiting_patient',
      by: 'physician',
    } as const;
    await move(one, { ...ask, set: { held_at: stage.clock.now() } });
    await deliver();
    later(1);
    await move(one, { ...ask, set: { held_at: stage.clock.now() } });
    await deliver();
    expect(subjects()).toEqual(['We need your reply', 'We need your reply']);
  });

  test('in quiet hours sleeps, unless the case is urgent', async () => {
    const hour = stage.clock.now().getUTCHours();
    await stage.setRule('notify/rules/quiet_hours', { from: hour, to: (hour + 3) % 24 });
    await held();
    await deliver();
    expect(subjects()).toEqual([]);
    const [first] = await stage.waiting();
    expect(first?.attempts).toBe(0);
    expect(first?.available_at.getUTCHours()).toBe((hour + 3) % 24);
    const urgent = await closed();
    await stage.rows(`UPDATE request_records SET urgency = 'high' WHERE uuid = $1`, [urgent.uuid]);
    await deliver();
    expect(subjects()).toEqual(['There is news about your request']);
    const raised = await closed();
    await stage.rows(`UPDATE request_records SET triage_level = 'urgent_24h' WHERE uuid = $1`, [raised.uuid]);
    await deliver();
    expect(subjects()).toHaveLength(2);
    await stage.setRule('notify/rules/quiet_hours', null);
  });
});

describe('dangers', () => {
  /** The AI service finds an emergency in everything. */
  const emergency = () =>
    service.on(
      'red_flags',
      json({
        ...GOOD_REPLIES.red_flags,
        hasRedFlags: true,
        flags: ['suspected_sepsis'],
        urgency: 'emergency',
        recommendedAction: 'emergency_services',
      }),
    );

  test('that are found at the submission are in its reply; who is on call is told at once, by every channel', async () => {
    const call = await stage.staff('on-call', ['on_call'], { notify: { mail: false, push: false } });
    const away = await stage.staff('away', ['on_call']);
    await stage.rows('UPDATE physicians SET vacation_mode = true WHERE user_id = $1', [away.userId]);
    await stage.staff('other', ['case.audit']);
    await device(call.userId, 'doctors-phone');
    const one = await draft({ anamnesis: emergencyAnamnesis });
    await submit(one);
    await deliver();
    expect(server.mails.map(({ recipients, subject }) => [recipients, subject])).toEqual([
      [[call.email], 'An urgent case needs a physician'],
    ]);
    expect(server.mails[0]?.text).toContain(`https://office.example/cases/${one.uuid}`);
    expect(providers.messages.map(({ to, isUrgent }) => [to, isUrgent])).toEqual([['doctors-phone', true]]);

    // Who cancels an urgent case may need somebody.
    server.mails.length = 0;
    const audit = openAudit(auditEvents.caseUpdated, one.actor, { id: 'test', ipPrefix: undefined });
    await inTenant(stage.db, 1, async (tx) => {
      const record = await lockCase(tx, one.uuid);
      if (record !== undefined) {
        await cancelCase(tx, { audit, now: stage.clock.now() }, record, { by: 'account', reason: undefined });
      }
    });
    await deliver();
    expect(subjects()).toEqual(['An urgent case was cancelled']);
    await stage.rows('DELETE FROM user_group_members');
  });

  test('reach those on call when the providers are back, not those of the time when they failed', async () => {
    const [leaves, travels] = [
      await stage.staff('leaves', ['on_call']),
      await stage.staff('travels', ['on_call']),
    ];
    await device(leaves.userId, 'phone of leaves');
    await server.behave({ kind: 'refuses_connections' });
    await providers.behave({ kind: 'fails' });
    await submit(await draft({ anamnesis: emergencyAnamnesis }));
    await deliver();
    await stage.rows('DELETE FROM user_group_members WHERE user_id = $1', [leaves.userId]);
    await stage.rows('UPDATE physicians SET vacation_mode = true WHERE user_id = $1', [travels.userId]);
    // Between the shifts no one is on call.
    later(30);
    await deliver();
    const joins = await stage.staff('joins', ['on_call']);
    await device(joins.userId, 'phone of joins');
    for (let times = 0; times < 3; times += 1) {
      later(30);
      await deliver();
    }
    expect(server.mails).toEqual([]);
    await server.behave({ kind: 'accepts' });
    await providers.behave({ kind: 'accepts' });
    later(61);
    await deliver();
    expect(server.mails.map(({ recipients }) => recipients)).toEqual([[joins.email]]);
    expect(providers.messages.map(({ to }) => to)).toEqual(['phone of joins']);

    // Once one of those on call has been reached, later shifts get nothing.
    const late = await stage.staff('late', ['on_call']);
    await device(late.userId, 'phone of late');
    later(61);
    await deliver();
    expect(server.mails).toHaveLength(1);
    expect(providers.messages).toHaveLength(1);
    expect(await stage.waiting()).toEqual([]);
    await stage.rows('DELETE FROM user_group_members');
  });

  test('that are found after the reply are told to the patient at once, whatever was chosen', async () => {
    service.on('predict_diagnosis', json({}, 503));
    const one = await draft();
    await submit(one);
    await stage.rows(`UPDATE users SET notify_channels = '{}' WHERE id = $1`, [one.actor.id]);
    service.reset();
    emergency();
    later(1);
    await resumeCase(stage.work, { tenantId: 1, caseUuid: one.uuid }, 'later');
    await deliver();
    expect(await read(one)).toMatchObject({ urgency: 'emergency', status: 'queued' });
    expect(subjects()).toEqual(['Please open your request now']);
  });

  test('that the patient reads in the reply are no news', async () => {
    emergency();
    await submit(await draft());
    await deliver();
    expect(subjects()).toEqual([]);
  });
});

test('a physician is told of a case that was assigned, by the channels of the own settings, while it is theirs', async () => {
  const quiet = await stage.staff('no-mail', [], { notify: { mail: false } });
  for (const to of [doctor, quiet]) {
    await device(to.userId, `phone of ${to.email}`);
    const one = await draft();
    await submit(one);
    const set = { assigned_physician_id: to.physicianId, lane_pool: `physician:${to.physicianId}` };
    await move(one, { transition: 'assign', by: 'staff', set });
  }
  await deliver();
  expect(server.mails.map(({ recipients }) => recipients)).toEqual([[doctor.email]]);
  expect(providers.messages.map(({ to }) => to).toSorted()).toEqual(
    [`phone of ${doctor.email}`, `phone of ${quiet.email}`].toSorted(),
  );
  server.mails.length = 0;
  const one = await draft();
  await submit(one);
  await move(one, {
    transition: 'assign',
    by: 'staff',
    set: { assigned_physician_id: doctor.physicianId, lane_pool: `physician:${doctor.physicianId}` },
  });
  await stage.rows(`UPDATE request_records SET lane_pool = 'general' WHERE uuid = $1`, [one.uuid]);
  await deliver();
  expect(server.mails).toEqual([]);
});

describe('an answer that must be corrected', () => {
  /** An audit demands it. */
  async function audited(): Promise<Draft> {
    const one = await closed();
    await stage.owner.query('TRUNCATE outbox_messages');
    const record = { ...(await read(one)), assigned_physician_id: doctor.physicianId };
    await inTenant(stage.db, 1, (tx) => enqueueNews(tx, record, 'correction_required', stage.clock.now()));
    return one;
  }
  const recipients = () => server.mails.flatMap((mail) => mail.recipients).toSorted();

  test('is mailed to its signer, unless it was amended meanwhile or is withdrawn', async () => {
    const one = await audited();
    await deliver();
    expect(recipients()).toEqual([doctor.email]);
    expect(server.mails[0]?.text).toContain(`https://office.example/cases/${one.uuid}`);
    server.mails.length = 0;

    const amended = await audited();
    await stage.rows(`UPDATE dermatologist_annotations SET status = 'amended' WHERE case_uuid = $1`, [
      amended.uuid,
    ]);
    await answered(amended, doctor.physicianId);
    await stage.rows(`UPDATE request_records SET status = 'closed' WHERE uuid = $1`, [amended.uuid]);
    const withdrawn = await audited();
    await stage.rows(`UPDATE request_records SET final_annotation_uuid = NULL WHERE uuid = $1`, [
      withdrawn.uuid,
    ]);
    await deliver();
    expect(recipients()).toEqual([]);
    expect(await stage.waiting()).toEqual([]);
  });

  test('goes to auditors and admins where the account of its signer is not in use', async () => {
    const auditor = await stage.staff('auditor', ['case.audit']);
    const away = await stage.staff('auditor-away', ['case.audit']);
    await stage.rows('UPDATE physicians SET vacation_mode = true WHERE user_id = $1', [away.userId]);
    await stage.staff('on-call-only', ['on_call']);
    await stage.rows(`UPDATE users SET is_active = false WHERE role = 'admin'`);
    const admin = await stage.staff('office');
    await stage.rows(`UPDATE users SET role = 'admin' WHERE id = $1`, [admin.userId]);
    await audited();
    await stage.rows('UPDATE users SET is_active = false WHERE id = $1', [doctor.userId]);
    await deliver();
    expect(recipients()).toEqual([auditor.email, admin.email].toSorted());
    await stage.rows('UPDATE users SET is_active = true WHERE id = $1', [doctor.userId]);
    await stage.rows('DELETE FROM user_group_members');
  });
});

describe('a mail that a user has asked for', () => {
  /** A request for the link to an answer. */
  async function askForLink(one: Draft): Promise<void> {
    await stage.rows('UPDATE users SET is_verified = true WHERE id = $1', [one.actor.id]);
    const at = stage.clock.now();
    const asked = { user_id: one.actor.id, language: 'en', requested_at: at.toISOString() };
    await inTenant(stage.db, 1, (tx) =>
      enqueue(
        tx,
        {
          consumer: 'mail',
          topic: 'case_answer_link',
          tenantId: 1,
          dedupeKey: `case_answer_link:${one.uuid}`,
          payload: { ...asked, case_uuid: one.uuid },
        },
        at,
      ),
    );
  }

  test.each([
    ['comes while the answer is there', async () => {}, 1],
    [
      'does not come once the answer was withdrawn',
      async (one: Draft) =>
        stage.rows(
          `UPDATE request_records SET status = 'queued', final_annotation_uuid = NULL WHERE uuid = $1`,
          [one.uuid],
        ),
      0,
    ],
    ['does not come after two days', async () => later(2 * day + 1), 0],
  ])('%s', async (_, happens, mails) => {
    const one = await closed();
    await stage.owner.query('TRUNCATE outbox_messages');
    await askForLink(one);
    await happens(one);
    await deliver();
    expect(subjects()).toEqual(Array.from({ length: mails }, () => 'There is news about your request'));
    expect(server.mails.every(({ text }) => text.includes(one.uuid))).toBe(true);
  });
});
