import { sql } from 'kysely';
import type { AuditContext } from '../../../lib/app/audit.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { applyTransition } from '../record/apply-transition.ts';
import type { CaseRecord } from '../record/case.queries.ts';
import { noLane } from '../record/lane.ts';
import type { QueueRules } from '../record/queue-rules.ts';

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
  // Ordered and without waiting: two of them can neither block each other nor a change of one of the cases.
  const inHand = tx
    .selectFrom('request_records')
    .select('uuid')
    .where((eb) =>
      batch === null ? eb('uuid', '=', uuid) : eb.or([eb('uuid', '=', uuid), eb('batch_uuid', '=', batch)]),
    )
    .where('status', '=', 'in_review')
    .where('assigned_physician_id', '=', physician)
    .where('lease_expires_at', '>', now)
    .orderBy('id')
    .forNoKeyUpdate()
    .skipLocked();
  const extended = await tx
    .updateTable('request_records')
    .set({ lease_expires_at: sql<Date>`greatest(lease_expires_at, ${until})` })
    .where('uuid', 'in', inHand)
    .returning(['uuid', 'lease_expires_at'])
    .execute();
  const own = extended.find((each) => each.uuid === uuid);
  return own === undefined ? record : { ...record, lease_expires_at: own.lease_expires_at };
}

/** Cases that a physician has in hand; a batch counts once. */
export async function countLeases(tx: Tx, physicianId: number, now: Date): Promise<number> {
  const { count } = await tx
    .selectFrom('request_records')
    .select(sql<number>`count(DISTINCT coalesce(batch_uuid, uuid))::integer`.as('count'))
    .where('assigned_physician_id', '=', physicianId)
    .where('status', '=', 'in_review')
    .where('lease_expires_at', '>', now)
    .executeTakeFirstOrThrow();
  return count;
}
