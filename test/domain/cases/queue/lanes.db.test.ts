import { beforeEach, describe, expect, test } from 'vitest';
import { auditEvents } from '../../../../src/contract/audit.ts';
import { systemActorOf } from '../../../../src/contract/actor.ts';
import { readCaseRules } from '../../../../src/domain/cases/record/case-rules.ts';
import { forEachCase } from '../../../../src/domain/cases/record/for-each-case.ts';
import { endVacations } from '../../../../src/domain/cases/queue/end-vacations.ts';
import { openLanes } from '../../../../src/domain/cases/queue/open-lanes.ts';
import { readQueueRules } from '../../../../src/domain/cases/record/queue-rules.ts';
import { reopenCase } from '../../../../src/domain/cases/queue/reopen-case.ts';
import { returnLeases } from '../../../../src/domain/cases/queue/return-leases.ts';
import { handBackAll, resumeCase } from '../../../../src/domain/cases/queue/return-to-queue.ts';
import { watchQueue } from '../../../../src/domain/cases/queue/watch-queue.ts';
import { lockCase } from '../../../../src/domain/cases/record/case.queries.ts';
import { openAudit } from '../../../../src/domain/platform/events/record-event.ts';
import { inTenant } from '../../../../src/lib/db/tenant.ts';
import { caseStage } from '../../../support/case-stage.ts';
import { happened, type QueuedCase, queueCases, rowOf } from '../../../support/queue-stage.ts';

// Who is offered a case as time passes: leases, reservations, private pools, languages, vacations.

const stage = await caseStage();
const { rows, work, clock, later } = stage;
const database = { db: stage.owner };
const hour = 60;
/** Queued at this moment of the stage's clock. */
function queue(...cases: QueuedCase[]): Promise<string[]> {
  const ahead = (clock.now().getTime() - Date.now()) / 60_000;
  const moved = cases.map((each) => ({
    ...each,
    queuedSince: (each.queuedSince ?? 0) - ahead,
    dueIn: (each.dueIn ?? 5 * 24 * hour) + ahead,
    ...(each.laneUntil !== undefined && { laneUntil: each.laneUntil + ahead }),
  }));
  return queueCases(database, moved);
}
const audit = openAudit(auditEvents.physicianActivity, systemActorOf(1), { id: 'test', ipPrefix: undefined });

interface NewPhysician {
  pool?: string;
  away?: boolean;
  active?: boolean;
  groupPools?: string[];
  capabilities?: string[];
}

async function physician(options: NewPhysician = {}): Promise<number> {
  const { pool = null, away = false, active = true, groupPools = [], capabilities = [] } = options;
  const [row] = await rows<{ id: number }>(
    `WITH person AS (
       INSERT INTO users (uuid, tenant_id, email, password_hash, role, is_active)
       VALUES (gen_random_uuid(), 1, gen_random_uuid() || '@example.org', '!', 'physician', $3) RETURNING id),
     team AS (
       INSERT INTO user_groups (uuid, tenant_id, name, settings)
       VALUES (gen_random_uuid(), 1, gen_random_uuid()::text, $4::jsonb) RETURNING id),
     member AS (
       INSERT INTO user_group_members (tenant_id, group_id, user_id) SELECT 1, team.id, person.id FROM team, person)
     INSERT INTO physicians (uuid, tenant_id, user_id, private_pool, vacation_mode)
     SELECT gen_random_uuid(), 1, id, $1, $2 FROM person RETURNING id`,
    [pool, away, active, JSON.stringify({ pools: groupPools, capabilities })],
  );
  return row?.id as number;
}

const becomePatient = (physicianId: number) =>
  rows(`UPDATE users SET role = 'patient' WHERE id = (SELECT user_id FROM physicians WHERE id = $1)`, [
    physicianId,
  ]);

