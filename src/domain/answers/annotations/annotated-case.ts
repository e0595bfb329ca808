import { Problem } from '../../../contract/problem.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { isHolder, lockVisibleCase } from '../../cases/record/visible-cases.ts';
import { leaseCase } from '../../cases/queue/lease.ts';
import type { CaseRecord } from '../../cases/record/case.queries.ts';
import { requirePhysician, type Staff } from '../../identity/groups/staff.ts';
import { hasTaken, isLeaseEnd } from './annotated-case.queries.ts';
import type { AnswerWork } from './answer-work.ts';

/** The case that an annotation is about. */
export interface AboutCase {
  caseUuid: string;
  /** As the author has read it, where the author says so. */
  caseVersion: number | undefined;
}

/**
 * The case whose answer a physician writes, locked: all changes of its annotations wait for each other.
 * @throws {Problem} `case_not_found`; `lease_lost` where the caller had the case and can no longer see it.
 */
export async function lockAnnotatedCase(tx: Tx, staff: Staff, uuid: string): Promise<CaseRecord> {
  try {
    return await lockVisibleCase(tx, staff, uuid);
  } catch (error) {
    const isHidden = error instanceof Problem && error.code === 'case_not_found';
    if (isHidden && (await hasTaken(tx, staff.actor, uuid))) throw new Problem('lease_lost');
    throw error;
  }
}

/**
 * What is written about a case rests on how it was read.
 * @param version that the author has read; undefined where the author does not say.
 * @throws {Problem} `case_changed`
 */
export function requireUnchanged(record: Pick<CaseRecord, 'version'>, version: number | undefined): void {
  if (version === undefined || version === record.version) return;
  throw new Problem('case_changed', { members: { current_version: record.version } });
}

/**
 * As {@link requireUnchanged}, for a caller whose lease our timer may have ended since: that alone changes nothing of what was
 * read, and a late signature counts.
 * @throws {Problem} `case_changed`
 */
export async function requireUnchangedButLease(
  tx: Tx,
  record: CaseRecord,
  version: number | undefined,
): Promise<void> {
  const isJustBefore = version === record.version - 1 && record.status === 'queued';
  if (isJustBefore && record.status_reason === 'lease_expired' && (await isLeaseEnd(tx, record))) return;
  requireUnchanged(record, version);
}

/**
 * The case in the caller's hand. Who signs after the lease has run out gets the case back without asking, while no other
 * physician has it.
 *
 * @param record locked.
 * @throws {Problem} `lease_lost`, `physician_profile_required`
 */
export async function requireInHand(
  tx: Tx,
  { audit, now, rules }: AnswerWork,
  staff: Staff,
  record: CaseRecord,
  { isSigning }: { isSigning: boolean },
): Promise<CaseRecord> {
  const { id: physicianId } = requirePhysician(staff);
  if (isHolder(staff, record, now)) return record;
  if (isSigning && record.assigned_physician_id === physicianId) {
    // The timer has not come by yet.
    if (record.status === 'in_review') return record;
    if (record.status === 'queued' && record.status_reason === 'lease_expired') {
      const work = { audit, now, rules: rules.queue };
      return await leaseCase(tx, work, record, { transition: 'take', physicianId });
    }
  }
  throw new Problem('lease_lost');
}
