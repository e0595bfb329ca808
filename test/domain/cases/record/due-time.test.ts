import { describe, expect, test } from 'vitest';
import {
  dueAt,
  dueAtLevel,
  dueFrom,
  dueOnHold,
  rankOf,
} from '../../../../src/domain/cases/record/due-time.ts';
import {
  homeLane,
  laneAfterChange,
  laneOf,
  noLane,
  physicianOf,
  reservedLane,
  reservedUntil,
} from '../../../../src/domain/cases/record/lane.ts';
import { parameterSchemas } from '../../../../src/domain/platform/parameters/parameter-schemas.ts';
import { TriageLevel } from '../../../../src/domain/intake/triage/triage.schemas.ts';

const sla = { emergency: 1, urgent_24h: 24, soon_2_weeks: 72, routine: 120, self_care: 168 };
const submitted = new Date('2026-03-29T00:30:00Z');
const hour = 60 * 60 * 1000;

test('emergencies come before urgent cases, and these before all others', () => {
  expect(TriageLevel.options.map(rankOf)).toEqual([0, 1, 2, 2, 2]);
});

test('a case is due so many hours after it was submitted, and time on hold does not count', () => {
  const hours = (level: TriageLevel, held?: number) =>
    (dueAt(submitted, level, sla, held).getTime() - submitted.getTime()) / hour;
  expect(TriageLevel.options.map((level) => hours(level))).toEqual([1, 24, 72, 120, 168]);
  expect(hours('urgent_24h', 5 * hour)).toBe(29);
});

test('a case on hold keeps its due time, moved by the hold; a more urgent one is due sooner', () => {
  const after = (hours: number) => new Date(submitted.getTime() + hours * hour);
  const held = {
    status: 'on_hold' as const,
    submitted_at: submitted,
    // An earlier hold has moved it from 120 hours.
    due_at: after(150),
    status_changed_at: after(40),
  };
  const at = { now: after(60), sla };
  expect(dueFrom(held, 'routine', at)).toEqual(after(170));
  expect(dueFrom(held, 'emergency', at)).toEqual(after(61));
  // One that was put on hold before it had a due time.
  expect(dueFrom({ ...held, due_at: null }, 'routine', at)).toEqual(after(140));
});

test('a hold of the service begins with a due time, which stays while it is asked about again', () => {
  const after = (hours: number) => new Date(submitted.getTime() + hours * hour);
  const at = { now: after(400), sla };
  const refused = {
    status: 'ineligible' as const,
    submitted_at: submitted,
    due_at: null,
    status_changed_at: after(1),
  };
  expect(dueOnHold(refused, 'routine', at)).toEqual(after(520));
  const reopened = {
    ...refused,
    status: 'submitted' as const,
    due_at: after(120),
    status_changed_at: after(399),
  };
  expect(dueOnHold(reopened, 'routine', at)).toEqual(after(519));
  expect(dueOnHold({ ...reopened, status: 'on_hold', due_at: after(519) }, 'routine', at)).toEqual(
    after(519),
  );
});

test('a more urgent level is due within its own time from now, and no later; a less urgent one later by the difference', () => {
  const after = (hours: number) => new Date(submitted.getTime() + hours * hour);
  const routine = { due_at: after(120), triage_level: 'routine' as const };
  const at = { now: after(60), sla };
  expect(dueAtLevel(routine, 'routine', at)).toEqual(after(120));
  expect(dueAtLevel(routine, 'self_care', at)).toEqual(after(168));
  expect(dueAtLevel(routine, 'urgent_24h', at)).toEqual(after(84));
  expect(dueAtLevel(routine, 'soon_2_weeks', at)).toEqual(after(120));
  expect(dueAtLevel({ ...routine, due_at: null }, 'emergency', at)).toBeNull();
  expect(dueAtLevel({ ...routine, triage_level: null }, 'emergency', at)).toEqual(after(120));
  // Two levels may have the same time.
  const held = { ...routine, due_at: after(150) };
  const same = { ...sla, soon_2_weeks: 120 };
  expect(dueAtLevel(held, 'soon_2_weeks', { now: after(1), sla: same })).toEqual(after(150));
});

