import { beforeEach, describe, expect, test } from 'vitest';
import { readCaseRules } from '../../../../src/domain/cases/record/case-rules.ts';
import { remindAndExpire } from '../../../../src/domain/cases/queue/remind-and-expire.ts';
import { watchQueue } from '../../../../src/domain/cases/queue/watch-queue.ts';
import { openTransaction } from '../../../support/accounts.ts';
import { caseStage, type Draft } from '../../../support/case-stage.ts';
import { emergencyAnamnesis } from '../../../support/diagnosis.ts';
import { patientStatusOf } from '../../../../src/domain/cases/record/case-status.ts';
import { patientActions } from '../../../../src/domain/cases/record/patient-actions.ts';
import { json, text } from '../../../support/fake-ai.ts';

// What becomes of cases that wait: for their patients, and for physicians.

const stage = await caseStage();
const { service, submit, draft, read, later, rows } = stage;
const day = 24 * 60;
const run = () => remindAndExpire(stage.work, stage.clock.now());

beforeEach(async () => {
  service.reset();
  // What earlier tests left would be counted.
  await rows(
    `UPDATE request_records SET status = 'cancelled', pending_status = NULL WHERE status <> 'cancelled'`,
  );
  await stage.owner.query('TRUNCATE outbox_messages');
});

/** A case that was asked for better photos. */
async function held(): Promise<Draft> {
  service.on('image_validity', json({ isValid: false, score: 0.1, issues: ['blurry'] }));
  const one = await draft();
  await submit(one);
  expect(await read(one)).toMatchObject({ status: 'on_hold', pending_status: 'awaiting_patient' });
  return one;
}

/** Whole days from its submission until a case is due. */
async function daysUntilDue(one: Draft): Promise<number> {
  const { submitted_at: submitted, due_at: due } = await read(one);
  return Math.floor(((due?.getTime() ?? 0) - (submitted?.getTime() ?? 0)) / (day * 60_000));
}

test('a patient who is asked twice: neither time on hold counts towards the due time', async () => {
  const one = await held();
  later(2 * day);
  await submit(one);
  expect(await read(one)).toMatchObject({ status: 'on_hold', held_at: expect.any(Date) as Date });
  later(3 * day);
  service.reset();
  await stage.attachPhoto(one, 'a sharp one');
  await submit(one);
  expect(await read(one)).toMatchObject({ status: 'queued', triage_level: 'routine' });
  const { sla } = await readCaseRules(stage.work, 1);
  expect(await daysUntilDue(one)).toBe(2 + 3 + Math.floor(sla.routine / 24));
});

test('a draft unchanged for 30 days expires', async () => {
  const one = await draft();
  later(30 * day - 1);
  expect(await run()).toEqual({ expired: 0, queued: 0, reminded: 0, failed: 0 });
  later(2);
  expect(await run()).toMatchObject({ expired: 1 });
  expect(await read(one)).toMatchObject({ status: 'expired', version: 2 });
});

test('a patient who is asked is reminded on days 3 and 10; after 14 the case expires', async () => {
  const one = await held();
  const seen: string[] = [];
  for (let days = 1; days <= 15; days += 1) {
    later(day);
    const { reminded, expired } = await run();
    if (reminded > 0) seen.push(`day ${days}: reminded`);
    if (expired > 0) seen.push(`day ${days}: expired`);
  }
  expect(seen).toEqual(['day 3: reminded', 'day 10: reminded', 'day 14: expired']);
  expect(await read(one)).toMatchObject({ status: 'expired', held_at: null, remind_at: null });
  expect((await stage.actions(one)).slice(-3)).toEqual(['case_reminded', 'case_reminded', 'case_expired']);
});

