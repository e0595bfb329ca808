import type { Tx } from '../../../lib/db/connect.ts';
import { addNotices, type NewNotice } from '../../announce/live/notice.queries.ts';
import type { CaseRecord } from './case.queries.ts';
import type { TransitionName } from './transitions.ts';

type MovedCase = Pick<CaseRecord, 'uuid' | 'status' | 'lane_pool' | 'assigned_physician_id'>;
type Kind = 'case.assigned' | 'case.lease_expired' | 'case.cancelled';

interface Rule {
  kind: Kind;
  /** `physicians.id` of who is told; undefined: no physician is. */
  physician(before: MovedCase, after: MovedCase): number | undefined;
}

const holder = ({ status, assigned_physician_id: physician }: MovedCase) =>
  status === 'in_review' ? (physician ?? undefined) : undefined;

/** Whom a case waits for alone; `reservedPool` of lane.ts writes what this reads. */
function reservedFor({ lane_pool: pool }: MovedCase): number | undefined {
  const id = /^physician:(\d+)$/.exec(pool ?? '')?.[1];
  return id === undefined ? undefined : Number(id);
}

const rules: Partial<Record<TransitionName, Rule>> = {
  assign: { kind: 'case.assigned', physician: (_before, after) => reservedFor(after) },
  expire_lease: { kind: 'case.lease_expired', physician: holder },
  cancel: { kind: 'case.cancelled', physician: holder },
};

/** Tells the physician whom a move concerns, in its transaction. */
export async function addNoticesOfMove(
  tx: Tx,
  name: TransitionName,
  { before, after, now }: { before: MovedCase; after: MovedCase; now: Date },
): Promise<void> {
  const rule = rules[name];
  const physicianId = rule?.physician(before, after);
  if (rule === undefined || physicianId === undefined) return;
  const notice: NewNotice<Kind> = { kind: rule.kind, payload: { case_uuid: after.uuid } };
  await addNotices(tx, { physicianId }, [notice], now);
}
