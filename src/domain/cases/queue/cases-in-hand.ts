import type { Tx } from '../../../lib/db/connect.ts';
import type { CaseRecord } from '../record/case.queries.ts';
import type { ReleaseReason } from '../record/release-reason.ts';
import { findInHand, lockInReview } from './lease.queries.ts';
import type { LeaseWork } from './lease.ts';
import { releaseCase } from './return-to-queue.ts';

/** Cases that are leased together: those of a batch, else a single one. */
export type Hand = readonly CaseRecord[];

/** What a physician has in hand, the last taken first; within a batch the most urgent first. */
export async function casesInHand(tx: Tx, physicianId: number, now: Date): Promise<Hand[]> {
  const records = await findInHand(tx, physicianId, now);
  return [...Map.groupBy(records, ({ batch_uuid: batch, uuid }) => batch ?? uuid).values()];
}

/** Puts back what is leased together, unless it has left the physician's hand meanwhile. */
export async function releaseInHand(
  tx: Tx,
  work: LeaseWork,
  hand: Hand,
  { physicianId, reason }: { physicianId: number; reason: ReleaseReason },
): Promise<void> {
  const uuids = hand.map(({ uuid }) => uuid);
  const records = await lockInReview(tx, physicianId, uuids);
  for (const record of records) await releaseCase(tx, work, record, { physicianId, reason });
}