test.each([20, 1])(
  'a case that a physician has put on hold until day %i is queued again on that day, and not expired',
  async (days) => {
    const one = await held();
    await rows(
      `UPDATE request_records SET pending_status = 'awaiting_result', queued_at = submitted_at, due_at = submitted_at,
       triage_rank = 2, remind_at = $2 WHERE uuid = $1`,
      [one.uuid, new Date(stage.clock.now().getTime() + days * day * 60_000)],
    );
    later((days - 1) * day);
    expect(await run()).toMatchObject({ expired: 0, queued: 0 });
    later(day + 1);
    expect(await run()).toMatchObject({ expired: 0, reminded: 0, queued: 1 });
    expect(await read(one)).toMatchObject({ status: 'queued', remind_at: null, lane_pool: 'general' });
    expect((await stage.actions(one)).at(-1)).toBe('case_queued');
  },
);

describe('a case that changes while it is about to expire stays', () => {
  const draftOfAMonth = async () => {
    const one = await draft();
    later(30 * day + 1);
    return one;
  };
  const heldForResult = async () => {
    const one = await held();
    await rows(
      `UPDATE request_records SET pending_status = 'awaiting_result', queued_at = submitted_at,
         due_at = submitted_at, triage_rank = 2, remind_at = NULL WHERE uuid = $1`,
      [one.uuid],
    );
    later(3 * day + 1);
    return one;
  };
  const heldForReply = async () => {
    const one = await held();
    later(14 * day + 1);
    return one;
  };

  test.each([
    ['a draft that is saved', draftOfAMonth, 'updated_at = $2::timestamptz'],
    ['a hold that gets a date', heldForResult, `remind_at = $2::timestamptz + interval '1 hour'`],
    ['a question that is answered', heldForReply, `analysis_state = 'pending', updated_at = $2::timestamptz`],
  ])('%s', async (_, make, change) => {
    const one = await make();
    const { status } = await read(one);
    const meanwhile = await openTransaction({ db: stage.owner });
    const set = `UPDATE request_records SET ${change} WHERE uuid = $1`;
    await meanwhile.run(set, [one.uuid, stage.clock.now()]);
    const running = run();
    await meanwhile.awaited();
    await meanwhile.commit();
    expect(await running).toEqual({ expired: 0, queued: 0, reminded: 0, failed: 0 });
    expect(await read(one)).toMatchObject({ status });
  });
});

describe('a hold without a date that waits for the clinic ends by itself', () => {
  /** Put on hold by a physician for a result, without a date. */
  async function heldForResult(level: 'urgent_24h' | 'routine'): Promise<Draft> {
    const one = await held();
    await rows(
      `UPDATE request_records SET pending_status = 'awaiting_result', queued_at = submitted_at, due_at = submitted_at,
         triage_level = $2, triage_rank = $3, remind_at = NULL WHERE uuid = $1`,
      [one.uuid, level, level === 'routine' ? 2 : 1],
    );
    return one;
  }

  test.each([
    ['urgent_24h', 1],
    ['routine', 3],
  ] as const)('%s: after %i days', async (level, days) => {
    const one = await heldForResult(level);
    later(days * day - 1);
    expect(await run()).toMatchObject({ queued: 0 });
    later(2);
    expect(await run()).toEqual({ expired: 0, reminded: 0, queued: 1, failed: 0 });
    expect(await read(one)).toMatchObject({ status: 'queued', held_at: null, lane_pool: 'general' });
  });

  test('one that becomes urgent on hold within the time of its new level', async () => {
    const one = await heldForResult('routine');
    later(day + 1);
    expect(await run()).toMatchObject({ queued: 0 });
    await rows(`UPDATE request_records SET triage_level = 'urgent_24h', triage_rank = 1 WHERE uuid = $1`, [
      one.uuid,
    ]);
    expect(await run()).toMatchObject({ queued: 1 });
  });

  test('and is reported as overdue until then, where it is urgent', async () => {
    await heldForResult('routine');
    await heldForResult('urgent_24h');
    later(1);
    const waiting = await watchQueue(stage.db, stage.work.log, stage.clock.now());
    expect(waiting).toMatchObject({ emergencies: 0, overdue: 1 });
  });
});

