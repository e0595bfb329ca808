import { systemActor } from '../../../contract/actor.ts';
import { auditEvents } from '../../../contract/audit.ts';
import type { Db } from '../../../lib/db/connect.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { openAudit } from '../../platform/events/record-event.ts';
import { endSessions } from '../sessions/session.queries.ts';

export interface ActiveChange {
  /** False when the account was in that state already; nothing is written then. */
  changed: boolean;
  /** Sessions that were open until now; always 0 for an activation. */
  sessionsEnded: number;
}

/**
 * Deactivates an account and ends its sessions, or activates it again, and records the event. A deactivated account
 * keeps its data; its owner cannot log in, refresh or reset the password.
 */
export async function setUserActive(
  db: Db,
  account: { id: number; uuid: string; role: string; tenantId: number },
  active: boolean,
  now: Date,
): Promise<ActiveChange> {
  return await inTenant(db, account.tenantId, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('users')
      .set({ is_active: active })
      .where('id', '=', account.id)
      .where('is_active', '!=', active)
      .executeTakeFirst();
    // A login that was verified before the deactivation can have opened a session meanwhile.
    const sessionsEnded = active ? 0 : await endSessions(tx, account.id, 'all', 'account_inactive', now);
    const changed = numUpdatedRows === 1n;
    if (!changed && sessionsEnded === 0) return { changed, sessionsEnded };
    const action = active ? auditEvents.userActivated : auditEvents.userDeactivated;
    const request = { id: 'deactivate-user', ipPrefix: undefined };
    await openAudit(action, systemActor, request).succeeded(tx, {
      tenantId: account.tenantId,
      subject: { kind: 'user', uuid: account.uuid },
      detail: { role: account.role, by: 'command line', sessions: sessionsEnded },
    });
    return { changed, sessionsEnded };
  });
}
