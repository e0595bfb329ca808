import type { AuditContext } from '../../../lib/app/audit.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import type { SlaHours } from '../../cases/record/due-time.ts';
import { lockPhysician } from '../../identity/physicians/physician.queries.ts';
import { handBackAll } from '../../cases/queue/return-to-queue.ts';

/** What changes an account, when, and how long a case that goes back may take. */
export interface AccountWork {
  audit: AuditContext;
  now: Date;
  sla: SlaHours;
}

/**
 * Puts back what an account has as a physician: leases, reservations and holds. A request that is taking a case at this
 * moment comes first, and one that begins later waits for this transaction and finds the account as it leaves it.
 *
 * Call it with the account locked, and before its sessions end: their notices are locked after cases, as every move of a
 * case does.
 *
 * @returns how many cases went back.
 */
export async function handBackCases(tx: Tx, work: AccountWork, userId: number): Promise<number> {
  const physician = await lockPhysician(tx, userId);
  return physician === undefined ? 0 : await handBackAll(tx, work, physician.id, 'deactivated');
}