test('a timer that did not run for weeks expires the case without reminding of it', async () => {
  await held();
  later(20 * day);
  expect(await run()).toMatchObject({ reminded: 0, expired: 1 });
  expect(await run()).toMatchObject({ expired: 0 });
});

describe('a case with a flag of high or emergency urgency never expires', () => {
  test('nor does one that is urgent by its level alone', async () => {
    const one = await held();
    // By staff on hold, which leaves the urgency of its flags, and by an edit, which leaves the rank.
    await rows(`UPDATE request_records SET urgency = 'low', triage_level = 'urgent_24h' WHERE uuid = $1`, [
      one.uuid,
    ]);
    later(14 * day + 1);
    expect(await run()).toMatchObject({ expired: 0, queued: 1 });
    expect(await read(one)).toMatchObject({ status: 'queued', triage_rank: 1 });
  });

  test('and what its physician has asked can still be answered from the queue', async () => {
    const one = await held();
    await rows(
      `UPDATE request_records SET urgency = 'high', queued_at = submitted_at, due_at = submitted_at,
         eligibility_reasons = '{}' WHERE uuid = $1`,
      [one.uuid],
    );
    later(14 * day + 1);
    expect(await run()).toMatchObject({ queued: 1 });
    const queued = await read(one);
    expect(queued).toMatchObject({ status: 'queued', eligibility_reasons: ['physician_asked'] });
    expect(patientActions(queued, stage.clock.now())).toContain('update');
  });

  test('not even for one that is merely not excluded: it goes to the queue', async () => {
    const one = await held();
    await rows(`UPDATE request_records SET urgency = 'high', triage_level = 'urgent_24h' WHERE uuid = $1`, [
      one.uuid,
    ]);
    later(14 * day + 1);
    expect(await run()).toMatchObject({ expired: 0, queued: 1 });
    expect(await read(one)).toMatchObject({ status: 'queued', triage_rank: 1, held_at: null });
  });

  test('and what it was held before it was queued stays in its due time', async () => {
    const one = await held();
    // On hold for five days before, which have moved its due time; then held by a physician.
    await rows(
      `UPDATE request_records SET urgency = 'high', queued_at = submitted_at,
         submitted_at = submitted_at - interval '5 days', due_at = submitted_at + interval '5 days' WHERE uuid = $1`,
      [one.uuid],
    );
    later(14 * day + 1);
    expect(await run()).toMatchObject({ queued: 1 });
    expect(await daysUntilDue(one)).toBe(24);
  });

  test('and it waits in its own pool if it was queued before', async () => {
    const one = await held();
    await rows(
      `UPDATE request_records SET urgency = 'high', queued_at = submitted_at, due_at = submitted_at,
         pool = 'hand-clinic' WHERE uuid = $1`,
      [one.uuid],
    );
    later(14 * day + 1);
    expect(await run()).toMatchObject({ queued: 1 });
    expect(await read(one)).toMatchObject({ pool: 'hand-clinic', lane_pool: 'hand-clinic' });
  });

  test('and the database itself refuses it for an emergency', async () => {
    const one = await draft({ anamnesis: emergencyAnamnesis });
    await submit(one);
    for (const status of ['expired', 'ineligible']) {
      const given = rows(`UPDATE request_records SET status = '${status}' WHERE uuid = $1`, [one.uuid]);
      await expect(given).rejects.toThrow(/check constraint/);
    }
  });
});

test('a patient who replies is not reminded any more', async () => {
  const one = await held();
  later(2 * day);
  service.reset();
  await stage.attachPhoto(one, `better of ${one.uuid}`);
  await submit(one);
  later(20 * day);
  expect(await run()).toEqual({ expired: 0, queued: 0, reminded: 0, failed: 0 });
  expect(await read(one)).toMatchObject({ status: 'queued' });
});

