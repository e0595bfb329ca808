import { sql } from 'kysely';
import type { Tx } from '../../../lib/db/connect.ts';
import type { CaseRecord } from '../record/case.queries.ts';
import type { LeaseWork } from './lease.ts';
import type { ReleaseReason } from '../record/release-reason.ts';
import { releaseCase } from './return-to-queue.ts';

/** Cases that are leased together: those of a batch, else a single one. */
export type Hand = readonly CaseRecord[];

/** What a physician has in hand, the last taken first; within a batch the most urgent first. */
export async function casesInHand(tx: Tx, physicianId: number, now: Date): Promise<Hand[]> {
  const records = await tx
    .selectFrom('request_records')
    .selectAll()
    .where('assigned_physician_id', '=', physicianId)
    .where(sql<boolean>`status = 'in_review'`)
    .where('lease_expires_at', '>', now)
    .orderBy('status_changed_at', 'desc')
    .orderBy('triage_rank')
    .orderBy('due_at')
    .orderBy('id')
    .execute();
  return [...Map.groupBy(records, ({ batch_uuid: batch, uuid }) => batch ?? uuid).values()];
}

/** Puts back what is leased together, unless it has left the physician's hand meanwhile. */
export async function releaseInHand(
  tx: Tx,
  work: LeaseWork,
  hand: Hand,
  { physicianId, reason }: { physicianId: number; reason: ReleaseReason },
): Promise<void> {
  const records = await tx
    .selectFrom('request_records')
    .selectAll()
    .where(
      'uuid',
      'in',
      hand.map(({ uuid }) => uuid),
    )
    .where(sql<boolean>`status = 'in_review'`)
    .where('assigned_physician_id', '=', physicianId)
    .orderBy('id')
    .forUpdate()
    .execute();
  for (const record of records) await releaseCase(tx, work, record, { physicianId, reason });
}
