import { describe, expect, test } from 'vitest';
import { isHolder } from '../../../../src/domain/cases/record/visible-cases.ts';
import { isInLanesOf, poolsOf } from '../../../../src/domain/cases/record/staff-lanes.ts';
import type { CaseRecord } from '../../../../src/domain/cases/record/case.queries.ts';
import {
  isLeaseOver,
  mayReopen,
  offeredToStaff,
  partiesOf,
  staffActions,
} from '../../../../src/domain/cases/record/staff-actions.ts';
import type { Capability } from '../../../../src/domain/identity/groups/capability.ts';
import type { Staff, StaffPhysician } from '../../../../src/domain/identity/groups/staff.ts';

const now = new Date('2026-11-27T08:00:00Z');
const inMs = (ms: number) => new Date(now.getTime() + ms);
const dayMs = 24 * 60 * 60 * 1000;

const profile = {
  id: 7,
  privatePool: 'vip',
  groupPools: ['hands'],
  isAway: false,
  reviewLanguages: ['he'],
  adminSettings: {},
} as unknown as StaffPhysician;

const staff = (
  role: 'physician' | 'admin',
  physician: Partial<StaffPhysician> | null,
  ...capabilities: Capability[]
) =>
  ({
    actor: { role },
    physician: physician && { ...profile, ...physician },
    capabilities: new Set(capabilities),
  }) as unknown as Staff;

/** The physician of the case. */
const own = staff('physician', {});
const other = staff('physician', { id: 70 });
const admin = staff('admin', null, 'case.assign', 'case.cancel', 'case.reopen');

const record = (changes: Partial<CaseRecord>) =>
  ({
    status: 'queued',
    pending_status: null,
    pool: 'general',
    language: 'he',
    lane_pool: 'general',
    lane_language: 'he',
    triage_rank: 1,
    assigned_physician_id: null,
    lease_expires_at: null,
    submitted_at: inMs(-dayMs),
    queued_at: inMs(-dayMs),
    closed_at: null,
    publish_at: null,
    analysis_state: 'done',
    ...changes,
  }) as CaseRecord;

const queued = record({});
const inHand = record({
  status: 'in_review',
  assigned_physician_id: 7,
  lease_expires_at: inMs(1),
  lane_pool: null,
  lane_language: null,
});
const onHold = record({ status: 'on_hold', pending_status: 'awaiting_patient', assigned_physician_id: 7 });
const heldByService = record({ ...onHold, assigned_physician_id: null, queued_at: null });
const answered = record({ status: 'answered', assigned_physician_id: 7, publish_at: inMs(1) });
const closed = record({ status: 'closed', assigned_physician_id: 7, closed_at: inMs(-14 * dayMs) });

