import { sql } from 'kysely';
import type { Tx } from '../../../lib/db/connect.ts';
import type { CaseRecord } from '../record/case.queries.ts';

// A literal: with a parameter a prepared statement could not use the index of leases.
const isInReview = sql<boolean>`status = 'in_review'`;

/** What a physician has in hand, the last taken first; within a batch the most urgent first. */
export async function findInHand(tx: Tx, physicianId: number, now: Date): Promise<CaseRecord[]> {
  return await tx
    .selectFrom('request_records')
    .selectAll()
    .where('assigned_physician_id', '=', physicianId)
    .where(isInReview)
    .where('lease_expires_at', '>', now)
    .orderBy('status_changed_at', 'desc')
    .orderBy('triage_rank')
    .orderBy('due_at')
    .orderBy('id')
    .execute();
}

/** Those of these cases that a physician reviews, locked. */
export async function lockInReview(
  tx: Tx,
  physicianId: number,
  caseUuids: readonly string[],
): Promise<CaseRecord[]> {
  return await tx
    .selectFrom('request_records')
    .selectAll()
    .where('uuid', 'in', caseUuids)
    .where(isInReview)
    .where('assigned_physician_id', '=', physicianId)
    .orderBy('id')
    .forUpdate()
    .execute();
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

/** Moves the ends of the live leases on a case and on the rest of its batch to `until`, and none to an earlier time. */
export async function extendLeases(
  tx: Tx,
  { uuid, batch, physician }: { uuid: string; batch: string | null; physician: number | null },
  { now, until }: { now: Date; until: Date },
) {
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
  return await tx
    .updateTable('request_records')
    .set({ lease_expires_at: sql<Date>`greatest(lease_expires_at, ${until})` })
    .where('uuid', 'in', inHand)
    .returning(['uuid', 'lease_expires_at'])
    .execute();
}

/** Leases of the tenant that end later than `after` and no later than `until`. */
export async function findEndingLeases(
  tx: Tx,
  { after, until, limit }: { after: Date; until: Date; limit: number },
) {
  return await tx
    .selectFrom('request_records')
    .select(['uuid', 'assigned_physician_id as physician', 'lease_expires_at as ends'])
    .where('status', '=', 'in_review')
    .where('lease_expires_at', '>', after)
    .where('lease_expires_at', '<=', until)
    .orderBy('lease_expires_at')
    .limit(limit)
    .execute();
}

/** Cases whose leases have ended. */
export async function findExpiredLeases(
  tx: Tx,
  { tenantId, now, limit }: { tenantId: number; now: Date; limit: number },
): Promise<{ uuid: string }[]> {
  return await tx
    .selectFrom('request_records')
    .select('uuid')
    .where('tenant_id', '=', tenantId)
    .where(isInReview)
    .where('lease_expires_at', '<=', now)
    .orderBy('lease_expires_at')
    .limit(limit)
    .execute();
}

/** Cases whose leases have ended and that no other transaction has locked, locked. @param caseUuid only this one. */
export async function lockExpiredLeases(
  tx: Tx,
  {
    tenantId,
    now,
    limit,
    caseUuid,
  }: { tenantId: number; now: Date; limit: number; caseUuid: string | undefined },
): Promise<CaseRecord[]> {
  return await tx
    .selectFrom('request_records')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where(isInReview)
    .where('lease_expires_at', '<=', now)
    .$if(caseUuid !== undefined, (query) => query.where('uuid', '=', caseUuid ?? ''))
    .orderBy('lease_expires_at')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute();
}
