import type { AccountActor } from '../../../contract/actor.ts';
import { auditEvents } from '../../../contract/audit.ts';
import { Language } from '../../../contract/language.ts';
import { Problem } from '../../../contract/problem.ts';
import type { Role } from '../../../contract/role.ts';
import { versionConflict } from '../../../contract/version-conflict.ts';
import type { Context } from '../../../lib/app/context.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { leaveAllGroups } from '../../identity/groups/member.queries.ts';
import { createSelfProfile } from '../../identity/patients/self-profile.queries.ts';
import { ensurePhysician } from '../../identity/physicians/physician.queries.ts';
import { endSessions } from '../../identity/sessions/session.queries.ts';
import { type LockedUser, lockWithAdmins, readOfficeUser } from '../../identity/users/office-user.queries.ts';
import type { ChangedUser } from '../../identity/users/office-user.schemas.ts';
import { readParameters } from '../../platform/parameters/read-parameters.ts';
import { changeInvitedRole, withdrawSent } from '../invitations/invitation.queries.ts';
import { setRole } from './account.queries.ts';
import { type AccountWork, handBackCases } from './hand-back-cases.ts';
import { setActive } from './set-user-active.ts';

interface Change {
  is_active?: boolean | undefined;
  role?: Role | undefined;
}

/**
 * Changes role or state of an account. What it loses by that, it loses at once: its sessions, and as a physician its cases.
 *
 * @param version that the caller has read.
 * @throws {Problem} `user_not_found`, `version_conflict`, `last_admin`, `own_account`, `forbidden`
 */
export async function changeUser(
  context: Context,
  actor: AccountActor,
  { uuid, version, ...change }: Change & { uuid: string; version: number },
): Promise<ChangedUser> {
  const { db, clock, audit, request } = context;
  const { tenantId } = actor;
  const sla = await readParameters(context, tenantId, 'queue/sla_hours');
  return await inTenant(db, tenantId, async (tx) => {
    const locked = await lockWithAdmins(tx, tenantId, uuid);
    const { user } = locked;
    if (user.version !== version) throw versionConflict(user.version);
    const { role = user.role, is_active: isActive = user.is_active } = change;
    requireAdmins(locked, actor, role === 'admin' && isActive);
    const work = { audit, now: clock.now(), sla };
    const account = { ...user, tenantId };
    const nothing = { sessionsEnded: 0, casesReturned: 0 };
    const byRole = role === user.role ? nothing : await changeRole(tx, work, account, role);
    // Inactive already, an account can still have an invitation that would activate it.
    const byState =
      isActive === user.is_active && change.is_active !== false
        ? nothing
        : await setActive(tx, work, { ...account, role }, isActive);
    const changed = Object.entries(change).flatMap(([name, value]) => (value === undefined ? [] : [name]));
    await audit.succeeded(tx, { subject: { kind: 'user', uuid }, detail: { changed } });
    return {
      ...(await readOfficeUser(tx, uuid, request.receivedAt)),
      sessions_ended: byRole.sessionsEnded + byState.sessionsEnded,
      cases_returned: byRole.casesReturned + byState.casesReturned,
    };
  });
}

/**
 * No admin locks the tenant or themselves out. A caller whom another admin has demoted or deactivated since the request came is
 * refused, above all for the own account, which would get back what it has just lost.
 */
function requireAdmins(
  { user, otherAdmins }: LockedUser,
  { uuid: caller }: AccountActor,
  staysAdmin: boolean,
): void {
  const isAdminStill =
    user.uuid === caller ? user.role === 'admin' && user.is_active : otherAdmins.includes(caller);
  if (!isAdminStill) throw new Problem('forbidden');
  const losesAdmin = user.role === 'admin' && user.is_active && !staysAdmin;
  if (losesAdmin && otherAdmins.length === 0) throw new Problem('last_admin');
  if (losesAdmin && user.uuid === caller) throw new Problem('own_account');
}

/**
 * Gives an account another role, with the profile that belongs to it. What the account was as a physician stays on record,
 * but it gives back its cases; a patient leaves all groups. Its sessions end: they were opened with other rights. An unused
 * invitation to its address gives the new role; those that it has sent as an admin are withdrawn. The caller holds the lock on
 * the user's row.
 */
async function changeRole(
  tx: Tx,
  work: AccountWork,
  account: { id: number; uuid: string; email: string; role: Role; tenantId: number; language: string | null },
  role: Role,
): Promise<{ sessionsEnded: number; casesReturned: number }> {
  const { audit, now } = work;
  const { id: userId, uuid, tenantId } = account;
  const invitations =
    (await changeInvitedRole(tx, account, role)) +
    (account.role === 'admin' ? await withdrawSent(tx, userId, now) : 0);
  // An admin who has been a physician takes cases as well.
  const casesReturned = await handBackCases(tx, work, userId);
  // Before the role changes: a patient gets no notices, and an open stream is to say that its session has ended.
  const sessionsEnded = await endSessions(tx, userId, 'all', 'revoked_by_admin', now);
  await setRole(tx, userId, role);
  if (role === 'physician') {
    const language = Language.catch('en').parse(account.language);
    await ensurePhysician(tx, { tenantId, userId, language });
  }
  if (role === 'patient') {
    await createSelfProfile(tx, { tenantId, userId });
    await leaveAllGroups(tx, userId);
  }
  await audit.as(auditEvents.userRoleChanged).succeeded(tx, {
    subject: { kind: 'user', uuid },
    detail: {
      from: account.role,
      to: role,
      sessions: sessionsEnded,
      cases: casesReturned,
      ...(invitations > 0 && { invitations }),
    },
  });
  return { sessionsEnded, casesReturned };
}
