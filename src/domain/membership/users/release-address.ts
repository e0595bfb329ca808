import { auditEvents } from '../../../contract/audit.ts';
import type { AuditContext } from '../../../lib/app/audit.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { withinTenant } from '../../../lib/db/tenant.ts';
import { Problem } from '../../../contract/problem.ts';
import type { Role } from '../../../contract/role.ts';
import { parameterSchemas } from '../../platform/parameters/parameter-schemas.ts';
import { endSessions, lockSessions } from '../../identity/sessions/session.queries.ts';
import { findAddressOwner, retireAccount } from './account.queries.ts';
import { handBackCases } from './hand-back-cases.ts';
import { type LockedAccount, lockAccountOf, useUpLinks } from '../../identity/users/user.queries.ts';

/**
 * Makes an address free for the person who has just proved to receive its mail: an account that took it without ever
 * proving that is retired. It becomes inactive, its sessions end, its address is replaced; what it stored stays its own. Staff
 * whom an admin or the operator has given an account keep it, and no tenant loses its last admin.
 *
 * @param tx of the tenant that the new account joins.
 * @param selfRegistered roles in which anyone can register.
 * @throws {Problem} `email_taken` when the owner of the account has verified the address, or keeps it.
 */
export async function releaseAddress(
  tx: Tx,
  email: string,
  { now, audit, selfRegistered }: { now: Date; audit: AuditContext; selfRegistered: readonly Role[] },
): Promise<void> {
  const owner = await findAddressOwner(tx, email);
  if (owner === undefined) return;
  const { tenant_id: tenantId, user_id: userId, user_uuid: uuid } = owner;
  await withinTenant(tx, tenantId, async () => {
    const locked = await lockAccountOf(tx, email);
    // Verified, or retired by another invitation, since it was read.
    if (locked === undefined || !isReleasable(locked, selfRegistered)) throw new Problem('email_taken');
    // The hours of its tenant are not read within a transaction; they only matter to a case that became urgent on hold.
    const sla = parameterSchemas['queue/sla_hours'].parse({});
    const cases = await handBackCases(tx, { audit, now, sla }, userId);
    // Before the address: a refresh that is under way has a session locked and refers to the user by a foreign key, for
    // which a changed unique column would make it wait.
    await lockSessions(tx, userId);
    await retireAccount(tx, userId, uuid);
    await useUpLinks(tx, userId, now);
    const sessions = await endSessions(tx, userId, 'all', 'address_released', now);
    // The invited person's account does not exist yet.
    await audit.as(auditEvents.userRetired).succeeded(tx, {
      tenantId,
      userId: undefined,
      sessionUuid: undefined,
      subject: { kind: 'user', uuid },
      detail: { reason: 'address_proved_by_invitation', sessions, cases },
    });
  });
}

function isReleasable(account: LockedAccount, selfRegistered: readonly Role[]): boolean {
  const { role, is_active: isActive, is_verified: isVerified, otherAdmins } = account;
  if (isVerified) return false;
  // Deactivated, or prepared and never activated.
  if (!isActive || role === 'patient') return true;
  return selfRegistered.includes(role) && (role !== 'admin' || otherAdmins > 0);
}