/** Puts queued cases into a physician's hand, or on hold. */
async function give(
  physicianId: number,
  uuids: readonly string[],
  place: { pending?: string; lease?: string } = {},
) {
  const { pending = null, lease = '30 minutes' } = place;
  await rows(
    `UPDATE request_records SET status = CASE WHEN $3::text IS NULL THEN 'in_review' ELSE 'on_hold' END, pending_status = $3,
       assigned_physician_id = $1, lease_expires_at = CASE WHEN $3::text IS NULL THEN $5::timestamptz + $4::interval END,
       lane_pool = NULL, lane_language = NULL, status_changed_at = $5, held_at = CASE WHEN $3::text IS NOT NULL THEN $5::timestamptz END
     WHERE uuid = ANY ($2)`,
    [physicianId, uuids, pending, lease, clock.now()],
  );
}

/** Where each case waits, such as `general/en`. */
async function lanes(uuids: readonly string[]): Promise<string[]> {
  const found = await Promise.all(uuids.map((uuid) => rowOf(database, uuid)));
  return found.map((row) => `${String(row['lane_pool'])}/${String(row['lane_language'])}`);
}

beforeEach(
  async () =>
    void (await rows(
      `UPDATE request_records SET status = 'cancelled', pending_status = NULL WHERE status <> 'cancelled'`,
    )),
);

test('a lease that has run out returns the case to its lane; its physician stays named, and the third time is reported', async () => {
  const id = await physician();
  const uuids = await queue({ pool: 'hand-clinic' }, {}, {});
  const [over = '', third = '', live = ''] = uuids;
  await give(id, uuids);
  await rows(`UPDATE request_records SET lease_count = 2 WHERE uuid = $1`, [third]);
  await rows(
    `UPDATE request_records SET lease_expires_at = lease_expires_at + interval '1 hour' WHERE uuid = $1`,
    [live],
  );
  expect(await returnLeases(work, clock.now())).toEqual({ done: 0, failed: 0 });
  later(31);
  expect(await returnLeases(work, clock.now())).toEqual({ done: 2, failed: 0 });
  expect(await rowOf(database, over)).toMatchObject({
    status: 'queued',
    status_reason: 'lease_expired',
    lane_pool: 'hand-clinic',
    lane_language: 'en',
    lease_expires_at: null,
    lease_count: 1,
    assigned_physician_id: id,
    version: 2,
  });
  expect(await rowOf(database, live)).toMatchObject({ status: 'in_review', version: 1 });
  expect(await happened(database, over)).toEqual(['case_lease_expired']);
  expect(await happened(database, third)).toEqual(['case_lease_expired', 'case_leases_wasted']);
});

