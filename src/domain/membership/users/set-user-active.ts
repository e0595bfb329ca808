import { systemActor } from '../../../contract/actor.ts';
import { auditEvents } from '../../../contract/audit.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import type { ParameterSource } from '../../platform/parameters/parameter.queries.ts';
import { readParameters } from '../../platform/parameters/read-parameters.ts';
import { openAudit } from '../../platform/events/record-event.ts';
import { withdrawInvitations, withdrawSent } from '../invitations/invitation.queries.ts';
import { endSessions } from '../../identity/sessions/session.queries.ts';
import { lockAndFindEmail, switchAccount } from './account.queries.ts';
import { type AccountWork, handBackCases } from './hand-back-cases.ts';
import { useUpLinks } from '../../identity/users/user.queries.ts';

export interface ActiveChange {
  /** False when the account was in that state already and had no invitation to withdraw. */
  changed: boolean;
  /** Sessions that were open until now; always 0 for an activation. */
  sessionsEnded: number;
  /** Leases, reservations and holds of a physician that went back to the queue; always 0 for an activation. */
  casesReturned: number;
  /** Unused invitations of the tenant to the address, and those that the account has sent; always 0 for an activation. */
  invitationsWithdrawn: number;
}

interface Account {
  id: number;
  uuid: string;
  role: string;
  tenantId: number;
}

/**
 * Deactivates an account, ends its sessions, withdraws the invitations to its address and those that it has sent, uses up its
 * links and gives back the cases of a physician, or activates it again, and records the event: an activation brings none of
 * that back. A deactivated account keeps its data; its owner cannot log in, refresh or reset the password. One that waits for
 * its owner to register is inactive already: its invitation is withdrawn nevertheless.
 *
 * @param origin what the event says besides.
 */
export async function setActive(
  tx: Tx,
  work: AccountWork,
  account: Account,
  active: boolean,
  origin: Record<string, string> = {},
): Promise<ActiveChange> {
  const { audit, now } = work;
  const email = await lockAndFindEmail(tx, account.id);
  const switched = await switchAccount(tx, account.id, active);
  const { tenantId } = account;
  const invitationsWithdrawn = active
    ? 0
    : (await withdrawInvitations(tx, { tenantId, email }, now)) + (await withdrawSent(tx, account.id, now));
  // A link in a mailbox that an attacker reads is one more reason to deactivate.
  if (!active) await useUpLinks(tx, account.id, now);
  const changed = switched || invitationsWithdrawn > 0;
  const casesReturned = active ? 0 : await handBackCases(tx, work, account.id);
  // A login that was verified before the deactivation can have opened a session meanwhile.
  const sessionsEnded = active ? 0 : await endSessions(tx, account.id, 'all', 'account_inactive', now);
  if (changed || sessionsEnded + casesReturned > 0) {
    const event = active ? auditEvents.userActivated : auditEvents.userDeactivated;
    await audit.as(event).succeeded(tx, {
      tenantId,
      subject: { kind: 'user', uuid: account.uuid },
      detail: {
        role: account.role,
        ...origin,
        sessions: sessionsEnded,
        cases: casesReturned,
        ...(invitationsWithdrawn > 0 && { invitations: invitationsWithdrawn }),
      },
    });
  }
  return { changed, sessionsEnded, casesReturned, invitationsWithdrawn };
}

/** As {@link setActive}, from the command line: there is no other admin to ask, so the last one is deactivated as well. */
export async function setUserActive(
  source: ParameterSource,
  account: Account,
  active: boolean,
): Promise<ActiveChange> {
  const { db, clock } = source;
  const sla = await readParameters(source, account.tenantId, 'queue/sla_hours');
  const request = { id: 'deactivate-user', ipPrefix: undefined };
  const audit = openAudit(undefined, systemActor, request);
  return await inTenant(db, account.tenantId, (tx) =>
    setActive(tx, { audit, now: clock.now(), sla }, account, active, { by: 'command line' }),
  );
}
