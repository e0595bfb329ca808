import { expect, test } from 'vitest';
import { dueAt, dueFrom, dueOnHold, rankOf } from '../../../../src/domain/cases/queue/due-time.ts';
import { laneOf } from '../../../../src/domain/cases/queue/lane.ts';
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
    status: 'on_hold',
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
    status: 'ineligible',
    submitted_at: submitted,
    due_at: null,
    status_changed_at: after(1),
  };
  expect(dueOnHold(refused, 'routine', at)).toEqual(after(520));
  const reopened = { ...refused, status: 'submitted', due_at: after(120), status_changed_at: after(399) };
  expect(dueOnHold(reopened, 'routine', at)).toEqual(after(519));
  expect(dueOnHold({ ...reopened, status: 'on_hold', due_at: after(519) }, 'routine', at)).toEqual(
    after(519),
  );
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
  const record = { pool: 'hand-clinic', language: 'en', queued_at: null };
  expect(laneOf(patient, record)).toMatchObject({ pool: 'hand-clinic' });
  expect(laneOf(patient, { ...record, queued_at: submitted })).toMatchObject({ pool: 'hand-clinic' });
  expect(laneOf(patient, { ...record, pool: 'general', queued_at: submitted })).toMatchObject({
    pool: 'general',
  });
});
