import type { Staff } from '../../identity/groups/staff.ts';
import { isHolder } from '../../cases/record/visible-cases.ts';
import type { CaseRecord } from '../../cases/record/case.queries.ts';
import { isLeaseOver, mayClaim } from '../../cases/record/staff-actions.ts';
import { homeLane } from '../../cases/record/lane.ts';
import { awaitsAnalysis, placeOf, standingAt } from '../../cases/record/case-status.ts';
import type { Blocking } from './batch.schemas.ts';

/** What decides about a claim besides the case. */
export interface ClaimFacts {
  now: Date;
  allowsClaims: boolean;
  /** Batches, and single cases, that the caller has in hand. */
  inHand: ReadonlySet<string>;
}

/** What keeps the caller from answering a case, all of it; empty for one that is in hand, or answered. */
export function blockingOf(staff: Staff, record: CaseRecord, facts: ClaimFacts): Blocking[] {
  const place = placeOf(record);
  if (awaitsAnalysis(record) && record.queued_at === null) return ['analysis_pending'];
  switch (place) {
    case 'submitted':
      return ['eligibility_pending'];
    case 'queued':
      return claimBlocking(staff, record, facts);
    case 'in_review':
      if (isHolder(staff, record, facts.now)) return [];
      return isLeaseOver(record, facts.now)
        ? claimBlocking(staff, { ...record, ...homeLane(record) }, facts)
        : ['taken'];
    case 'answered':
    case 'closed':
      return [];
    case 'draft':
    case 'ineligible':
    case 'cancelled':
    case 'expired':
      return [place];
    default:
      return [standingAt(place).pendingStatus ?? 'technical'];
  }
}

function claimBlocking(staff: Staff, record: CaseRecord, facts: ClaimFacts): Blocking[] {
  const { physician } = staff;
  if (physician === null) return ['physician_profile_required'];
  const { max_open_cases: limit = 1 } = physician.adminSettings;
  const isInHand = facts.inHand.has(record.batch_uuid ?? record.uuid);
  const reasons: [Blocking, boolean][] = [
    ['other_lane', !mayClaim(staff, record)],
    ['physician_away', physician.isAway],
    ['lease_limit', facts.inHand.size >= limit && !isInHand],
    ['claiming_disabled', !facts.allowsClaims],
  ];
  return reasons.flatMap(([reason, applies]) => (applies ? [reason] : []));
}
