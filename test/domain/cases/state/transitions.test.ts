import { describe, expect, test } from 'vitest';
import {
  CaseStatus,
  PatientStatus,
  patientStatusOf,
  placeOf,
  places,
  standingAt,
} from '../../../../src/domain/cases/state/case-status.ts';
import { stateConflict } from '../../../../src/domain/cases/state/state-conflict.ts';
import {
  allowedActions,
  transitionNames,
  transitionOf,
} from '../../../../src/domain/cases/state/transitions.ts';

const recordAt = (place: (typeof places)[number], analysis = 'done', outcome = 'needs_patient') => {
  const { status, pendingStatus } = standingAt(place);
  return {
    status,
    pending_status: pendingStatus,
    analysis_state: analysis,
    eligibility_outcome: outcome,
    queued_at: null,
  };
};

test('every status is reached, and left unless it is an end', () => {
  const ends = new Set(transitionNames.flatMap((name) => transitionOf(name).to));
  expect(places.filter((place) => !ends.has(place))).toEqual([]);
  const begun = new Set(transitionNames.flatMap((name) => transitionOf(name).from));
  expect(places.filter((place) => !begun.has(place))).toEqual([]);
});

test('the transitions are those of the design, T01 to T25, the patient who has seen the answer, and corrections', () => {
  const ids = [...new Set(transitionNames.map((name) => transitionOf(name).id))];
  expect(ids).toEqual(Array.from({ length: 27 }, (_, index) => `T${String(index + 1).padStart(2, '0')}`));
});

test('nothing leads out of an end but reopening, erasure and what is written to an answer', () => {
  for (const place of ['closed', 'cancelled', 'expired'] as const) {
    const out = transitionNames.filter((name) => transitionOf(name).from.includes(place));
    const known =
      place === 'closed'
        ? ['reopen', 'reopen_by_reply', 'amend', 'erase', 'acknowledge']
        : ['reopen', 'erase'];
    expect(out).toEqual(known);
  }
});

describe('what a patient may do', () => {
  test.each([
    ['draft', ['update', 'submit', 'cancel']],
    ['submitted', ['cancel']],
    ['queued', ['update', 'cancel']],
    ['in_review', ['cancel']],
    ['on_hold/awaiting_patient', ['update', 'reply', 'cancel']],
    ['on_hold/awaiting_result', ['cancel']],
    ['answered', []],
    ['closed', ['reply', 'acknowledge']],
    ['ineligible', []],
    ['cancelled', []],
    ['expired', []],
  ] as const)('%s: %j', (place, actions) => {
    expect(allowedActions(place, 'account')).toEqual(actions);
  });
});

test('a place is a status with what it waits for, both ways', () => {
  for (const place of places) expect(placeOf(recordAt(place))).toBe(place);
  expect(new Set(places.map((place) => standingAt(place).status))).toEqual(new Set(CaseStatus.options));
});

test('patients see eight statuses, and nothing of what happens between physicians', () => {
  expect(new Set(places.map((place) => patientStatusOf(recordAt(place))))).toEqual(
    new Set(PatientStatus.options),
  );
  expect(patientStatusOf(recordAt('on_hold/technical'))).toBe('in_review');
  expect(patientStatusOf(recordAt('answered'))).toBe('in_review');
  expect(patientStatusOf(recordAt('on_hold/awaiting_patient'))).toBe('action_needed');
  expect(patientStatusOf(recordAt('on_hold/awaiting_patient', 'pending'))).toBe('waiting');
  expect(patientStatusOf(recordAt('on_hold/awaiting_patient', 'done', 'undetermined'))).toBe('waiting');
});

test('a refusal names the status as its caller knows it', () => {
  const record = recordAt('on_hold/awaiting_result');
  expect(stateConflict(record, 'account').members).toEqual({
    current_status: 'in_review',
    allowed_actions: ['cancel'],
  });
  expect(stateConflict(record, 'staff').members).toMatchObject({ current_status: 'on_hold' });
});
