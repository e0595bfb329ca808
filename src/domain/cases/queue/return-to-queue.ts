import { auditEvents } from '../../../contract/audit.ts';
import type { AuditContext } from '../../../lib/app/audit.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { readPatient } from '../../identity/patients/patient.queries.ts';
import type { TriageLevel } from '../../intake/triage/triage.schemas.ts';
import { applyTransition } from '../record/apply-transition.ts';
import { type CaseRecord, setCaseColumns } from '../record/case.queries.ts';
import { dueFrom, rankOf, type SlaHours } from '../record/due-time.ts';
import { homeLane, type LaneColumns, laneOf, reservedLane, reservedUntil } from '../record/lane.ts';
import { withQuestionLeft } from '../record/question-left.ts';
import type { QueueRules } from '../record/queue-rules.ts';
import type { ReleaseReason } from '../record/release-reason.ts';
import type { Party } from '../record/transitions.ts';
import type { LeaseWork } from './lease.ts';
import { isAtWork, lockPhysician } from './physician-at-work.queries.ts';
import { lockCasesOf, skipCase } from './returned-cases.queries.ts';

const hourMs = 60 * 60 * 1000;
/** After so many leases that ran out on one case, admins should ask why. */
const alarmingLeases = 3;

/**
 * Puts a case back (T12), where the physician is not offered it again for the hours of `queue/rules`. The physician is no
 * longer the one of the case; the draft of the answer stays.
 *
 * @param record locked; the physician is its holder.
 */
export async function releaseCase(
  tx: Tx,
  { audit, now, rules }: LeaseWork,
  record: CaseRecord,
  { physicianId, reason }: { physicianId: number; reason: ReleaseReason },
): Promise<CaseRecord> {
  const until = new Date(now.getTime() + rules.skip_hours * hourMs);
  await skipCase(tx, record, { physicianId, reason, until }, now);
  return await applyTransition(tx, { audit, now }, record, {
    transition: 'release',
    by: 'physician',
    set: { ...homeLane(record), ...noLease, assigned_physician_id: null, status_reason: reason },
    detail: { reason },
  });
}

/**
 * Takes a case back whose lease has run out (T13). Its physician stays named: an answer that comes late is accepted while
 * no other physician has the case.
 *
 * @param record locked, its lease over at `now`.
 */
export async function expireLease(
  tx: Tx,
  { audit, now }: { audit: AuditContext; now: Date },
  record: CaseRecord,
): Promise<CaseRecord> {
  const count = record.lease_count + 1;
  const returned = await applyTransition(tx, { audit, now }, record, {
    transition: 'expire_lease',
    set: { ...homeLane(record), ...noLease, lease_count: count, status_reason: 'lease_expired' },
    detail: { lease_count: count },
  });
  if (count === alarmingLeases) {
    await audit.as(auditEvents.caseLeasesWasted).succeeded(tx, {
      tenantId: record.tenant_id,
      subject: { kind: 'case', uuid: record.uuid },
      caseUuid: record.uuid,
      patientId: record.patient_id,
      detail: { lease_count: count },
    });
  }
  return returned;
}

export interface ResumeWork {
  audit: AuditContext;
  now: Date;
  rules: QueueRules;
  sla: SlaHours;
}

/**
 * Ends a hold (T16). The case waits for its last physician if that one is at work, else in its own lane; the time on hold
 * does not count towards its due time.
 *
 * @param record locked, on hold.
 */
export async function resumeCase(
  tx: Tx,
  { audit, now, rules, sla }: ResumeWork,
  record: CaseRecord,
  {
    by,
    isForAnyone = false,
    detail = {},
  }: {
    by: Extract<Party, 'staff' | 'system'>;
    /** Not reserved for its last physician. */
    isForAnyone?: boolean;
    detail?: Record<string, string>;
  },
): Promise<CaseRecord> {
  const level = record.triage_level ?? 'routine';
  const physician = record.assigned_physician_id;
  const isReserved = !isForAnyone && physician !== null && (await isAtWork(tx, physician));
  const lane = isReserved
    ? reservedLane(physician, reservedUntil(rules, rankOf(level), now))
    : await ownLane(tx, record);
  return await applyTransition(tx, { audit, now }, record, {
    transition: 'resume',
    by,
    set: { ...queuedAgain(record, level, { now, sla }), ...lane },
    detail: { reserved: isReserved, ...detail },
  });
}

/**
 * Hands back what a physician has: reservations, and holds that wait for nobody else. When the account is `deactivated`,
 * every hold and every lease as well; on `vacation` an open lease stays until it ends.
 *
 * @returns how many cases went back.
 */
export async function handBackAll(
  tx: Tx,
  { audit, now, sla }: Omit<ResumeWork, 'rules'>,
  physicianId: number,
  why: 'vacation' | 'deactivated',
): Promise<number> {
  // A request of the physician that takes a case ends before, or begins after, and then sees that the physician is away.
  await lockPhysician(tx, physicianId);
  const all = await lockCasesOf(tx, physicianId, why === 'vacation' ? ['on_hold'] : ['on_hold', 'in_review']);
  const going = all.filter(
    ({ status, pending_status: pending }) =>
      why === 'deactivated' || status !== 'on_hold' || pending === 'technical',
  );
  const detail = { reason: `physician_${why}` };
  for (const record of going) {
    if (record.status === 'queued') {
      await changeLane(tx, { audit }, record, homeLane(record), detail);
    } else if (record.status === 'on_hold') {
      const level = record.triage_level ?? 'routine';
      await applyTransition(tx, { audit, now }, record, {
        transition: 'resume',
        set: { ...queuedAgain(record, level, { now, sla }), ...(await ownLane(tx, record)) },
        detail,
      });
    } else {
      await applyTransition(tx, { audit, now }, record, {
        transition: 'release',
        set: { ...homeLane(record), ...noLease, assigned_physician_id: null },
        detail,
      });
    }
  }
  return going.length;
}

/**
 * Moves a queued case to another lane. Its version stays: no client shows the lane.
 * @param record locked.
 */
export async function changeLane(
  tx: Tx,
  { audit }: { audit: AuditContext },
  record: CaseRecord,
  lane: LaneColumns,
  detail: Record<string, string>,
): Promise<void> {
  await setCaseColumns(tx, record.uuid, lane);
  await audit.as(auditEvents.caseLaneChanged).succeeded(tx, {
    tenantId: record.tenant_id,
    subject: { kind: 'case', uuid: record.uuid },
    caseUuid: record.uuid,
    patientId: record.patient_id,
    detail: {
      from: `${record.lane_pool}/${record.lane_language}`,
      to: `${lane.lane_pool}/${lane.lane_language}`,
      ...detail,
    },
  });
}

const noLease = { lease_expires_at: null };

const queuedAgain = (record: CaseRecord, level: TriageLevel, at: { now: Date; sla: SlaHours }) => ({
  queued_at: at.now,
  triage_level: level,
  triage_rank: rankOf(level),
  due_at: dueFrom(record, level, at),
  held_at: null,
  remind_at: null,
  status_reason: null,
  eligibility_reasons: withQuestionLeft(record),
});

/** The home lane of a case, with its pool: on the first time in the queue that can follow from its patient. */
export async function ownLane(tx: Tx, record: CaseRecord): Promise<LaneColumns & { pool: string }> {
  if (record.queued_at !== null) return { ...homeLane(record), pool: record.pool };
  const { pool } = laneOf(await readPatient(tx, record.patient_id), record);
  return { ...homeLane({ pool, language: record.language }), pool };
}