describe('what staff may do with a case now', () => {
  test.each<[string, Staff, CaseRecord, string]>([
    ['a physician, of a case in the own lanes', own, queued, 'claim check_eligibility'],
    ['a physician who is away', staff('physician', { isAway: true }), queued, 'check_eligibility'],
    ['a physician, of a case in another pool', own, record({ lane_pool: 'x' }), 'check_eligibility'],
    ['a physician, of a case in another language', own, record({ lane_language: 'ar' }), 'check_eligibility'],
    [
      'a physician, of an emergency elsewhere',
      own,
      record({ lane_pool: 'x', triage_rank: 0 }),
      'check_eligibility',
    ],
    [
      'a physician on call, of an emergency elsewhere',
      staff('physician', {}, 'on_call'),
      record({ lane_pool: 'x', triage_rank: 0 }),
      'claim check_eligibility',
    ],
    [
      'a physician on call, of another case elsewhere',
      staff('physician', {}, 'on_call'),
      record({ lane_pool: 'x' }),
      'check_eligibility',
    ],
    ['an admin who is no physician', admin, queued, 'assign cancel check_eligibility update_record'],
    ['a case that is being analysed', own, record({ analysis_state: 'pending' }), 'claim'],
    ['the holder', own, inHand, 'renew_lease release hold sign update_record'],
    [
      'a holder who may not sign',
      staff('physician', { adminSettings: { can_sign: false } as StaffPhysician['adminSettings'] }),
      inHand,
      'renew_lease release hold update_record',
    ],
    ['another physician than the holder', other, inHand, ''],
    ['an admin, of a case in hand', admin, inHand, 'assign cancel update_record'],
    [
      'the holder whose lease has ended',
      own,
      record({ ...inHand, lease_expires_at: now }),
      'claim check_eligibility',
    ],
    [
      'an admin, of a case whose lease has ended',
      admin,
      record({ ...inHand, lease_expires_at: null }),
      'assign cancel check_eligibility update_record',
    ],
    ['the physician of a case on hold', own, onHold, 'change_pending_status resume'],
    ['another physician, of a case on hold', other, onHold, 'resume'],
    [
      'an admin, of a case on hold',
      admin,
      onHold,
      'assign change_pending_status resume cancel update_record',
    ],
    ['a physician, of a case that the service has put on hold', own, heldByService, 'check_eligibility'],
    [
      'an admin, of a case that the service has put on hold',
      admin,
      heldByService,
      'cancel check_eligibility update_record',
    ],
    ['the signer before the answer is published', own, answered, 'undo'],
    ['another physician before the answer is published', other, answered, ''],
    ['the signer once it is to be published', own, record({ ...answered, publish_at: now }), ''],
    ['the signer within 14 days of closing', own, closed, 'reopen amend'],
    ['the signer after 14 days', own, record({ ...closed, closed_at: inMs(-14 * dayMs - 1) }), 'amend'],
    ['another physician after closing', other, closed, ''],
    ['an admin after closing', admin, record({ ...closed, closed_at: inMs(-99 * dayMs) }), 'reopen'],
    [
      'the last physician of a cancelled case',
      own,
      record({ ...closed, status: 'cancelled', closed_at: now }),
      '',
    ],
    ['an admin, of a cancelled draft', admin, record({ status: 'cancelled', submitted_at: null }), ''],
    ['an admin, of an expired case', admin, record({ status: 'expired' }), 'reopen'],
    ['an admin, of a draft', admin, record({ status: 'draft', submitted_at: null }), 'cancel'],
  ])('%s: %s', (_, who, what, actions) => {
    expect(staffActions(who, what, now).join(' ')).toBe(actions);
  });

  test('is what the physician of the case may do while it is in hand, and afterwards', () => {
    const isOwn = (who: Staff, what: CaseRecord) => partiesOf(who, what, now).includes('physician');
    for (const what of [inHand, onHold, answered, closed]) {
      expect([isOwn(own, what), isOwn(other, what), isOwn(admin, what)]).toEqual([true, false, false]);
    }
    const over = record({ ...inHand, lease_expires_at: now });
    expect([isOwn(own, over), isHolder(own, over, now), isLeaseOver(over, now)]).toEqual([
      false,
      false,
      true,
    ]);
    expect([isHolder(own, inHand, now), isLeaseOver(inHand, now)]).toEqual([true, false]);
    expect([isHolder(own, onHold, now), isLeaseOver(onHold, now)]).toEqual([false, false]);
    expect(mayReopen(own, closed, now)).toBe(true);
    expect(mayReopen(other, closed, now)).toBe(false);
  });
});

test('no action of a case is what only the queue and the publishing of answers do', () => {
  expect(offeredToStaff.join(' ')).toBe(
    'claim assign renew_lease release hold change_pending_status resume sign undo cancel reopen check_eligibility ' +
      'amend update_record',
  );
});

test('a physician is offered the reserved cases first, then the own pool, those of the groups and the general one', () => {
  expect(poolsOf(own)).toEqual(['physician:7', 'vip', 'hands', 'general']);
  const private_ = { general_pool: false } as StaffPhysician['adminSettings'];
  expect(poolsOf(staff('physician', { privatePool: null, adminSettings: private_ }))).toEqual([
    'physician:7',
    'hands',
  ]);
  expect(poolsOf(admin)).toEqual([]);
  const lanes = [
    ['vip', 'he'],
    ['physician:7', 'any'],
    ['physician:70', 'any'],
    ['general', 'en'],
    ['general', null],
    [null, 'any'],
  ] as const;
  expect(lanes.map(([lane_pool, lane_language]) => isInLanesOf(own, { lane_pool, lane_language }))).toEqual([
    true,
    true,
    ...Array<boolean>(4).fill(false),
  ]);
});