test('a case in the queue has the due time of its submission; one that had ended, of now', () => {
  const after = (hours: number) => new Date(submitted.getTime() + hours * hour);
  const record = { submitted_at: submitted, due_at: null, status_changed_at: after(2) };
  const at = { now: after(3), sla };
  expect(dueFrom({ ...record, status: 'queued' }, 'routine', at)).toEqual(after(120));
  expect(dueFrom({ ...record, status: 'queued', submitted_at: null }, 'routine', at)).toEqual(after(123));
  expect(dueFrom({ ...record, status: 'submitted' }, 'routine', at)).toEqual(after(122));
  expect(dueFrom({ ...record, status: 'ineligible' }, 'routine', at)).toEqual(after(123));
});

describe('a case that waits', () => {
  const general = { status: 'queued', pool: 'general', language: 'he', triage_rank: 1 } as const;
  const home = { ...general, lane_pool: 'general', lane_language: 'any' };
  const reserved = { ...general, ...reservedLane(7, submitted) };
  const homeNow = { lane_pool: 'general', lane_language: 'he', lane_until: null };

  test.each([
    ['stays in an opened lane', home, { rank: 0 }, { lane_pool: 'general', lane_language: 'any' }],
    ['goes to the pool given', home, { pool: 'vip', rank: 1 }, { lane_pool: 'vip', lane_language: 'any' }],
    [
      'goes to the language given',
      home,
      { language: 'ar', rank: 1 },
      { lane_pool: 'general', lane_language: 'ar' },
    ],
    ['stays reserved when it is no more urgent', reserved, { pool: 'vip', language: 'ar', rank: 1 }, {}],
    ['stays reserved when it is less urgent', reserved, { rank: 2 }, {}],
    ['stays reserved without a rank', reserved, { pool: 'vip', rank: null }, {}],
    ['stays reserved when it had no rank', { ...reserved, triage_rank: null }, { rank: 0 }, {}],
    ['is offered to all when it is more urgent', reserved, { rank: 0 }, homeNow],
    [
      'is offered in what was given when it is more urgent',
      reserved,
      { pool: 'vip', language: 'ar', rank: 0 },
      { ...homeNow, lane_pool: 'vip', lane_language: 'ar' },
    ],
    [
      'has no lane to change when it is not queued',
      { ...home, status: 'in_review' },
      { pool: 'vip', rank: 0 },
      {},
    ],
  ] as const)('%s', (_, record, change, lane) => {
    expect(laneAfterChange(record, change)).toEqual(lane);
  });

  test('is in the lane of one physician, of its pool and language, or in none', () => {
    expect(reservedLane(7, submitted)).toEqual({
      lane_pool: 'physician:7',
      lane_language: 'any',
      lane_until: submitted,
    });
    expect(homeLane(general)).toEqual(homeNow);
    expect(noLane).toEqual({ lane_pool: null, lane_language: null, lane_until: null });
    const pools = [
      'physician:7',
      'physician:70',
      'general',
      'physician:',
      'xphysician:7',
      'physician:7x',
      null,
    ];
    expect(pools.map((pool) => physicianOf({ lane_pool: pool }))).toEqual([7, 70, ...Array(5)]);
  });

  test('waits for one physician for hours, an urgent one no longer than for a private pool', () => {
    const rules = parameterSchemas['queue/rules'].parse({});
    const minutes = (rank: number | null, hours = 24) =>
      (reservedUntil({ ...rules, reserve_hours: hours }, rank, submitted).getTime() - submitted.getTime()) /
      60_000;
    expect([0, 1, 2, null].map((rank) => minutes(rank))).toEqual([15, 120, 1440, 1440]);
    expect([0, 1, 2].map((rank) => minutes(rank, 1))).toEqual([15, 60, 60]);
  });
});

test('a case waits in the pool of its patient, else in the general one, in its own language', () => {
  const unqueued = { pool: 'general', queued_at: null };
  expect(laneOf({ pool: null }, { ...unqueued, language: 'he' })).toEqual({
    pool: 'general',
    language: 'he',
  });
  expect(laneOf({ pool: 'vip' }, { ...unqueued, language: 'ar' })).toEqual({ pool: 'vip', language: 'ar' });
});

test('a case that was queued before, or moved by staff, waits in its own pool', () => {
  const patient = { pool: 'vip' };
  const record = { pool: 'hand-clinic', language: 'en' as const, queued_at: null };
  expect(laneOf(patient, record)).toMatchObject({ pool: 'hand-clinic' });
  expect(laneOf(patient, { ...record, queued_at: submitted })).toMatchObject({ pool: 'hand-clinic' });
  expect(laneOf(patient, { ...record, pool: 'general', queued_at: submitted })).toMatchObject({
    pool: 'general',
  });
});