describe('a case is offered to more physicians', () => {
  test('from a private pool after 15 minutes, 2 hours or a day, in any language after 15 minutes, 4 or 48 hours', async () => {
    await physician({ pool: 'hand-clinic' });
    const pool = 'hand-clinic';
    const uuids = await queue(
      { rank: 0, pool },
      { rank: 1, pool },
      { rank: 2, pool },
      { rank: 0, language: 'he' },
      { rank: 1, language: 'he' },
      { rank: 2, language: 'he' },
    );
    const at = async (minutes: number) => {
      later(minutes);
      await openLanes(work, clock.now());
      return await lanes(uuids);
    };
    const start = [
      'hand-clinic/en',
      'hand-clinic/en',
      'hand-clinic/en',
      'general/he',
      'general/he',
      'general/he',
    ];
    expect(await at(14)).toEqual(start);
    expect(await at(1)).toEqual(['general/any', ...start.slice(1, 3), 'general/any', ...start.slice(4)]);
    expect((await at(2 * hour - 15))[1]).toBe('general/en');
    expect((await at(2 * hour))[4]).toBe('general/any');
    expect((await at(20 * hour))[2]).toBe('general/en');
    expect((await at(24 * hour)).slice(1)).toEqual(Array.from({ length: 5 }, () => 'general/any'));
    expect(await openLanes(work, clock.now())).toEqual({ done: 0, failed: 0 });
    const [row, pooled] = await Promise.all([
      rowOf(database, uuids[2] ?? ''),
      happened(database, uuids[2] ?? ''),
    ]);
    expect(row).toMatchObject({ version: 1, pool, language: 'en' });
    expect(pooled).toEqual(['case_lane_changed', 'case_lane_changed']);
  });

  test('at the end of a reservation, or once its physician is away, gone or a patient', async () => {
    const [here, away, gone, patient] = [
      await physician(),
      await physician({ away: true }),
      await physician({ active: false }),
      await physician(),
    ];
    await becomePatient(patient);
    await physician({ pool: 'hand-clinic' });
    const reserved = (id: number) => ({ lanePool: `physician:${id}`, laneLanguage: 'any', laneUntil: hour });
    const uuids = await queue(
      { ...reserved(here), pool: 'hand-clinic' },
      { ...reserved(here), laneUntil: 25 * hour },
      { ...reserved(away), language: 'he' },
      { ...reserved(gone), rank: 0, queuedSince: 20 },
      reserved(patient),
    );
    await openLanes(work, clock.now());
    const opened = ['general/he', 'general/any', 'general/en'];
    expect(await lanes(uuids)).toEqual([`physician:${here}/any`, `physician:${here}/any`, ...opened]);
    later(61);
    await openLanes(work, clock.now());
    expect(await lanes(uuids)).toEqual(['hand-clinic/en', `physician:${here}/any`, ...opened]);
    expect(await rowOf(database, uuids[0] ?? '')).toMatchObject({ lane_until: null });
  });

  test('at once from a private pool that no physician at work serves, by profile or by a group', async () => {
    await physician({ pool: 'deserted', away: true });
    await physician({ pool: 'left', active: false });
    const patient = await physician({ pool: 'given up' });
    await becomePatient(patient);
    await physician({ pool: 'shared', away: true });
    await physician({ groupPools: ['shared'] });
    const pools = ['deserted', 'left', 'shared', 'unknown', 'given up'];
    const uuids = await queue(...pools.map((pool) => ({ pool })));
    await openLanes(work, clock.now());
    const general = 'general/en';
    expect(await lanes(uuids)).toEqual([general, general, 'shared/en', general, general]);
  });
});

test('a hold that ends leads back to its physician for a day, of an emergency for a quarter of an hour, of an urgent case for two hours, if at work', async () => {
  const [here, away] = [await physician(), await physician({ away: true })];
  const { sla } = await readCaseRules(work, 1);
  const rules = await readQueueRules(work, 1);
  const uuids = await queue(
    { dueIn: 600 },
    { rank: 0, dueIn: 30 },
    { rank: 1, dueIn: 300 },
    { pool: 'hand-clinic', dueIn: 600 },
  );
  await give(here, uuids.slice(0, 3), { pending: 'technical' });
  await give(away, uuids.slice(3), { pending: 'technical' });
  const before = await Promise.all(uuids.map((uuid) => rowOf(database, uuid)));
  later(20);
  const now = clock.now();
  for (const uuid of uuids) {
    await inTenant(work.db, 1, async (tx) => {
      const record = await lockCase(tx, uuid);
      if (record !== undefined) await resumeCase(tx, { audit, now, rules, sla }, record, { by: 'system' });
    });
  }
  expect(await lanes(uuids)).toEqual([
    ...Array.from({ length: 3 }, () => `physician:${here}/any`),
    'hand-clinic/en',
  ]);
  const after = await Promise.all(uuids.map((uuid) => rowOf(database, uuid)));
  const minutes = (row: Record<string, unknown>, name: string, since: unknown) =>
    row[name] === null
      ? null
      : Math.round(((row[name] as Date).getTime() - (since as Date).getTime()) / 60_000);
  expect(after.map((row) => minutes(row, 'lane_until', now))).toEqual([24 * hour, 15, 2 * hour, null]);
  expect(after.map((row, index) => minutes(row, 'due_at', before[index]?.['due_at']))).toEqual([
    20, 20, 20, 20,
  ]);
});

