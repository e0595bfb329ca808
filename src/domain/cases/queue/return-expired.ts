import { auditEvents } from '../../../contract/audit.ts';
import { systemActorOf } from '../../../contract/actor.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { openAudit } from '../../platform/events/record-event.ts';
import type { CaseRecord } from '../record/case.queries.ts';
import { lockExpiredLeases } from './lease.queries.ts';
import { expireLease } from './return-to-queue.ts';

interface Expired {
  tenantId: number;
  now: Date;
  limit: number;
  /** The request or timer that returns them, for the event log. */
  requestId: string;
  /** Only this one. */
  caseUuid?: string;
}

/**
 * Takes cases of the tenant back whose leases have run out (T13), those of before `now` that no other transaction has locked.
 * @returns how many went back.
 */
export async function returnExpired(
  tx: Tx,
  { tenantId, now, limit, requestId, caseUuid }: Expired,
): Promise<number> {
  const expired = await lockExpiredLeases(tx, { tenantId, now, limit, caseUuid });
  const request = { id: requestId, ipPrefix: undefined };
  const audit = openAudit(auditEvents.caseLeaseExpired, systemActorOf(tenantId), request);
  // By physician: each is told, and transactions that tell several must do so in one order (announce/live/notice.queries.ts).
  for (const record of expired.toSorted(byPhysician)) await expireLease(tx, { audit, now }, record);
  return expired.length;
}

const byPhysician = (a: CaseRecord, b: CaseRecord) =>
  (a.assigned_physician_id ?? 0) - (b.assigned_physician_id ?? 0);
