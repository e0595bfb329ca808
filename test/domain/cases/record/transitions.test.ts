import { describe, expect, test } from 'vitest';
import type { CaseRecord } from '../../../../src/domain/cases/record/case.queries.ts';
import {
  CaseStatus,
  holds,
  PatientStatus,
  patientStatusOf,
  type Place,
  placeOf,
  places,
  standingAt,
} from '../../../../src/domain/cases/record/case-status.ts';
import { patientActions } from '../../../../src/domain/cases/record/patient-actions.ts';
import { stateConflict } from '../../../../src/domain/cases/record/state-conflict.ts';
import {
  allowedActions,
  type TransitionName,
  transitionNames,
  transitionOf,
} from '../../../../src/domain/cases/record/transitions.ts';

const recordAt = (
  place: (typeof places)[number],
  analysis: CaseRecord['analysis_state'] = 'done',
  outcome: CaseRecord['eligibility_outcome'] = 'needs_patient',
) => {
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

const byParty = {
  staff: {
    draft: 'cancel',
    submitted: 'cancel check_eligibility update_record',
    queued: 'take claim assign cancel check_eligibility update_record',
    in_review: 'assign cancel update_record',
    answered: 'publish',
    closed: 'reopen',
    ineligible: 'reopen check_eligibility update_record',
    cancelled: 'reopen',
    expired: 'reopen',
    'on_hold/awaiting_patient': 'assign change_pending_status resume cancel check_eligibility update_record',
    'on_hold/awaiting_second_opinion': 'assign change_pending_status resume cancel update_record',
    'on_hold/awaiting_result': 'assign change_pending_status resume cancel update_record',
    'on_hold/technical': 'assign change_pending_status resume cancel update_record',
  },
  physician: {
    draft: '',
    submitted: 'update_record',
    queued: 'update_record',
    in_review: 'renew_lease release hold sign update_record',
    answered: 'undo',
    closed: 'reopen amend',
    ineligible: 'reopen update_record',
    cancelled: 'reopen',
    expired: 'reopen',
    'on_hold/awaiting_patient': 'change_pending_status update_record',
    'on_hold/awaiting_second_opinion': 'change_pending_status update_record',
    'on_hold/awaiting_result': 'change_pending_status update_record',
    'on_hold/technical': 'change_pending_status update_record',
  },
  system: {
    draft: 'expire',
    submitted: 'analyse queue ask_patient refuse',
    queued: 'refuse',
    in_review: 'release expire_lease',
    answered: 'publish',
    closed: 'erase',
    ineligible: 'queue ask_patient erase',
    cancelled: 'erase',
    expired: 'erase',
    'on_hold/awaiting_patient': 'analyse queue ask_patient refuse resume remind expire',
    'on_hold/awaiting_second_opinion': 'queue resume',
    'on_hold/awaiting_result': 'queue resume',
    'on_hold/technical': 'queue resume',
  },
} satisfies Record<string, Record<Place, string>>;

test.each(['staff', 'physician', 'system'] as const)('what %s may do at each place', (party) => {
  expect(Object.fromEntries(places.map((place) => [place, allowedActions(place, party).join(' ')]))).toEqual(
    byParty[party],
  );
});

test('where each transition leads', () => {
  const ends: Partial<Record<TransitionName, readonly Place[]>> = {
    create: ['draft'],
    submit: ['submitted'],
    queue: ['queued'],
    ask_patient: ['on_hold/awaiting_patient'],
    refuse: ['ineligible'],
    take: ['in_review'],
    claim: ['in_review'],
    assign: ['queued'],
    release: ['queued'],
    expire_lease: ['queued'],
    hold: holds,
    change_pending_status: holds,
    reply: ['queued', 'on_hold/awaiting_patient'],
    resume: ['queued'],
    sign: ['answered'],
    undo: ['in_review'],
    publish: ['closed'],
    cancel: ['cancelled'],
    reopen: ['queued', 'submitted'],
    reopen_by_reply: ['queued'],
    expire: ['expired'],
  };
  for (const name of transitionNames) {
    expect([name, transitionOf(name).to]).toEqual([name, ends[name] ?? 'same']);
  }
  expect(transitionOf('create').by).toEqual(['account', 'staff']);
});

describe('what a patient may do with a case now', () => {
  const now = new Date('2026-11-27T08:00:00Z');
  const daysAgo = (days: number, ms = 0) => new Date(now.getTime() - days * 24 * 60 * 60 * 1000 - ms);
  const standing = {
    ...recordAt('closed'),
    eligibility_reasons: [] as string[],
    closed_at: daysAgo(14),
    reopened_by_patient_at: null,
  };

  test.each([
    ['an answer of 14 days', {}, ['reply', 'acknowledge']],
    ['an older answer', { closed_at: daysAgo(14, 1) }, ['acknowledge']],
    ['an answer that took a reply', { reopened_by_patient_at: daysAgo(1) }, ['acknowledge']],
    ['a case that never closed', { closed_at: null }, ['acknowledge']],
    ['a queued case', { ...recordAt('queued') }, ['cancel']],
    [
      'a queued case without what was asked for',
      { ...recordAt('queued'), eligibility_reasons: ['quota_exceeded', 'photos_missing'] },
      ['update', 'cancel'],
    ],
    [
      'a queued case that lacks what no patient can mend',
      { ...recordAt('queued'), eligibility_reasons: ['quota_exceeded'] },
      ['cancel'],
    ],
    ['a draft', { ...recordAt('draft') }, ['update', 'submit', 'cancel']],
    [
      'a question',
      { ...recordAt('on_hold/awaiting_patient'), reopened_by_patient_at: daysAgo(1) },
      ['update', 'reply', 'cancel'],
    ],
  ])('%s', (_, changes, actions) => {
    expect(patientActions({ ...standing, ...changes }, now)).toEqual(actions);
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
  const unjudged = { ...recordAt('on_hold/awaiting_patient'), eligibility_outcome: null };
  expect(patientStatusOf(unjudged)).toBe('waiting');
  // Asked by a physician: it was queued before.
  expect(patientStatusOf({ ...unjudged, queued_at: new Date() })).toBe('action_needed');
});

test('a refusal names the status as its caller knows it', () => {
  const record = recordAt('on_hold/awaiting_result');
  expect(stateConflict(record, 'account').members).toEqual({
    current_status: 'in_review',
    allowed_actions: ['cancel'],
  });
  expect(stateConflict(record, 'staff').members).toMatchObject({ current_status: 'on_hold' });
});