test('a refused case that staff open again waits in its own pool, or in that of its patient if it has none', async () => {
  const { sla } = await readCaseRules(work, 1);
  const rules = await readQueueRules(work, 1);
  const uuids = await queue({}, { pool: 'hand-clinic' });
  await rows(
    `UPDATE patients SET pool = 'vip' WHERE id IN (SELECT patient_id FROM request_records WHERE uuid = ANY ($1))`,
    [uuids],
  );
  await rows(
    `UPDATE request_records SET status = 'ineligible', eligibility_outcome = 'ineligible', queued_at = NULL,
       lane_pool = NULL, lane_language = NULL WHERE uuid = ANY ($1)`,
    [uuids],
  );
  for (const uuid of uuids) {
    await inTenant(work.db, 1, async (tx) => {
      const record = await lockCase(tx, uuid);
      if (record === undefined) return;
      const how = { by: 'staff', reason: 'other', requestId: 'test' } as const;
      await reopenCase(tx, { audit, now: clock.now(), rules, sla }, record, how);
    });
  }
  expect(await lanes(uuids)).toEqual(['vip/en', 'hand-clinic/en']);
  const pools = await Promise.all(uuids.map(async (uuid) => (await rowOf(database, uuid))['pool']));
  expect(pools).toEqual(['vip', 'hand-clinic']);
});

describe('a physician', () => {
  const having = async (id: number) => {
    const uuids = await queue(
      { lanePool: `physician:${id}`, laneLanguage: 'any', laneUntil: hour },
      {},
      {},
      {},
    );
    const [, held = '', asked = '', leased = ''] = uuids;
    await give(id, [held], { pending: 'technical' });
    await give(id, [asked], { pending: 'awaiting_patient' });
    await give(id, [leased]);
    return uuids;
  };
  const handBack = async (id: number, why: 'vacation' | 'deactivated') => {
    const { sla } = await readCaseRules(work, 1);
    return await inTenant(work.db, 1, (tx) => handBackAll(tx, { audit, now: clock.now(), sla }, id, why));
  };
  const standing = async (uuids: readonly string[]) =>
    (await Promise.all(uuids.map((uuid) => rowOf(database, uuid)))).map(
      (row) => `${String(row['status'])} ${String(row['lane_pool'])}`,
    );

  test('on vacation hands back reservations and holds that wait for nobody else, and keeps what is in hand', async () => {
    const id = await physician();
    const uuids = await having(id);
    expect(await handBack(id, 'vacation')).toBe(2);
    expect(await standing(uuids)).toEqual([
      'queued general',
      'queued general',
      'on_hold null',
      'in_review null',
    ]);
    expect(await handBack(id, 'vacation')).toBe(0);
  });

  test('whose account was deactivated hands back everything', async () => {
    const id = await physician({ active: false });
    const uuids = await having(id);
    expect(await handBack(id, 'deactivated')).toBe(4);
    expect(await standing(uuids)).toEqual(Array.from({ length: 4 }, () => 'queued general'));
    expect(await happened(database, uuids[3] ?? '')).toEqual(['case_released']);
    expect(await rowOf(database, uuids[3] ?? '')).toMatchObject({
      assigned_physician_id: null,
      lease_count: 0,
    });
  });

  test('is back from vacation when it was to end', async () => {
    const [ending, open] = [await physician({ away: true }), await physician({ away: true })];
    await rows('UPDATE physicians SET vacation_until = $2 WHERE id = $1', [
      ending,
      new Date(clock.now().getTime() + 60_000),
    ]);
    expect(await endVacations(work, clock.now())).toEqual({ ended: 0 });
    later(1);
    expect(await endVacations(work, clock.now())).toEqual({ ended: 1 });
    const modes = await rows(
      'SELECT id, vacation_mode, vacation_until FROM physicians WHERE id = ANY ($1) ORDER BY id',
      [[ending, open]],
    );
    expect(modes).toEqual([
      { id: ending, vacation_mode: false, vacation_until: null },
      { id: open, vacation_mode: true, vacation_until: null },
    ]);
  });
});

