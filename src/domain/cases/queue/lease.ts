import type { AuditContext } from '../../../lib/app/audit.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { applyTransition } from '../record/apply-transition.ts';
import type { CaseRecord } from '../record/case.queries.ts';
import { noLane } from '../record/lane.ts';
import type { QueueRules } from '../record/queue-rules.ts';
import { extendLeases } from './lease.queries.ts';

/** Who changes a case, when, and by which rules of the queue. */
export interface LeaseWork {
  audit: AuditContext;
  now: Date;
  rules: QueueRules;
}

/** When a lease ends that begins, or is renewed, at `now`. */
export const leaseEnd = ({ lease_minutes: minutes }: QueueRules, now: Date): Date =>
  new Date(now.getTime() + minutes * 60 * 1000);

/**
 * Puts a queued case into a physician's hand (T08, T09).
 * @param record locked.
 * @throws {Problem} `case_state_conflict`
 */
export async function leaseCase(
  tx: Tx,
  { audit, now, rules }: LeaseWork,
  record: CaseRecord,
  { transition, physicianId }: { transition: 'take' | 'claim'; physicianId: number },
): Promise<CaseRecord> {
  const { lane_pool, lane_language } = record;
  return await applyTransition(tx, { audit, now }, record, {
    transition,
    by: 'staff',
    set: {
      assigned_physician_id: physicianId,
      lease_expires_at: leaseEnd(rules, now),
      status_reason: null,
      ...noLane,
    },
    detail: { lane_pool, lane_language, triage_rank: record.triage_rank },
  });
}

/**
 * Renews a live lease as an action (T11): a new version of the case. Work on the case renews it by {@link extendLease}.
 * @param record locked; the caller is its holder.
 */
export async function renewLease(tx: Tx, work: LeaseWork, record: CaseRecord): Promise<CaseRecord> {
  const renewed = await applyTransition(tx, work, record, {
    transition: 'renew_lease',
    by: 'physician',
    set: { lease_expires_at: leaseEnd(work.rules, work.now) },
  });
  await extendLease(tx, work, renewed);
  return renewed;
}

/**
 * Renews a live lease because its holder reads the case or saves a draft, and with it those on the rest of the batch.
 * The version stays: a client that only read the case can still send the version that it has.
 *
 * @param record in its holder's hand at `now`.
 * @returns the case with the new end of its lease.
 */
export async function extendLease(
  tx: Tx,
  { now, rules }: Omit<LeaseWork, 'audit'>,
  record: CaseRecord,
): Promise<CaseRecord> {
  const until = leaseEnd(rules, now);
  const { uuid, batch_uuid: batch, assigned_physician_id: physician } = record;
  const extended = await extendLeases(tx, { uuid, batch, physician }, { now, until });
  const own = extended.find((each) => each.uuid === uuid);
  return own === undefined ? record : { ...record, lease_expires_at: own.lease_expires_at };
}