test('a reply that cannot be judged, because the eligibility service is away, is a reply: its case waits, and does not expire', async () => {
  await stage.setRule('eligibility/rules/membership', 'service');
  try {
    service.on('membership', json({ eligible: true }));
    service.on('image_validity', json({ isValid: false, score: 0.1, issues: ['blurry'] }));
    const one = await draft({ externalId: 'member-of-a-service-that-is-away' });
    await submit(one);
    expect(patientStatusOf(await read(one))).toBe('action_needed');
    later(14 * day - 30);
    service.reset();
    service.on('membership', text('down', 503));
    await stage.attachPhoto(one, `better of ${one.uuid}`);
    await submit(one);
    const replied = await read(one);
    expect(replied).toMatchObject({ status: 'on_hold', eligibility_outcome: 'undetermined' });
    expect(patientStatusOf(replied)).toBe('waiting');
    later(31);
    expect(await run()).toEqual({ expired: 0, queued: 0, reminded: 0, failed: 0 });
  } finally {
    await stage.setRule('eligibility/rules/membership', 'none');
  }
});

test('any number of instances expire and remind once', async () => {
  const cases = await Promise.all([held(), held(), held()]);
  later(3 * day);
  const reminders = await Promise.all([run(), run(), run()]);
  expect(reminders.reduce((sum, { reminded }) => sum + reminded, 0)).toBe(3);
  later(12 * day);
  const ends = await Promise.all([run(), run(), run()]);
  expect(ends.reduce((sum, { expired }) => sum + expired, 0)).toBe(3);
  for (const one of cases) {
    expect((await stage.actions(one)).filter((action) => action === 'case_expired')).toHaveLength(1);
  }
});

test('an emergency on hold is reported, whatever it waits for', async () => {
  const report = async () => {
    stage.lines.length = 0;
    await watchQueue(stage.db, stage.work.log, stage.clock.now());
    return stage.lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  };
  const one = await held();
  // Found by an edit, where the consent is outdated: the case stays on hold.
  await rows(`UPDATE request_records SET urgency = 'emergency', triage_level = 'emergency' WHERE uuid = $1`, [
    one.uuid,
  ]);
  const unanswered = { level: 'warn', event: 'emergency_without_on_call', tenant: 1, count: 1 };
  expect(await report()).toEqual([unanswered]);
  later(61);
  expect(await report()).toContainEqual(
    expect.objectContaining({ event: 'emergency_waiting', tenant: 1, count: 1, minutes: 61 }),
  );
});

test('what waits for physicians for too long is reported: counts and minutes, by tenant', async () => {
  const report = async () => {
    stage.lines.length = 0;
    const waiting = await watchQueue(stage.db, stage.work.log, stage.clock.now());
    return { waiting, lines: stage.lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
  };
  await submit(await draft({ anamnesis: emergencyAnamnesis }));
  await submit(await draft());
  // The messages to those who are on call, which no worker delivers here.
  await stage.owner.query('TRUNCATE outbox_messages');
  const unanswered = { level: 'warn', event: 'emergency_without_on_call', tenant: 1, count: 1 };
  expect(await report()).toEqual({
    waiting: { emergencies: 0, overdue: 0, messages: 0 },
    lines: [unanswered],
  });
  later(61);
  expect(await report()).toEqual({
    waiting: { emergencies: 1, overdue: 1, messages: 0 },
    lines: [
      unanswered,
      { level: 'warn', event: 'emergency_waiting', tenant: 1, count: 1, minutes: 61 },
      { level: 'warn', event: 'queue_overdue', tenant: 1, count: 1, minutes: 1 },
    ],
  });
  await stage.owner.query(
    `INSERT INTO outbox_messages (consumer, topic, payload, available_at, dedupe_key) VALUES
       ('analysis', 'analysis_due', '{}', $1, 'a'), ('mail', 'x', '{}', $1, 'b')`,
    [new Date(stage.clock.now().getTime() - 11 * 60_000)],
  );
  expect((await report()).lines.slice(3)).toEqual([
    { level: 'warn', event: 'outbox_stuck', consumer: 'analysis', count: 1, minutes: 11 },
    { level: 'warn', event: 'outbox_stuck', consumer: 'mail', count: 1, minutes: 11 },
  ]);
  await stage.owner.query('DELETE FROM outbox_messages');
});