test('an emergency that waits while no physician on call is at work is reported at once', async () => {
  const reported = async () => {
    stage.lines.length = 0;
    await watchQueue(work.db, work.log, clock.now());
    return stage.lines.filter((line) => line.includes('"emergency_without_on_call"')).length;
  };
  expect(await reported()).toBe(0);
  await queue({ rank: 0 }, { rank: 1 });
  await physician({ capabilities: ['on_call'], away: true });
  await physician({ capabilities: ['on_call'], active: false });
  await physician({ capabilities: ['case.audit'] });
  expect(await reported()).toBe(1);
  await physician({ capabilities: ['on_call'] });
  expect(await reported()).toBe(0);
});

test('a tenant whose queue cannot be counted silences no alert of another, and the run fails', async () => {
  const { rows: tenants } = await stage.owner.query<{ id: number }>(
    `INSERT INTO tenants (uuid, slug, name) VALUES (gen_random_uuid(), 'watched', 'Watched') RETURNING id`,
  );
  const other = tenants[0]?.id as number;
  await queueCases(database, [{ rank: 0 }], other);
  const [bad] = await queue({ rank: 2 });
  // No point in time.
  await rows(`UPDATE request_records SET due_at = '-infinity' WHERE uuid = $1`, [bad]);
  stage.lines.length = 0;
  await expect(watchQueue(work.db, work.log, clock.now())).rejects.toThrow(TypeError);
  expect(stage.lines.map((line) => JSON.parse(line) as object)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ event: 'timer_step_failed', tenant: 1 }),
      expect.objectContaining({ event: 'emergency_without_on_call', tenant: other, count: 1 }),
    ]),
  );
  await rows(`UPDATE request_records SET status = 'cancelled' WHERE uuid = $1`, [bad]);
});

test('a tenant whose cases cannot be found holds up no other', async () => {
  const { rows: tenants } = await stage.owner.query<{ id: number }>(
    `INSERT INTO tenants (uuid, slug, name) VALUES (gen_random_uuid(), 'after-the-first', 'After the first') RETURNING id`,
  );
  const other = tenants[0]?.id as number;
  const searched: number[] = [];
  stage.lines.length = 0;
  const run = await forEachCase(
    work,
    async (tenantId) => {
      searched.push(tenantId);
      if (tenantId === 1) throw new Error('timestamp out of range');
      return tenantId === other ? [{ uuid: 'one' }] : [];
    },
    async () => undefined,
  );
  expect(run).toEqual({ done: 1, failed: 1 });
  expect(searched).toEqual(expect.arrayContaining([1, other]));
  expect(stage.lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    { event: 'case_step_failed', tenant: 1 },
  ]);
});

test('minutes of more than a year count as none, so that their tenant’s lanes open by the default', async () => {
  await physician({ pool: 'hand-clinic' });
  const uuids = await queue({ rank: 0, pool: 'hand-clinic' });
  for (const key of ['pool_open_minutes', 'language_open_minutes']) {
    await stage.setRule(`queue/rules/${key}`, [9_999_999_999, 9_999_999_999, 9_999_999_999]);
  }
  try {
    later(16);
    expect(await openLanes(work, clock.now())).toMatchObject({ failed: 0 });
    expect(await lanes(uuids)).toEqual(['general/any']);
  } finally {
    await stage.setRule('queue/rules/pool_open_minutes', [15, 120, 1440]);
    await stage.setRule('queue/rules/language_open_minutes', [15, 240, 2880]);
  }
});
