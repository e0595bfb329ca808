import { Problem } from '../../../contract/problem.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import type { StaffPhysician } from '../../identity/groups/staff.ts';
import { leaseCase, type LeaseWork } from '../../cases/queue/lease.ts';
import { countLeases } from '../../cases/queue/lease.queries.ts';
import type { CaseRecord } from '../../cases/record/case.queries.ts';
import { hasBatchInHand } from './handling.queries.ts';

/**
 * Takes a case that the physician has chosen (T09).
 * @param record locked, after the row of the physician: two claims of one physician are counted one after the other.
 * @throws {Problem} `lease_limit`
 */
export async function claimCase(
  tx: Tx,
  work: LeaseWork,
  record: CaseRecord,
  { id, adminSettings }: StaffPhysician,
): Promise<CaseRecord> {
  const { max_open_cases: limit = 1 } = adminSettings;
  const isFull = (await countLeases(tx, id, work.now)) >= limit;
  // A batch counts once.
  const { batch_uuid: batch } = record;
  const isInHand = isFull && batch !== null && (await hasBatchInHand(tx, batch, id, work.now));
  if (isFull && !isInHand) throw new Problem('lease_limit');
  return await leaseCase(tx, work, record, { transition: 'claim', physicianId: id });
}
